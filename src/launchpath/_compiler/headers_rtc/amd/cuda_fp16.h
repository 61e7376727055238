// CUDA's __half is HIP's, which hipRTC brings along.
#pragma once
