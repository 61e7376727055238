"""The headers that only forward: the names that programs include, and the header of each.

CUDA, HIP and their libraries have many headers where launchpath has a single header. Their names are kept in the tables
below only. The build (``setup.py``) writes a file for each name into ``_forward/``: every compiler finds them
there as it finds any other header. HIP's mathematical constants are written there too: they are CUDA's, by other names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping

FIRST = "#pragma once\n"  # and no more: there are hundreds of these files in a wheel
_CONSTANTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "headers_common", "math_constants.h")

# hipCUB's headers, for all compilers.
HIPCUB = """
    hipcub/block/block_adjacent_difference.hpp hipcub/block/block_discontinuity.hpp
    hipcub/block/block_exchange.hpp hipcub/block/block_histogram.hpp hipcub/block/block_load.hpp
    hipcub/block/block_merge_sort.hpp hipcub/block/block_radix_sort.hpp hipcub/block/block_reduce.hpp
    hipcub/block/block_scan.hpp hipcub/block/block_shuffle.hpp hipcub/block/block_store.hpp hipcub/config.hpp
    hipcub/device/device_adjacent_difference.hpp hipcub/device/device_copy.hpp hipcub/device/device_for.hpp
    hipcub/device/device_histogram.hpp hipcub/device/device_memcpy.hpp hipcub/device/device_merge.hpp
    hipcub/device/device_merge_sort.hpp hipcub/device/device_partition.hpp hipcub/device/device_radix_sort.hpp
    hipcub/device/device_reduce.hpp hipcub/device/device_run_length_encode.hpp hipcub/device/device_scan.hpp
    hipcub/device/device_segmented_radix_sort.hpp hipcub/device/device_segmented_reduce.hpp
    hipcub/device/device_segmented_sort.hpp hipcub/device/device_select.hpp hipcub/device/device_spmv.hpp
    hipcub/device/device_transform.hpp hipcub/hipcub_version.hpp hipcub/iterator/arg_index_iterator.hpp
    hipcub/iterator/cache_modified_input_iterator.hpp hipcub/iterator/cache_modified_output_iterator.hpp
    hipcub/iterator/constant_input_iterator.hpp hipcub/iterator/counting_input_iterator.hpp
    hipcub/iterator/discard_output_iterator.hpp hipcub/iterator/transform_input_iterator.hpp
    hipcub/thread/thread_load.hpp hipcub/thread/thread_operators.hpp hipcub/thread/thread_reduce.hpp
    hipcub/thread/thread_scan.hpp hipcub/thread/thread_store.hpp hipcub/util_allocator.hpp hipcub/util_arch.hpp
    hipcub/util_debug.hpp hipcub/util_device.hpp hipcub/util_macro.hpp hipcub/util_math.hpp
    hipcub/util_namespace.hpp hipcub/util_ptx.hpp hipcub/util_type.hpp hipcub/warp/warp_exchange.hpp
    hipcub/warp/warp_load.hpp     hipcub/warp/warp_reduce.hpp hipcub/warp/warp_scan.hpp hipcub/warp/warp_store.hpp
