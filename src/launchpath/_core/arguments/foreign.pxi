# Arrays of other libraries as arguments: torch and other libraries with DLPack's exchange API, CuPy, Numba, anything
# with `__cuda_array_interface__` or `__dlpack__`. Nothing is copied; the order with what their library still does is
# the caller's.

cdef void *exchange_type = NULL        # the type whose exchange API was used last, kept alive by `exchanges`
cdef dl_exchange *exchange_api = NULL
cdef bint exchange_tensor = False      # they are torch's, and read by its own C ABI
cdef dict exchanges = {}               # type -> address of its exchange API, 0 if it has none


cdef bint exchange_plain(PyObject *kernel, PyObject *value, const lp_parameter *parameter, void **at) noexcept:
    """Pack an array of `exchange_type` that is as it should be."""
    cdef dl_tensor tensor
    if likely(exchange_tensor):
        return tensor_plain(kernel, value, parameter, at)
    if exchange_api.tensor_from_object(value, &tensor):
        PyErr_Clear()
        return False
    if tensor.device_type != (<KernelBase>kernel).dl_type or tensor.device_id != (<KernelBase>kernel).dl_id or (
            not dl_contiguous(&tensor)):
        return False
    if parameter.dtype >= 0 and dl_dtype(&tensor) != parameter.dtype:
        return False
    at[0] = <char *>tensor.data + tensor.byte_offset
    return True


cdef int pack_foreign(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, void **at) except -1:
    """Pack an array of another library; 0 if it is none."""
    global exchange_type, exchange_api, exchange_tensor
    if isinstance(value, StagedBase):
        at[0] = (<StagedBase>value).stage_for(launcher, kernel, index)
        return 1
    cdef dl_tensor tensor
    cdef uintptr_t api = find_exchange(type(value))
    cdef bint is_torchs = is_tensor(value)
    if api or is_torchs:
        exchange_type, exchange_api, exchange_tensor = <void *>Py_TYPE(value), <dl_exchange *>api, is_torchs
    if is_torchs:
        check_tensor(kernel, index, value)
        if is_strided(<PyObject *>value) and tensor_plain(
                <PyObject *>kernel, <PyObject *>value, &kernel.parameters[index], at):
            return 1
    if api:
        # Not `exchange_api`: what ran since may have launched with arrays of another library.
        if (<dl_exchange *>api).tensor_from_object(<void *>value, &tensor):
            return describe_failed(kernel, index, value)
        return pack_tensor(kernel, index, value, &tensor, at)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        try:
            return pack_interface(kernel, index, value, interface, at)
        except errors.LaunchpathError:
            raise
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise malformed_error(kernel, index, value, "__cuda_array_interface__", error) from error
    if (hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__")
            and not hasattr(value, "__array_interface__")):
        return pack_capsule(kernel, index, value, at)
    return 0


cdef uintptr_t find_exchange(type kind) except? 0:
    cdef dl_exchange *api
    known = exchanges.get(kind)
    if known is not None:
        return known
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    api = NULL
    if isinstance(capsule, int):
        api = <dl_exchange *><uintptr_t>capsule
    elif capsule is not None and PyCapsule_IsValid(capsule, b"dlpack_exchange_api"):
        api = <dl_exchange *>PyCapsule_GetPointer(capsule, b"dlpack_exchange_api")
    while api != NULL and api.version.major != 1:
        api = api.older
    if api != NULL and api.tensor_from_object == NULL:
        api = NULL
    exchanges[kind] = <uintptr_t>api
    return <uintptr_t>api


def current_foreign_stream(type kind not None, DeviceBase device not None):
    """The stream, as an int, that the library of an array type works on now; None if it does not tell."""
    cdef uintptr_t api = find_exchange(kind)
    cdef void *stream = NULL
    kind_of, number = dlpack_device(device)
    if not api or (<dl_exchange *>api).current_stream == NULL:
        return None
    if (<dl_exchange *>api).current_stream(kind_of, number, &stream):
        raise errors.LaunchpathError(f"{kind.__module__} does not report its current stream of {device.info['name']!r}")
    return <uintptr_t>stream


def dlpack_device(DeviceBase device not None):
    """(type, id) of a device in DLPack's terms; (0, 0) if it has none that other libraries could use."""
    return device.driver.traits.get("dlpack", 0), device.info.get("ordinal", 0)


cdef object malformed_error(KernelBase kernel, Py_ssize_t index, object value, str protocol, error):
    return errors.SignatureError(
        f"{kernel.where(index)}: {described_type(value)} does not describe its memory as {protocol} specifies "
        f"({type(error).__name__}: {error})")


cdef int describe_failed(KernelBase kernel, Py_ssize_t index, object value) except -1:
    PyErr_Clear()
    raise errors.SignatureError(
        f"{kernel.where(index)}: {described_type(value)} does not export its memory: it may be sparse, or have no memory")


cdef str described_type(value):
    return f"the {type(value).__module__.split('.')[0]} {type(value).__name__}"


