# The CUDA and HIP libraries: one set of functions, found at run time under the names of either.

cdef struct gpu_device

cdef struct gpu_library:
    gpu_functions call
    const gpu_names *names     # of the functions, in this library
    const driver_table *table
    bint hip                   # which of the two
    bint loaded
    int version                # CUDA: 1000 * major + 10 * minor; HIP: 10,000,000 * major + 100,000 * minor + patch
    void *legacy_stream
    size_t launch_end          # what ends `extra` of a launch
    gpu_device *devices
    lp_lock hold_lock          # guards what follows, see driver/gpu/queue/unheld.pxi
    lp_condition unheld_ended
    uint64_t holds             # user events that the host has not set
    uint64_t unheld            # periods
    uint64_t unheld_wanted

cdef gpu_library cuda_library
cdef gpu_library hip_library
cdef dict gpu_paths = {}       # driver -> path of its library

from launchpath.errors import DriverError, LibraryError


cdef enum:
    GPU_LACKING = -100010      # the library is too old to have a function; `lp_here.failed_call` names it


cdef inline int gpu_fail(const char *call, int code) noexcept nogil:
    lp_here.failed_call = call
    return code


def gpu_load(str driver not None, str path not None):
    """Load the library of "cuda" or "hip" at `path` and find its functions; raises `LibraryError`."""
    cdef gpu_library *library = &hip_library if driver == "hip" else &cuda_library
    cdef gpu_functions *call = &library.call
    cdef void **functions = <void **>call
    cdef const char **names
    cdef list missing = []
    cdef void *handle
    cdef size_t i
    cdef int code
    if library.loaded:
        if path != gpu_paths[driver]:
            raise NotLoadedError(f"cannot load {path}: this process already uses {gpu_paths[driver]}")
        return
    lp_lock_init(&library.hold_lock)
    lp_condition_init(&library.unheld_ended)
    handle = open_library(path)
    library.hip = driver == "hip"
    library.names = &gpu_hip_names if library.hip else &gpu_cuda_names
    names = <const char **>library.names
    for i in range(GPU_N_FUNCTIONS):
        functions[i] = lp_library_find(handle, names[i]) if names[i][0] else NULL
        if functions[i] == NULL and names[i][0] and gpu_needed[i]:
            missing.append(names[i].decode())
    call.hip_error_name = NULL
    if library.hip:
        (<void **>&call.hip_error_name)[0] = lp_library_find(handle, b"hipGetErrorName")
    if call.init == NULL or call.count == NULL:
        raise LibraryError(f"expected a {driver.upper()} driver library, got {path}, which lacks its functions")
    if missing:
        raise LibraryError(f"{path} is too old: it lacks {', '.join(missing)}. Update the driver")
    code = call.init(0)
    if code:
        failed = f"{'hipInit' if library.hip else 'cuInit'}: {gpu_code_name(library, code)} ({code})"
        # Debian's HIP library gives 101 on machines without an AMD GPU.
        if code == GPU_ERROR_NO_DEVICE or code == 101:
            raise LibraryError(f"{path} finds no {'AMD' if library.hip else 'NVIDIA'} GPU ({failed})")
        raise LibraryError(f"{path}: {failed}")
    call.version(&library.version)
    library.legacy_stream = <void *>HIP_STREAM_LEGACY if library.hip else <void *>CUDA_STREAM_LEGACY
    library.launch_end = HIP_LAUNCH_END if library.hip else CUDA_LAUNCH_END
    library.table = &hip_table if library.hip else &cuda_table
    gpu_paths[driver] = path
    library.loaded = True
    lp_watch_forks()


cdef str gpu_code_name(gpu_library *library, int code):
    cdef const char *name = gpu_name_of(library, code)
    return name.decode() if name != NULL else "unknown error"


cdef const char *gpu_name_of(gpu_library *library, int code) noexcept nogil:
    cdef const char *name = NULL
    if code == GPU_LACKING:
        return b"function not in this library"
    if library.hip:
        return library.call.hip_error_name(code) if library.call.hip_error_name != NULL else NULL
    if library.call.error_name == NULL or library.call.error_name(code, &name):
        return NULL
    return name
