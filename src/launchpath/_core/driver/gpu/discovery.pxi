# Discovery: the devices of a loaded library.

cdef list gpu_present = []             # once per process and library: a device has one primary context


def gpu_devices(str driver not None, bint stream_ordered, workarounds not None, str without="",
                str early_triggers="steps"):
    """Return the devices of a loaded library ("cuda" or "hip"), and ``(name, reason)`` of what was left out.

    `without` is why there are to be no dependent launches; empty: there may be. `early_triggers` says which kernels let the
    next one start at once: ``all``, those of frozen ``steps``, or none (empty)."""
    cdef gpu_library *library = &hip_library if driver == "hip" else &cuda_library
    cdef int n = 0, i, code
    cdef list devices = [device for device in gpu_present if device.info["driver"] == driver]
    cdef list skipped = []
    if devices:
        return devices, skipped
    with nogil:
        code = library.call.count(&n)
    if code == GPU_ERROR_NO_DEVICE or code == 0 and n == 0:
        return [], [(driver.upper(), f"{gpu_paths[driver]} finds no device")]
    if code:
        raise LibraryError(f"{gpu_paths[driver]}: {gpu_code_name(library, code)} ({code})")
    for i in range(n):
        try:
            devices.append(gpu_describe(library, driver, i, stream_ordered, workarounds, without, early_triggers))
        except DriverError as error:
            skipped.append((f"{driver.upper()} device {i}", str(error)))
    gpu_present.extend(devices)
    return devices, skipped


cdef struct gpu_attributes:            # the numbers of device attributes, which differ by library
    int major, minor, max_threads, block_x, grid_x, shared, shared_optin, units, warp, cooperative, pools, managed, concurrent

cdef gpu_attributes cuda_attributes, hip_attributes
cuda_attributes = gpu_attributes(
    major=CUDA_CAPABILITY_MAJOR, minor=CUDA_CAPABILITY_MINOR, max_threads=CUDA_MAX_THREADS_PER_BLOCK,
    block_x=CUDA_MAX_BLOCK_X, grid_x=CUDA_MAX_GRID_X, shared=CUDA_MAX_SHARED_PER_BLOCK,
    shared_optin=CUDA_MAX_SHARED_PER_BLOCK_OPTIN, units=CUDA_MULTIPROCESSORS, warp=CUDA_WARP_SIZE,
    cooperative=CUDA_COOPERATIVE_LAUNCH, pools=CUDA_MEMORY_POOLS, managed=CUDA_MANAGED_MEMORY,
    concurrent=CUDA_CONCURRENT_MANAGED_ACCESS)
hip_attributes = gpu_attributes(
    major=HIP_CAPABILITY_MAJOR, minor=HIP_CAPABILITY_MINOR, max_threads=HIP_MAX_THREADS_PER_BLOCK,
    block_x=HIP_MAX_BLOCK_X, grid_x=HIP_MAX_GRID_X, shared=HIP_MAX_SHARED_PER_BLOCK,
    shared_optin=HIP_MAX_SHARED_PER_BLOCK_OPTIN, units=HIP_MULTIPROCESSORS, warp=HIP_WARP_SIZE,
    cooperative=HIP_COOPERATIVE_LAUNCH, pools=HIP_MEMORY_POOLS, managed=HIP_MANAGED_MEMORY,
    concurrent=HIP_CONCURRENT_MANAGED_ACCESS)


cdef GPUDevice gpu_describe(gpu_library *library, str driver, int ordinal, bint stream_ordered, object workarounds,
                            str without, str early_triggers):
    """Make the device; raises `DriverError` if the library does not say what it is."""
    cdef GPUDevice driver_device = GPUDevice.__new__(GPUDevice)
    cdef gpu_device *device = <gpu_device *>calloc(1, sizeof(gpu_device))
    cdef gpu_attributes *ask = &hip_attributes if library.hip else &cuda_attributes
    if device == NULL:
        raise MemoryError
    lp_lock_init(&device.opening)
    lp_lock_init(&device.lock)
    lp_lock_init(&device.clock_lock)
    device.library, device.ordinal = library, ordinal
    driver_device.device, driver_device.handle, driver_device.table = device, device, library.table
    driver_device.context = library    # events of one device can be waited for on another: one context to the core
    driver_device.native = driver_device.stages = driver_device.unloads = True
    gpu_check(library, library.names.device, library.call.device(&device.id, ordinal))
    gpu_check(library, library.names.memory, library.call.memory(&device.total_memory, device.id))
    device.stream_ordered = stream_ordered and gpu_number(device, ask.pools)
    device.wait_values = gpu_waits_for_words(device)
    driver_device.managed_lacks = gpu_managed_lacks(device, ask)
    driver_device.managed_concurrent = gpu_number(device, ask.concurrent) != 0
    driver_device.info = gpu_identity(device, driver, ask)
    driver_device.info.update(gpu_limits(device, ask))
    driver_device.dependent_lacks = without or gpu_dependent_lacks(device, ask)
    device.dependent = not driver_device.dependent_lacks
    device.trigger_threads = ~<uint64_t>0
    if early_triggers and device.dependent:  # half of what runs at once: the next kernel's blocks fit beside this one's
        device.early_threads = gpu_number(device, ask.units) * gpu_number(device, CUDA_MAX_THREADS_PER_MULTIPROCESSOR) // 2
        driver_device.info["early_trigger_threads"] = device.early_threads
        driver_device.info["early_triggers"] = early_triggers
        if early_triggers == "all":
            device.trigger_threads, device.early_threads = device.early_threads, 0
    in_force = workarounds(driver_device.info["platform"], "gpu")
    driver_device.info["workarounds"] = tuple(sorted(in_force))
    driver_device.loads_unheld = "load-unheld" in in_force
    driver_device.traits["foreign_streams"], driver_device.traits["dlpack"] = True, DL_ROCM if library.hip else DL_CUDA
    if not library.hip:
        driver_device.traits |= {"dlpack_managed": DL_CUDA_MANAGED, "profiler": "cupti", "keeps_local_memory": True}
    device.next, library.devices = library.devices, device
    return driver_device


