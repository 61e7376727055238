// CUDA's header, which includes the other one from its own folder.
#pragma once
#include <cuda_awbarrier_helpers.h>
#include_next <cuda_awbarrier.h>
