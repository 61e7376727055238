// With what older versions of this header had along.
#pragma once
#include_next <thrust/device_ptr.h>
#include <launchpath/thrust_along.h>
