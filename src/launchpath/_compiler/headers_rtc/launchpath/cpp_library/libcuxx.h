// Makes libcu++ (cuda::std, which comes with CUDA) visible as std: NVRTC has no C++ library. The headers of headers_rtc
// include it behind those of libcu++. Names that are declared in std itself hide libcu++'s.
#pragma once
namespace cuda {
namespace std {}
}  // namespace cuda
namespace std {
using namespace ::cuda::std;
}
