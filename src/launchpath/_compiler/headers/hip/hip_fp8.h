#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/fp8/hip.h>
}