"""
_CUB = "launchpath/cub/cuda.h"
# For Clang: by the headers to include, separated by blanks, the names that forward to them.
CLANG = {
    "cooperative_groups.h": "hip/amd_detail/amd_hip_cooperative_groups.h hip/hip_cooperative_groups.h",
    "cooperative_groups/reduce.h": "cooperative_groups/scan.h",
    _CUB: """
        cub/block/block_adjacent_difference.cuh cub/block/block_discontinuity.cuh cub/block/block_exchange.cuh
        cub/block/block_histogram.cuh cub/block/block_load.cuh cub/block/block_merge_sort.cuh
        cub/block/block_radix_sort.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/block/block_shuffle.cuh
        cub/block/block_store.cuh cub/config.cuh cub/cub.cuh cub/device/device_adjacent_difference.cuh
        cub/device/device_copy.cuh cub/device/device_for.cuh cub/device/device_histogram.cuh
        cub/device/device_memcpy.cuh cub/device/device_merge.cuh cub/device/device_merge_sort.cuh
        cub/device/device_partition.cuh cub/device/device_radix_sort.cuh cub/device/device_reduce.cuh
        cub/device/device_run_length_encode.cuh cub/device/device_scan.cuh cub/device/device_segmented_radix_sort.cuh
        cub/device/device_segmented_reduce.cuh cub/device/device_segmented_sort.cuh cub/device/device_select.cuh
        cub/device/device_spmv.cuh cub/device/device_transform.cuh cub/iterator/arg_index_iterator.cuh
        cub/iterator/cache_modified_input_iterator.cuh cub/iterator/cache_modified_output_iterator.cuh
        cub/iterator/constant_input_iterator.cuh cub/iterator/counting_input_iterator.cuh
        cub/iterator/discard_output_iterator.cuh cub/iterator/transform_input_iterator.cuh cub/thread/thread_load.cuh
        cub/thread/thread_operators.cuh cub/thread/thread_reduce.cuh cub/thread/thread_scan.cuh
        cub/thread/thread_store.cuh cub/util_allocator.cuh cub/util_arch.cuh cub/util_debug.cuh cub/util_device.cuh
        cub/util_macro.cuh cub/util_math.cuh cub/util_namespace.cuh cub/util_ptx.cuh cub/util_type.cuh cub/version.cuh
        cub/warp/warp_exchange.cuh cub/warp/warp_load.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh
        cub/warp/warp_store.cuh
    """,
    "cuda_bf16.h": """
        cuda_bf16.hpp hip/amd_detail/amd_hip_bf16.h hip/amd_detail/amd_hip_bfloat16.h hip/hip_bf16.h hip/hip_bfloat16.h
    """,
    "cuda_fp8.h": "cuda_fp8.hpp",
    "cuda_fp16.h": "cuda_fp16.hpp hip/amd_detail/amd_hip_fp16.h hip/hcc_detail/hip_fp16.h hip/hip_fp16.h",
    "cuda_runtime.h": """
        builtin_types.h channel_descriptor.h common_functions.h crt/common_functions.h crt/device_functions.h
        crt/host_config.h crt/host_defines.h crt/host_runtime.h crt/math_functions.h crt/sm_70_rt.h cudaProfiler.h
        cuda_device_runtime_api.h cuda_egl_interop.h cuda_gl_interop.h cuda_profiler_api.h cuda_runtime_api.h
        cuda_surface_types.h cuda_texture_types.h device_atomic_functions.h device_double_functions.h device_functions.h
        device_functions.hpp device_launch_parameters.h device_types.h driver_types.h host_config.h host_defines.h
        math_functions.h math_functions.hpp math_functions_dbl_ptx3.h sm_11_atomic_functions.h
        sm_12_atomic_functions.h sm_13_double_functions.h sm_20_atomic_functions.h sm_20_atomic_functions.hpp
        sm_20_intrinsics.h sm_30_intrinsics.h sm_30_intrinsics.hpp sm_32_atomic_functions.h sm_32_intrinsics.h
        sm_32_intrinsics.hpp sm_35_atomic_functions.h sm_35_atomic_functions.hpp sm_35_intrinsics.h
        sm_60_atomic_functions.h sm_60_atomic_functions.hpp sm_61_intrinsics.h sm_70_rt.h surface_functions.h
        surface_indirect_functions.h surface_types.h texture_fetch_functions.h texture_indirect_functions.h
        texture_types.h vector_functions.h vector_functions.hpp vector_types.h
    """,
    "curand_kernel.h": """
        curand_discrete.h curand_globals.h curand_lognormal.h curand_mrg32k3a.h curand_normal.h curand_philox4x32_x.h
        curand_poisson.h curand_uniform.h
    """,
    "helper_cuda.h": """
        helper_cuda_drvapi.h helper_functions.h helper_image.h helper_multiprocess.h helper_string.h helper_timer.h
    """,
    "hip/hip_complex.h": "hip/amd_detail/amd_hip_complex.h",
    "hip/hip_fp8.h": "hip/amd_detail/amd_hip_fp8.h",
    "hip/hip_runtime.h": """
        hip/amd_detail/amd_device_functions.h hip/amd_detail/amd_hip_atomic.h hip/amd_detail/amd_hip_common.h
        hip/amd_detail/amd_hip_runtime.h hip/amd_detail/amd_hip_runtime_pt_api.h hip/amd_detail/amd_hip_unsafe_atomics.h
        hip/amd_detail/amd_hip_vector_types.h hip/amd_detail/amd_math_functions.h hip/amd_detail/amd_warp_functions.h
        hip/amd_detail/amd_warp_sync_functions.h hip/amd_detail/device_functions.h hip/amd_detail/hip_vector_types.h
        hip/amd_detail/math_fwd.h hip/channel_descriptor.h hip/device_functions.h hip/device_library_decls.h
        hip/driver_types.h hip/hcc_detail/hip_runtime.h hip/hip_common.h hip/hip_deprecated.h hip/hip_ext.h
        hip/hip_gl_interop.h hip/hip_hcc.h hip/hip_profile.h hip/hip_runtime_api.h hip/hip_texture_types.h
        hip/hip_vector_types.h hip/hip_version.h hip/hip_warp_sync_functions.h hip/host_defines.h
        hip/linker_types.h hip/math_functions.h hip/surface_functions.h hip/surface_types.h hip/texture_functions.h
        hip/texture_types.h
    """,
    "hipcub/hipcub.hpp": HIPCUB,
    "hiprand/hiprand.h": "hiprand.h",
    "hiprand/hiprand_kernel.h": "hiprand/hiprand_kernel_rocm.h hiprand/hiprand_rocm.h hiprand_kernel.h",
    "launchpath/cuda/atomic.h": "cuda/atomic",
    "launchpath/cuda/barrier.h": "cuda/barrier cuda/std/barrier cuda_awbarrier.h",
    "launchpath/cuda/pipeline.h": "cuda/pipeline",
    "nvtx3/nvToolsExt.h": "nvToolsExt.h nvtx3/nvToolsExtCuda.h nvtx3/nvToolsExtCudaRt.h",
    "rocrand/rocrand.h": "rocrand.h",
    "rocrand/rocrand_kernel.h": """
        rocrand/rocrand_common.h rocrand/rocrand_log_normal.h rocrand/rocrand_mrg32k3a.h rocrand/rocrand_normal.h
        rocrand/rocrand_philox4x32_10.h rocrand/rocrand_poisson.h rocrand/rocrand_uniform.h rocrand/rocrand_xorwow.h
        rocrand_kernel.h
    """,
    "roctracer/roctx.h": "roctx.h",
}
# libc++'s headers, which have the same names below cuda/std/.
CUDA_STD = """
    algorithm array atomic bit cassert cfloat chrono climits cmath complex concepts cstddef cstdint cstdlib cstring
    ctime functional initializer_list iterator limits memory numeric optional ratio span string_view tuple type_traits
    utility variant version
