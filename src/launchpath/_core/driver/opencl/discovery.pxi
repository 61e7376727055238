# Discovery: which devices there are, what they can do, and why others were left out.

from sys import byteorder as _opencl_byteorder

# Once per process: a device has one context, and its objects are compared by it.
cdef list opencl_present = None
cdef list opencl_skipped = None


def opencl_devices(workarounds not None):
    """Return the usable devices of the loaded library, and ``(name, reason)`` of what was left out.

    Parameters
    ----------
    workarounds : callable
        Gives the names of the workarounds in force for a platform's name and a kind of device.
    """
    global opencl_present, opencl_skipped
    if opencl_library == NULL:
        raise LibraryError("expected a loaded OpenCL library, got none: call opencl_load first")
    if opencl_present is None:
        devices, skipped = opencl_discover(workarounds)
        if opencl_present is None:
            opencl_present, opencl_skipped = devices, skipped
    return list(opencl_present), list(opencl_skipped)


cdef tuple opencl_discover(object workarounds):
    cdef uint32_t n = 0
    cdef int32_t code
    cdef void *platforms[64]
    cdef void *ids[256]
    cdef uint32_t i, j, n_ids
    cdef list devices = [], skipped = [], here, left
    cdef set seen = set()
    with nogil:
        code = cl_api.clGetPlatformIDs(64, platforms, &n)
    if code == CL_PLATFORM_NOT_FOUND_KHR or (code == 0 and n == 0):
        return devices, [("OpenCL", f"{opencl_library_path} finds no platform: install the OpenCL driver of a device")]
    if code != 0:
        return devices, [("OpenCL", str(opencl_error("clGetPlatformIDs", code)))]
    for i in range(min(n, <uint32_t>64)):
        name = f"OpenCL platform {i}"
        try:
            name = opencl_text(opencl_platform_bytes(platforms[i], CL_PLATFORM_NAME))
            version = opencl_text(opencl_platform_bytes(platforms[i], CL_PLATFORM_VERSION))
            if opencl_version(version) < (2, 0):
                skipped.append((name, f"expected OpenCL 2.0 or later, got {version}"))
                continue
            n_ids = 0
            with nogil:
                code = cl_api.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 256, ids, &n_ids)
            if code != 0:
                skipped.append((name, str(opencl_error("clGetDeviceIDs", code))))
                continue
        except DriverError as error:
            skipped.append((name, str(error)))
            continue
        here, left = [], []
        for j in range(min(n_ids, <uint32_t>256)):
            try:
                here.append(opencl_describe(platforms[i], ids[j], name, workarounds))
            except (DriverError, LibraryError) as error:
                left.append((opencl_name_device(ids[j], name), str(error)))
        # A runtime may be installed twice, in the system and in the environment.
        identity = (name, version, tuple([(device.info["name"], device.info["driver_version"]) for device in here]))
        if here and identity in seen:
            skipped.append((name, "the same driver is listed twice"))
            continue
        seen.add(identity)
        devices += here
        skipped += left
    return devices, skipped


cdef str opencl_name_device(void *id, str platform):
    try:
        return opencl_text(opencl_device_bytes(id, CL_DEVICE_NAME)) or platform
    except DriverError:
        return platform


def opencl_version(str text not None):
    """Parse ``"OpenCL 3.0 CUDA"`` and the like; ``(0, 0)`` if it is something else."""
    for word in text.split():
        major, dot, minor = word.partition(".")
        if dot and major.isdecimal() and minor.isdecimal():
            return int(major), int(minor)
    return 0, 0


