# torch's tensors as arguments, read through torch's stable C ABI: the functions that its ahead-of-time compiled models
# call (torch/csrc/inductor/aoti_torch/c/shim.h). A tensor's handle there is the `at::Tensor` inside the Python object.

cdef enum:
    TENSOR_CODES = 64

cdef struct tensor_functions:
    int (*layout)(void *tensor, int32_t *layout) noexcept nogil
    int (*device_type)(void *tensor, int32_t *type) noexcept nogil
    int (*device_index)(void *tensor, int32_t *index) noexcept nogil
    int (*dtype)(void *tensor, int32_t *dtype) noexcept nogil
    int (*is_contiguous)(void *tensor, char *contiguous) noexcept nogil
    int (*data_ptr)(void *tensor, void **data) noexcept nogil
    size_t offset              # of the at::Tensor in the object: a pointer to what torch implements it by
    size_t keys_at             # of the word in that which says what torch does when it reads the memory
    uint64_t lazy              # its bits for values that are not what is in memory: negated, conjugated, zeros
    int32_t strided            # torch's numbers for that layout, and for the devices it calls "cuda"
    int32_t cuda
    int32_t dl_type            # what those are in DLPack's terms
    bint several               # of them
    uint8_t codes[TENSOR_CODES]    # the core's code of an element type, by torch's number

cdef tensor_functions tensor_abi
cdef dict tensor_types = {}            # type -> whether its objects are read so


cdef bint tensor_plain(PyObject *kernel, PyObject *value, const lp_parameter *parameter, void **at) noexcept:
    """Pack a tensor that is as it should be."""
    cdef void *tensor = <char *>value + tensor_abi.offset
    cdef int32_t device, index, dtype
    cdef char contiguous
    # A view of one element, as `x.conj().imag[:1]` is, may be contiguous and stand for other values than its memory's.
    if unlikely((<uint64_t *>((<char **>tensor)[0] + tensor_abi.keys_at))[0] & tensor_abi.lazy):
        return False
    if unlikely(tensor_abi.device_type(tensor, &device) or device != tensor_abi.cuda or
                (<KernelBase>kernel).dl_type != tensor_abi.dl_type):
        return False
    if tensor_abi.several and (tensor_abi.device_index(tensor, &index) or index != (<KernelBase>kernel).dl_id):
        return False
    if unlikely(tensor_abi.dtype(tensor, &dtype) or <uint32_t>dtype >= TENSOR_CODES):
        return False
    if unlikely(parameter.dtype >= 0 and tensor_abi.codes[dtype] != parameter.dtype):
        return False
    if unlikely(tensor_abi.is_contiguous(tensor, &contiguous) or not contiguous):
        return False
    return tensor_abi.data_ptr(tensor, at) == 0


cdef bint is_tensor(value) except -1:
    """Whether an array is to be read by `tensor_plain`; found out once for each type."""
    known = tensor_types.get(type(value))
    if known is None:
        torch = sys.modules.get("torch")
        known = torch is not None and type(value) in (torch.Tensor, torch.nn.Parameter) and use_tensors(read_tensor(value))
        tensor_types[type(value)] = known
    return known


cdef bint use_tensors(abi) except -1:
    cdef tensor_functions new_abi
    if abi is None:
        return False
    functions, offset, keys_at, lazy, strided, cuda, hip, devices, dtypes = abi
    addresses = [<object>function for function in functions]
    new_abi.layout = <int (*)(void *, int32_t *) noexcept nogil><uintptr_t>addresses[0]
    new_abi.device_type = <int (*)(void *, int32_t *) noexcept nogil><uintptr_t>addresses[1]
    new_abi.device_index = <int (*)(void *, int32_t *) noexcept nogil><uintptr_t>addresses[2]
    new_abi.dtype = <int (*)(void *, int32_t *) noexcept nogil><uintptr_t>addresses[3]
    new_abi.is_contiguous = <int (*)(void *, char *) noexcept nogil><uintptr_t>addresses[4]
    new_abi.data_ptr = <int (*)(void *, void **) noexcept nogil><uintptr_t>addresses[5]
    new_abi.keys_at, new_abi.lazy = keys_at, lazy
    new_abi.offset, new_abi.strided, new_abi.cuda, new_abi.dl_type = offset, strided, cuda, DL_ROCM if hip else DL_CUDA
    new_abi.several = devices > 1
    if tensor_abi.data_ptr != NULL and tensor_abi.offset != new_abi.offset:
        return False           # of another type of tensors: one place is looked at
    memset(new_abi.codes, 99, sizeof(new_abi.codes))
    for name, number in dtypes.items():
        if number < TENSOR_CODES:
            new_abi.codes[number] = DTYPE_CODES[name]
    global tensor_abi
    tensor_abi = new_abi
    return True


cdef bint is_strided(PyObject *value) noexcept:
    """Look at the layout: of what has none in memory the other functions throw, and say so on stderr."""
    cdef int32_t layout
    return tensor_abi.layout(<char *>value + tensor_abi.offset, &layout) == 0 and layout == tensor_abi.strided


cdef int check_tensor(KernelBase kernel, Py_ssize_t index, value) except -1:
    """Refuse a tensor whose memory does not hold its values: torch conjugates and negates when it reads."""
    for mark, state, instead in (("is_conj", "is the conjugate of the values in its memory", "tensor.resolve_conj()"),
                                 ("is_neg", "is the negative of the values in its memory", "tensor.resolve_neg()"),
                                 ("_is_zerotensor", "stands for zeros that are nowhere in memory", "tensor.clone()")):
        if getattr(value, mark, bool)():
            raise errors.ArgumentValueError(
                f"{kernel.where(index)}: {described_type(value)} {state}: pass {instead}")
    return 0