"""

# For NVRTC and hipRTC. The first names forward to nothing: kernels have their declarations without an include, and the
# other declarations are for the host.
RTC = {
    "": """
        builtin_types.h channel_descriptor.h common_functions.h ctype.h cuda_device_runtime_api.h
        cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h device_atomic_functions.h device_functions.h
        device_launch_parameters.h driver_types.h hip/channel_descriptor.h hip/device_functions.h hip/driver_types.h
        hip/hip_common.h hip/hip_ext.h hip/hip_profile.h hip/hip_runtime.h hip/hip_runtime_api.h hip/hip_texture_types.h
        hip/hip_vector_types.h hip/hip_version.h hip/host_defines.h hip/math_functions.h hip/surface_types.h
        hip/texture_types.h hiprand/hiprand.h host_defines.h initializer_list math_functions.h nvToolsExt.h
        nvtx3/nvToolsExt.h rocrand/rocrand.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h
        sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_atomic_functions.h sm_35_intrinsics.h sm_60_atomic_functions.h
        sm_61_intrinsics.h surface_types.h texture_fetch_functions.h texture_types.h time.h vector_functions.h
        vector_types.h wchar.h
    """,
    "cstdint inttypes.h": "cinttypes",
    "hip/hip_bfloat16.h": "hip/hip_bf16.h",
    "launchpath/c_library/float.h": "cfloat float.h",
    "launchpath/c_library/limits.h": "climits limits.h",
    "stddef.h": "memory.h string.h",
    "stddef.h launchpath/c_library/stdlib.h": "stdlib.h",
}
# For libraries that only host code calls: replacements where their headers are not installed.
LIBRARIES = {
    "cublas_v2.h": "cublas.h cublasLt.h cublasXt.h cublas_api.h",
    "cufft.h": "cufftXt.h",
    "cusolverDn.h": "cusolverMg.h cusolverRf.h cusolverSp.h cusolver_common.h",
    "cusparse.h": "cusparse_v2.h",
    "hipblas/hipblas.h": "hipblas-common/hipblas-common.h hipblas.h hipblaslt/hipblaslt.h",
    "hipfft/hipfft.h": "hipfft.h hipfft/hipfftXt.h hipfftXt.h",
    "hipsolver/hipsolver.h": "hipsolver.h",
    "hipsparse/hipsparse.h": "hipsparse.h",
    "rccl/rccl.h": "rccl.h",
    "rocblas/rocblas.h": "rocblas.h rocblas/internal/rocblas-types.h rocsolver.h rocsolver/rocsolver.h",
    "rocfft/rocfft.h": "rocfft.h",
    "rocsparse/rocsparse.h": "rocsparse.h",
}
# CUB's headers of functions that only host code calls, which NVRTC does not take, and hipCUB's.
CUB = {
    "cub/util_type.cuh": """
        cub/device/device_adjacent_difference.cuh cub/device/device_batched_topk.cuh cub/device/device_copy.cuh
        cub/device/device_find.cuh cub/device/device_for.cuh cub/device/device_histogram.cuh
        cub/device/device_memcpy.cuh cub/device/device_merge.cuh cub/device/device_merge_sort.cuh
        cub/device/device_partition.cuh cub/device/device_radix_sort.cuh cub/device/device_reduce.cuh
        cub/device/device_run_length_encode.cuh cub/device/device_scan.cuh cub/device/device_segmented_radix_sort.cuh
        cub/device/device_segmented_reduce.cuh cub/device/device_segmented_sort.cuh cub/device/device_select.cuh
        cub/device/device_spmv.cuh cub/device/device_topk.cuh cub/device/device_transform.cuh cub/util_allocator.cuh
    """,
    "hipcub/hipcub.hpp": HIPCUB,
}
# thrust's headers of algorithms, for the device side of a program whose host code calls them.
THRUST = """
    thrust/addressof.h thrust/adjacent_difference.h thrust/advance.h thrust/allocate_unique.h
    thrust/binary_search.h thrust/copy.h thrust/count.h thrust/device_allocator.h thrust/device_delete.h
    thrust/device_free.h thrust/device_make_unique.h thrust/device_malloc.h thrust/device_malloc_allocator.h
    thrust/device_new.h thrust/device_new_allocator.h thrust/device_reference.h thrust/device_vector.h
    thrust/distance.h thrust/equal.h thrust/execution_policy.h thrust/extrema.h thrust/fill.h thrust/find.h
    thrust/for_each.h thrust/gather.h thrust/generate.h thrust/host_vector.h thrust/inner_product.h
    thrust/logical.h thrust/memory.h thrust/merge.h thrust/mismatch.h thrust/partition.h
    thrust/per_device_resource.h thrust/reduce.h thrust/remove.h thrust/replace.h thrust/reverse.h thrust/scan.h
    thrust/scatter.h thrust/sequence.h thrust/set_operations.h thrust/shuffle.h thrust/sort.h thrust/swap.h
    thrust/system_error.h thrust/tabulate.h thrust/transform.h thrust/transform_reduce.h thrust/transform_scan.h
    thrust/uninitialized_copy.h thrust/uninitialized_fill.h thrust/unique.h thrust/universal_allocator.h
    thrust/universal_ptr.h thrust/universal_vector.h thrust/zip_function.h thrust/iterator/constant_iterator.h
    thrust/iterator/counting_iterator.h thrust/iterator/discard_iterator.h thrust/iterator/iterator_adaptor.h
    thrust/iterator/iterator_categories.h thrust/iterator/iterator_facade.h thrust/iterator/iterator_traits.h
    thrust/iterator/iterator_traversal_tags.h thrust/iterator/offset_iterator.h
    thrust/iterator/permutation_iterator.h thrust/iterator/retag.h thrust/iterator/reverse_iterator.h
    thrust/iterator/shuffle_iterator.h thrust/iterator/strided_iterator.h
    thrust/iterator/tabulate_output_iterator.h thrust/iterator/transform_input_output_iterator.h
    thrust/iterator/transform_iterator.h thrust/iterator/transform_output_iterator.h
    thrust/iterator/zip_iterator.h thrust/mr/allocator.h thrust/mr/device_memory_resource.h
    thrust/mr/disjoint_pool.h thrust/mr/disjoint_sync_pool.h thrust/mr/disjoint_tls_pool.h
    thrust/mr/fancy_pointer_resource.h thrust/mr/host_memory_resource.h thrust/mr/memory_resource.h
    thrust/mr/new.h thrust/mr/polymorphic_adaptor.h thrust/mr/pool.h thrust/mr/pool_options.h
    thrust/mr/sync_pool.h thrust/mr/tls_pool.h thrust/mr/universal_memory_resource.h thrust/mr/validator.h
    thrust/system/error_code.h thrust/system/system_error.h thrust/system/cuda/config.h
    thrust/system/cuda/error.h thrust/system/cuda/execution_policy.h thrust/system/cuda/memory.h
    thrust/system/cuda/memory_resource.h thrust/system/cuda/pointer.h thrust/system/cuda/vector.h
    thrust/system/cpp/execution_policy.h thrust/system/cpp/memory.h thrust/system/cpp/memory_resource.h
    thrust/system/cpp/pointer.h thrust/system/cpp/vector.h thrust/system/omp/execution_policy.h
    thrust/system/omp/memory.h thrust/system/omp/memory_resource.h thrust/system/omp/pointer.h
    thrust/system/omp/vector.h thrust/system/cuda/experimental/pinned_allocator.h thrust/system/hip/error.h
    thrust/system/hip/execution_policy.h thrust/system/hip/memory.h thrust/system/hip/vector.h