cdef int pack_tensor(KernelBase kernel, Py_ssize_t index, object value, const dl_tensor *tensor, void **at) except -1:
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef int dtype = dl_dtype(tensor)
    if tensor.device_type != kernel.dl_type or tensor.device_id != kernel.dl_id:
        raise wrong_place(kernel, index, value, dl_place(tensor.device_type, tensor.device_id))
    if parameter.dtype >= 0 and dtype != parameter.dtype:
        elements = DTYPE_NAMES.get(dtype, f"{tensor.bits}-bit elements of DLPack's kind {tensor.code}")
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array of {DTYPE_NAMES[parameter.dtype]}, got {described_type(value)} of "
            f"{elements}: convert it to {DTYPE_NAMES[parameter.dtype]} first")
    if not dl_contiguous(tensor):
        raise not_contiguous(kernel, index, value, tuple([tensor.shape[i] for i in range(tensor.ndim)]),
                             tuple([tensor.strides[i] for i in range(tensor.ndim)]))
    at[0] = <char *>tensor.data + tensor.byte_offset
    return 1


cdef str dl_place(int device_type, int device_id):
    names = {DL_CPU: "host memory", DL_CUDA: f"CUDA device {device_id}", DL_ROCM: f"HIP device {device_id}",
             DL_CUDA_HOST: "pinned host memory", DL_ROCM_HOST: "pinned host memory",
             DL_CUDA_MANAGED: "CUDA's managed memory"}
    return names.get(device_type, f"device {device_id} of DLPack's kind {device_type}")


cdef object wrong_place(KernelBase kernel, Py_ssize_t index, object value, str place):
    info = kernel.device.info
    own = f"{info['platform']} device {info['ordinal']}, {info['name']!r}" if "ordinal" in info else repr(info["name"])
    return errors.ArgumentValueError(
        f"{kernel.where(index)}: {described_type(value)} is in {place}, the kernel runs on {own}: copy it there first")


cdef object not_contiguous(KernelBase kernel, Py_ssize_t index, object value, shape, strides):
    return errors.ArgumentValueError(
        f"{kernel.where(index)}: {described_type(value)} of shape {shape} has strides {strides}; expected a C-contiguous "
        "array: make it contiguous, or pass its address as launchpath.DevicePointer and the strides as ints")


cdef int pack_interface(KernelBase kernel, Py_ssize_t index, object value, interface, void **at) except -1:
    """``__cuda_array_interface__``, version 2 or 3."""
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef uintptr_t address
    import numpy
    address, read_only = interface["data"]
    shape, strides = interface["shape"], interface.get("strides")
    dtype = numpy.dtype(interface["typestr"])
    if kernel.dl_type == 0:
        raise wrong_place(kernel, index, value, "a CUDA or HIP device's memory")
    if interface.get("mask") is not None:
        raise errors.ArgumentValueError(
            f"{kernel.where(index)}: {described_type(value)} has a mask, which kernels cannot use: pass its data")
    if address:
        place = kernel.device.driver.device_of(address)
        if place != kernel.dl_id:
            raise wrong_place(kernel, index, value, "memory that the driver does not know" if place is None else
                              dl_place(kernel.dl_type, place))
    if parameter.dtype >= 0 and dtype_code(dtype.name) != parameter.dtype:
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array of {DTYPE_NAMES[parameter.dtype]}, got {described_type(value)} of {dtype}: "
            f"convert it to {DTYPE_NAMES[parameter.dtype]} first")
    if strides is not None:
        expected = dtype.itemsize
        for extent, stride in zip(reversed(shape), reversed(strides)):
            if 0 not in shape and extent != 1 and stride != expected:
                raise not_contiguous(kernel, index, value, tuple(shape), tuple(strides))
            expected *= extent
    if read_only and not kernel.signature.parameters[index].const:
        raise errors.ArgumentValueError(
            f"{kernel.where(index)}: {described_type(value)} is read-only, but the parameter is not const")
    at[0] = <void *>address
    return 1


cdef int pack_capsule(KernelBase kernel, Py_ssize_t index, object value, void **at) except -1:
    """``__dlpack__``. The description is given back at once: the caller holds the array."""
    cdef int kind, number
    try:
        kind, number = value.__dlpack_device__()
    except (OverflowError, TypeError, ValueError) as error:
        raise malformed_error(kernel, index, value, "__dlpack_device__", error) from error
    if kind != kernel.dl_type or number != kernel.dl_id:
        raise wrong_place(kernel, index, value, dl_place(kind, number))
    try:
        capsule = value.__dlpack__(stream=-1)          # -1: no waiting, that is the caller's
    except TypeError:
        capsule = value.__dlpack__()
    if PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        return pack_tensor(kernel, index, value,
                           &(<dl_managed_versioned *>PyCapsule_GetPointer(capsule, b"dltensor_versioned")).tensor, at)
    if not PyCapsule_IsValid(capsule, b"dltensor"):
        raise errors.SignatureError(
            f"{kernel.where(index)}: __dlpack__ of {described_type(value)} gives {described(capsule)}; expected a DLPack capsule")
    return pack_tensor(kernel, index, value, &(<dl_managed *>PyCapsule_GetPointer(capsule, b"dltensor")).tensor, at)
