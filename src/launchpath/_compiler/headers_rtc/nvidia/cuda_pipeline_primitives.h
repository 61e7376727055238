// CUDA's header, which includes the other ones from its own folder.
#pragma once
#include <cuda_pipeline_helpers.h>
#include <cuda_awbarrier_helpers.h>
#include_next <cuda_pipeline_primitives.h>
