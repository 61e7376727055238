// The namespace of thrust, for headers of others that add to it. NVIDIA's own, where that is here.
#pragma once
#if __has_include(<thrust/version.h>)
#include_next <thrust/detail/config/namespace.h>
#else
#define THRUST_NS_QUALIFIER ::thrust
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }
#endif
