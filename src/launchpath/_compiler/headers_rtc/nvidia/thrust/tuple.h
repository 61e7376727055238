// With pairs, which CUDA 12's header of this name brought along and CUDA 13's does not.
#pragma once
#include_next <thrust/tuple.h>
#include <thrust/pair.h>