cdef OpenCLDevice opencl_describe(void *platform, void *id, str platform_name, object workarounds):
    """Make the device, or raise `LibraryError` with the reason why it cannot be used."""
    cdef OpenCLDevice driver_device = OpenCLDevice.__new__(OpenCLDevice)
    cdef opencl_device *device = <opencl_device *>calloc(1, sizeof(opencl_device))
    if device == NULL:
        raise MemoryError()
    lp_lock_init(&device.context_lock)
    lp_lock_init(&device.lock)
    driver_device.device = device
    driver_device.table = &opencl_table
    driver_device.handle = device
    driver_device.context = device     # one context per device: the device stands for it, made or not
    device.id = id
    device.platform = platform
    extensions = opencl_text(opencl_device_bytes(id, CL_DEVICE_EXTENSIONS)).split()
    version = opencl_text(opencl_device_bytes(id, CL_DEVICE_VERSION))
    kind = opencl_kind(id)
    opencl_choose_memory(device, extensions, kind == "cpu")
    opencl_check(device, version)
    driver_device.info = opencl_identity(id, platform_name, version, kind)
    driver_device.info.update(opencl_limits(device))
    in_force = workarounds(platform_name, kind)
    spirv = bool(opencl_text(opencl_device_bytes(id, CL_DEVICE_IL_VERSION)))
    generic = opencl_is_generic(id, version) or "assume-generic-addresses" in in_force
    driver_device.info |= {
        "dialect": opencl_dialect(spirv, generic, "prefer-opencl-c" in in_force),
        "generic_address_space": generic,
        "memory": opencl_memory_kind(device),
        "spirv": spirv,
        "extensions": extensions,
        "workarounds": tuple(sorted(in_force)),
    }
    device.priority_hints = "cl_khr_priority_hints" in extensions
    device.amd_free_memory = "cl_amd_device_attribute_query" in extensions
    device.block_limit = driver_device.info["max_threads_per_block"] if "block-limit-of-device" in in_force else 0
    device.profiling = 0 if "no-profiling" in in_force else CL_QUEUE_PROFILING_ENABLE
    device.failing_is_unsafe = "complete-failed-events" in in_force
    driver_device.info["priorities"] = (1, -1) if device.priority_hints else (0, 0)
    driver_device.host_accessible, driver_device.traits["runs_on_host"] = device.host_accessible, kind == "cpu"
    driver_device.managed_lacks = opencl_managed_lacks(device)
    driver_device.managed_concurrent = (
        kind == "cpu" or not device.usm
        or (device.usm_shared & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL) != 0)
    driver_device.flush_each = "starts-at-enqueue" not in in_force
    driver_device.languages = opencl_c_versions(id)
    driver_device.has_il = spirv and cl_api.clCreateProgramWithIL != NULL
    can_round = opencl_number(id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
    driver_device.rounded = OPENCL_ROUNDED if can_round else ""
    return driver_device


cdef dict opencl_identity(void *id, str platform_name, str version, str kind):
    """What the device is."""
    return {
        "name": opencl_text(opencl_device_bytes(id, CL_DEVICE_NAME)),
        "vendor": opencl_text(opencl_device_bytes(id, CL_DEVICE_VENDOR)),
        "platform": platform_name,
        "version": version,
        "driver_version": opencl_text(opencl_device_bytes(id, CL_DRIVER_VERSION)),
        "driver": "opencl",
        "library": opencl_library_path,
        "kind": kind,
    }


cdef dict opencl_limits(opencl_device *device):
    """How much of what it has."""
    cdef void *id = device.id
    device.total_memory = opencl_number(id, CL_DEVICE_GLOBAL_MEM_SIZE)
    device.parameter_bytes = opencl_number(id, CL_DEVICE_MAX_PARAMETER_SIZE)
    device.shared_memory = opencl_number(id, CL_DEVICE_LOCAL_MEM_SIZE)
    sizes = opencl_device_bytes(id, CL_DEVICE_MAX_WORK_ITEM_SIZES)
    return {
        "compute_units": opencl_number(id, CL_DEVICE_MAX_COMPUTE_UNITS),
        "max_threads_per_block": opencl_number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE),
        "max_block": tuple([int.from_bytes(sizes[at:at + sizeof(size_t)], _opencl_byteorder)
                            for at in range(0, 3 * sizeof(size_t), sizeof(size_t))]),
        "max_grid": (2**31 - 1,) * 3,  # OpenCL has no limit of its own below the address size; this is HIP's int
        "shared_memory_per_block": device.shared_memory,
        "parameter_bytes": device.parameter_bytes,
        "total_memory": device.total_memory,
        "max_allocation": opencl_number(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    }


cdef str opencl_kind(void *id):
    kinds = opencl_number(id, CL_DEVICE_TYPE)
    return "cpu" if kinds & CL_DEVICE_TYPE_CPU else "gpu" if kinds & CL_DEVICE_TYPE_GPU else "accelerator"


cdef bint opencl_is_generic(void *id, str version) except -1:
    """Whether the device says that it has a generic address space: part of OpenCL 2, an option of OpenCL 3."""
    if opencl_number(id, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT):
        return True
    return (2, 0) <= opencl_version(version) < (3, 0)


cdef str opencl_memory_kind(opencl_device *device):
    if device.usm:
        return "usm"
    return "svm-fine" if device.svm_flags & CL_MEM_SVM_FINE_GRAIN_BUFFER else "svm-coarse"


cdef int opencl_check(opencl_device *device, str version) except -1:
    if opencl_version(version) < (2, 0):
        raise LibraryError(f"expected OpenCL 2.0 or later, got {version}")
    if not opencl_number(device.id, CL_DEVICE_AVAILABLE):
        raise LibraryError("its driver reports that the device is not available")
    if not opencl_number(device.id, CL_DEVICE_COMPILER_AVAILABLE):
        raise LibraryError("expected a device with a compiler, got a device without")
    bits = opencl_number(device.id, CL_DEVICE_ADDRESS_BITS)
    if bits != 8 * sizeof(void *):
        raise LibraryError(f"expected addresses of {8 * sizeof(void *)} bits, as on the host, got {bits}")
    if not device.usm and device.svm_flags == 0:
        raise LibraryError("expected shared virtual memory or cl_intel_unified_shared_memory, got neither")
    return 0


cdef list opencl_c_versions(void *id):
    """The newest OpenCL C of the device, and what to try if its compiler refuses that."""
    entry = 4 + 64                     # cl_name_version
    table = opencl_device_bytes(id, CL_DEVICE_OPENCL_C_ALL_VERSIONS)
    encoded = [int.from_bytes(table[at:at + 4], _opencl_byteorder) for at in range(0, len(table), entry)]
    versions = {(number >> 22, number >> 12 & 0x3FF) for number in encoded}
    versions.add(opencl_version(opencl_text(opencl_device_bytes(id, CL_DEVICE_OPENCL_C_VERSION))))
    return [name for version, name in (((3, 0), "CL3.0"), ((2, 0), "CL2.0"), ((1, 2), "CL1.2")) if version in versions]


cdef int opencl_choose_memory(opencl_device *device, list extensions, bint cpu) except -1:
    cdef uint64_t svm = opencl_number(device.id, CL_DEVICE_SVM_CAPABILITIES)
    cdef list missing = []
    if svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER:
        device.svm_flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER
        if svm & CL_DEVICE_SVM_ATOMICS:
            device.svm_flags |= CL_MEM_SVM_ATOMICS
    elif svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER:
        device.svm_flags = CL_MEM_READ_WRITE
    device.host_accessible = cpu and (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0
    wanted = CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL if cpu else CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL
    if "cl_intel_unified_shared_memory" not in extensions:
        return 0
    if not opencl_number(device.id, wanted) & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL:
        return 0
    (<void **>&device.clHostMemAllocINTEL)[0] = opencl_extension(device, "clHostMemAllocINTEL", missing)
    (<void **>&device.clDeviceMemAllocINTEL)[0] = opencl_extension(device, "clDeviceMemAllocINTEL", missing)
    (<void **>&device.clSharedMemAllocINTEL)[0] = opencl_extension(device, "clSharedMemAllocINTEL", missing)
    (<void **>&device.clMemFreeINTEL)[0] = opencl_extension(device, "clMemFreeINTEL", missing)
    (<void **>&device.clEnqueueMemcpyINTEL)[0] = opencl_extension(device, "clEnqueueMemcpyINTEL", missing)
    (<void **>&device.clSetKernelArgMemPointerINTEL)[0] = opencl_extension(device, "clSetKernelArgMemPointerINTEL",
                                                                           missing)
    (<void **>&device.clEnqueueMemFillINTEL)[0] = opencl_extension(device, "clEnqueueMemFillINTEL", missing)
    if missing:
        return 0
    device.usm = True
    device.usm_shared = opencl_number(device.id, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL)
    device.usm_host = (opencl_number(device.id, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL)
                       & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0
    device.host_accessible = cpu
    return 0


cdef str opencl_managed_lacks(opencl_device *device):
    """What memory that host and device reach needs and is not there; empty: nothing."""
    if device.usm:
        if device.usm_shared & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL:
            return ""
        return "its cl_intel_unified_shared_memory has no shared allocations"
    if device.svm_flags & CL_MEM_SVM_FINE_GRAIN_BUFFER:
        return ""
    return "it has neither cl_intel_unified_shared_memory nor fine-grained shared virtual memory"


cdef void *opencl_extension(opencl_device *device, const char *name, list missing):
    cdef void *function = cl_api.clGetExtensionFunctionAddressForPlatform(device.platform, name)
    if function == NULL:
        missing.append(name.decode())
    return function
