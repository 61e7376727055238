// Attributes of AMD's kernels that are about registers. Not empty: a [[clang::...]] needs a name.
#pragma once
#define amdgpu_flat_work_group_size(...) unused
#define amdgpu_waves_per_eu(...) unused
#define amdgpu_num_vgpr(...) unused
#define amdgpu_num_sgpr(...) unused
