// cuda::std is the C++ library that kernels have anyway.
#pragma once
#include <__config>

_LIBCPP_BEGIN_NAMESPACE_STD
_LIBCPP_END_NAMESPACE_STD
namespace cuda {
namespace std = ::std;
}