cdef dict gpu_identity(gpu_device *device, str driver, const gpu_attributes *ask):
    """What the device is."""
    cdef gpu_library *library = device.library
    cdef char name[256]
    cdef char bus[256]
    memset(name, 0, sizeof(name))
    memset(bus, 0, sizeof(bus))
    gpu_check(library, library.names.name, library.call.name(name, sizeof(name), device.id))
    if library.call.bus != NULL:
        library.call.bus(bus, sizeof(bus), device.id)
    version = ".".join(map(str, gpu_version(library)))
    architecture = (gpu_architecture(device) if library.hip else
                    f"sm_{gpu_number(device, ask.major)}{gpu_number(device, ask.minor)}")
    return {
        "name": name.decode(errors="replace").strip(),
        "vendor": "Advanced Micro Devices, Inc." if library.hip else "NVIDIA Corporation",
        "platform": "HIP" if library.hip else "CUDA",
        "version": version,
        "driver_version": version,
        "driver": driver,
        "library": gpu_paths[driver],
        "kind": "gpu",
        "ordinal": device.ordinal,
        "pci_bus": bus.decode(errors="replace"),
        "architecture": architecture,
        # HIP on NVIDIA's platform takes what NVRTC makes, as HIP's own headers have it there.
        "dialect": "cuda" if architecture.startswith("sm_") else driver,
    }


cdef dict gpu_limits(gpu_device *device, const gpu_attributes *ask):
    """How much of what it has, and what it can do."""
    cdef gpu_library *library = device.library
    shared = gpu_number(device, ask.shared)
    long_arguments = not library.hip and gpu_number(device, ask.major) >= 7 and library.version >= 12010
    return {
        "compute_units": gpu_number(device, ask.units),
        "warp_size": gpu_number(device, ask.warp),
        "max_threads_per_block": gpu_number(device, ask.max_threads),
        "max_block": tuple([gpu_number(device, ask.block_x + i) for i in range(3)]),
        "max_grid": tuple([gpu_number(device, ask.grid_x + i) for i in range(3)]),
        "shared_memory_per_block": shared,
        "shared_memory_optin": max(shared, gpu_number(device, ask.shared_optin)),
        "parameter_bytes": 32764 if long_arguments else 4096,
        "total_memory": device.total_memory,
        "max_allocation": device.total_memory,
        # Asking would open the device, and the libraries move what lies outside to the ends of their own range.
        "priorities": (1, -1) if library.hip else (0, -5),
        "cooperative": bool(gpu_number(device, ask.cooperative)),
        "stream_ordered": bool(device.stream_ordered),
        "generic_address_space": True,
        "memory": "device",
        "spirv": False,
        "extensions": [],
    }


cdef bint gpu_waits_for_words(gpu_device *device) except? -1:
    """Whether streams can wait for words of memory."""
    if device.library.hip:
        return device.library.call.hip_wait_value != NULL and gpu_number(device, HIP_WAIT_VALUE) != 0
    return device.library.call.wait_value != NULL


cdef str gpu_dependent_lacks(gpu_device *device, const gpu_attributes *ask):
    """What dependent launches need and is not there; empty: nothing."""
    cdef gpu_library *library = device.library
    if library.hip:
        return "HIP has no dependent launches"
    major, minor = gpu_number(device, ask.major), gpu_number(device, ask.minor)
    if major < 9:
        return f"its compute capability is {major}.{minor}, dependent launches need 9.0"
    if library.call.launch_dependent == NULL:
        return f"{gpu_paths['cuda']} has no {library.names.launch_dependent.decode()}"
    if library.call.graph_add_edge == NULL:
        lp_swap_if(&device.limited, DEPENDENT_ALL, DEPENDENT_NO_EDGES)
    return ""


cdef str gpu_managed_lacks(gpu_device *device, const gpu_attributes *ask):
    """What managed memory needs and is not there; empty: nothing."""
    cdef gpu_library *library = device.library
    if library.call.managed_allocate == NULL:
        return f"{gpu_paths['hip' if library.hip else 'cuda']} has no {library.names.managed_allocate.decode()}"
    if not gpu_number(device, ask.managed):
        name = "hipDeviceAttributeManagedMemory" if library.hip else "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY"
        return f"its attribute {name} is 0"
    return ""


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
