// With what older versions of this header had along.
#pragma once
#include_next <thrust/iterator/zip_iterator.h>
#include <launchpath/thrust_along.h>
