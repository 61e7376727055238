// What thrust's main headers have included for long, and newer ones do not.
#pragma once
#include <thrust/advance.h>
#include <thrust/distance.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>
