// Copies to shared memory that could go on by themselves: here they are done when the call returns.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>
#include <launchpath/cuda/pipeline.h>
#include <cuda_pipeline_primitives.h>

namespace nvcuda {
namespace experimental = ::cuda;
}
}
