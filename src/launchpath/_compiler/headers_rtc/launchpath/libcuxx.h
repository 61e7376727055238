// Puts libcu++ into std. Names that are in std itself are found first.
#pragma once
namespace cuda {
namespace std {}
}  // namespace cuda
namespace std {
using namespace ::cuda::std;
}
