// cuRAND's device API.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <curand.h>
#include <launchpath/random/mrg32k3a.h>
#include <launchpath/random/philox.h>
#include <launchpath/random/sobol.h>
#include <launchpath/random/xorwow.h>

#define __LP_API(name) curand##name
#include <launchpath/random/functions.h>
#include <launchpath/random/quasi_functions.h>
#undef __LP_API
}
