#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/cuda/fp8.h>
}
