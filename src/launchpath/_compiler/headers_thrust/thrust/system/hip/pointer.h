// rocThrust's name of it.
#pragma once
#include <thrust/system/cuda/pointer.h>
