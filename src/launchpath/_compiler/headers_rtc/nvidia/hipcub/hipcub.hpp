// hipCUB: CUB by its name, and the operators that programs for hipCUB use.
#pragma once
#include <cub/cub.cuh>
#include <launchpath/cub/hipcub.h>
#ifndef __LP_CUB
#define __LP_CUB hipcub
#include <launchpath/cub/functors.h>
#endif
namespace hipcub {
using namespace cub;
}
