// With what older versions of this header had along.
#pragma once
#include_next <thrust/device_vector.h>
#include <launchpath/thrust_along.h>