"""
# libcu++'s headers, where that is here.
LIBCUXX = """
    atomic barrier bit bitset charconv chrono concepts expected iterator latch mdspan memory optional ranges ratio
    semaphore span string_view variant
"""


def texts() -> dict[str, str]:
    """Give the text of each header, by its path: first the folder.

    The folders are ``clang``, ``rtc``, ``libraries``, ``nvidia``, ``thrust`` and ``thrust_device``.
    """
    headers = dict([*_clang(), *_rtc(), *_forwarding("libraries", LIBRARIES), *_forwarding("nvidia", CUB)])
    # In front of NVIDIA's CUB, where host code includes NVIDIA's thrust.
    headers |= dict(_forwarding("thrust", {_CUB: CLANG[_CUB]}))
    headers |= dict(_forwarding("thrust_device", {"launchpath/thrust_names.h": THRUST}))
    with open(_CONSTANTS, encoding="utf-8") as file:
        constants = file.read().replace("CUDART_", "HIP_")
    return headers | {f"{folder}/hip/hip_math_constants.h": constants for folder in ("clang", "rtc")}


def write(folder: str) -> None:
    """Let a folder hold the headers and nothing else. Where it does already, no file is touched.

    The cache's keys depend on when the folders were written, see `header_folders.identity`.
    """
    headers = texts()
    if _held(folder) == headers:
        return
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in headers.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def _clang() -> Iterator[tuple[str, str]]:
    yield from _forwarding("clang", CLANG)
    for name in CUDA_STD.split():
        yield f"clang/cuda/std/{name}", FIRST + _including(name, "launchpath/cuda/std.h")


def _rtc() -> Iterator[tuple[str, str]]:
    yield from _forwarding("rtc", RTC)
    for name in LIBCUXX.split():
        theirs = f"cuda/std/{name}"
        included = _including(theirs, "launchpath/cpp_library/libcuxx.h")
        yield f"rtc/{name}", f"{FIRST}#if __has_include(<{theirs}>)\n{included}#endif\n"


def _forwarding(folder: str, table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for included, names in table.items():
        for name in names.split():
            yield f"{folder}/{name}", FIRST + _including(*included.split())


def _including(*names: str) -> str:
    return "".join(f"#include <{name}>\n" for name in names)


def _held(folder: str) -> dict[str, str]:
    held = {}
    for where, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(where, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                held[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return held
