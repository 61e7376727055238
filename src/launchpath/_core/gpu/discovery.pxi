# Discovery: the devices of a loaded library.

cdef list gpu_found = []               # once per process and library: a device has one primary context


def gpu_devices(str driver not None, bint stream_ordered=True):
    """Return the devices of a loaded library ("cuda" or "hip"), and ``(name, reason)`` of what was left out."""
    cdef gpu_library *library = &hip_library if driver == "hip" else &cuda_library
    cdef int n = 0, i, code
    cdef list found = [device for device in gpu_found if device.info["driver"] == driver]
    cdef list skipped = []
    if found:
        return found, skipped
    with nogil:
        code = library.call.count(&n)
    if code == GPU_ERROR_NO_DEVICE or code == 0 and n == 0:
        return [], [(driver.upper(), f"{gpu_paths[driver]} finds no device")]
    if code:
        raise LibraryError(f"{gpu_paths[driver]}: {gpu_code_name(library, code)} ({code})")
    for i in range(n):
        try:
            found.append(gpu_describe(library, driver, i, stream_ordered))
        except DriverError as error:
            skipped.append((f"{driver.upper()} device {i}", str(error)))
    gpu_found.extend(found)
    return found, skipped


cdef GPUDevice gpu_describe(gpu_library *library, str driver, int ordinal, bint stream_ordered):
    cdef GPUDevice made = GPUDevice.__new__(GPUDevice)
    cdef gpu_device *device = <gpu_device *>calloc(1, sizeof(gpu_device))
    cdef char text[256]
    cdef int code
    cdef bint hip = library.hip
    if device == NULL:
        raise MemoryError
    lp_lock_init(&device.opening)
    lp_lock_init(&device.lock)
    device.library, device.ordinal = library, ordinal
    made.device, made.handle, made.table = device, device, library.table
    made.context = library             # events of one device can be waited for on another: one context to the core
    made.native = made.stages = True
    gpu_check(library, library.names.device, library.call.device(&device.id, ordinal))
    memset(text, 0, sizeof(text))
    gpu_check(library, library.names.name, library.call.name(text, sizeof(text), device.id))
    name = text.decode(errors="replace").strip()
    gpu_check(library, library.names.memory, library.call.memory(&device.total_memory, device.id))
    memset(text, 0, sizeof(text))
    if library.call.bus != NULL:
        library.call.bus(text, sizeof(text), device.id)
    bus = text.decode(errors="replace")
    major = gpu_number(device, HIP_CAPABILITY_MAJOR if hip else CUDA_CAPABILITY_MAJOR)
    minor = gpu_number(device, HIP_CAPABILITY_MINOR if hip else CUDA_CAPABILITY_MINOR)
    architecture = gpu_architecture(device) if hip else f"sm_{major}{minor}"
    version = ".".join(map(str, gpu_version(library)))
    block = HIP_MAX_BLOCK_X if hip else CUDA_MAX_BLOCK_X
    grid = HIP_MAX_GRID_X if hip else CUDA_MAX_GRID_X
    shared = gpu_number(device, HIP_MAX_SHARED_PER_BLOCK if hip else CUDA_MAX_SHARED_PER_BLOCK)
    optin = gpu_number(device, HIP_MAX_SHARED_PER_BLOCK_OPTIN if hip else CUDA_MAX_SHARED_PER_BLOCK_OPTIN)
    device.stream_ordered = stream_ordered and gpu_number(device, HIP_MEMORY_POOLS if hip else CUDA_MEMORY_POOLS)
    if hip:
        device.wait_values = library.call.hip_wait_value != NULL and gpu_number(device, HIP_WAIT_VALUE)
    else:
        device.wait_values = library.call.wait_value != NULL
    made.info = {
        "name": name,
        "vendor": "Advanced Micro Devices, Inc." if hip else "NVIDIA Corporation",
        "platform": "HIP" if hip else "CUDA",
        "version": version,
        "driver_version": version,
        "driver": driver,
        "library": gpu_paths[driver],
        "kind": "gpu",
        "ordinal": ordinal,
        "pci_bus": bus,
        "architecture": architecture,
        "compute_units": gpu_number(device, HIP_MULTIPROCESSORS if hip else CUDA_MULTIPROCESSORS),
        "warp_size": gpu_number(device, HIP_WARP_SIZE if hip else CUDA_WARP_SIZE),
        "max_threads_per_block": gpu_number(device, HIP_MAX_THREADS_PER_BLOCK if hip else CUDA_MAX_THREADS_PER_BLOCK),
        "max_block": tuple([gpu_number(device, block + i) for i in range(3)]),
        "max_grid": tuple([gpu_number(device, grid + i) for i in range(3)]),
        "shared_memory_per_block": shared,
        "shared_memory_optin": max(shared, optin),
        "parameter_bytes": 32764 if not hip and major >= 7 and library.version >= 12010 else 4096,
        "total_memory": device.total_memory,
        "max_allocation": device.total_memory,
        # Asking would open the device, and the libraries move what lies outside to the ends of their own range.
        "priorities": (1, -1) if hip else (0, -5),
        "cooperative": bool(gpu_number(device, HIP_COOPERATIVE_LAUNCH if hip else CUDA_COOPERATIVE_LAUNCH)),
        "stream_ordered": bool(device.stream_ordered),
        # HIP on NVIDIA's platform takes what NVRTC makes, as HIP's own headers have it there.
        "dialect": "cuda" if architecture.startswith("sm_") else driver,
        "generic_address_space": True,
        "memory": "device",
        "spirv": False,
        "extensions": [],
    }
    device.next, library.devices = library.devices, device
    return made


cdef int gpu_check(gpu_library *library, const char *call, int code) except -1:
    if code:
        raise DriverError(call.decode(), gpu_code_name(library, code), code, "")
    return 0


cdef int gpu_number(gpu_device *device, int what) except? -1:
    """An attribute; 0 if the library does not know it."""
    cdef int value = 0
    return value if device.library.call.attribute(&value, what, device.id) == 0 else 0


cdef tuple gpu_version(gpu_library *library):
    if library.hip:
        return library.version // 10000000, library.version // 100000 % 100, library.version % 100000
    return library.version // 1000, library.version % 1000 // 10


cdef str gpu_architecture(gpu_device *device):
    """``gfx90a:sramecc+:xnack-``, as HIP has it."""
    cdef char properties[4096]
    memset(properties, 0, sizeof(properties))
    if device.library.call.properties == NULL or device.library.call.properties(properties, device.ordinal):
        return "unknown"
    return (<const char *>properties + HIP_PROPERTIES_ARCHITECTURE).decode(errors="replace")
