# Rules: whether an argument is one that a compiled kernel was chosen for, and its bytes.

cdef extern from "Python.h":
    bint PyFloat_CheckExact(object value)
    double read_double "PyFloat_AS_DOUBLE"(PyObject *value) noexcept
    long long read_long "PyLong_AsLongLongAndOverflow"(PyObject *value, int *overflow) noexcept
    unsigned long long read_unsigned "PyLong_AsUnsignedLongLong"(PyObject *value) noexcept
    int compare_equal "PyObject_RichCompareBool"(PyObject *first, PyObject *second, int operation) noexcept
    int pack_half "PyFloat_Pack2"(double value, char *to, int little) noexcept
    PyObject *borrowed_none "Py_None"
    PyObject *borrowed_false "Py_False"
    PyObject *borrowed_true "Py_True"
    int PY_EQ "Py_EQ"
    PyTypeObject PyUnicode_Type
    PyTypeObject PyTuple_Type

cdef enum fast_kind:
    # Nothing is packed.
    RULE_CONSTANT = 0              # of the same type and value as `value`
    RULE_ANY                       # looked at elsewhere
    # A number.
    RULE_INT                       # an int from `low` to `high`
    RULE_UNSIGNED                  # an int from 2**63 to 2**64 - 1
    RULE_BOOL
    RULE_FLOAT                     # a float, packed as a float of `size` bytes
    RULE_BFLOAT                    # the same as a float without its lower half
    # Memory.
    RULE_TENSOR                    # torch's
    RULE_FIXED                     # read by Python once for each state of the object: its bytes and its type
    RULE_SCALAR                    # NumPy's, of the type `value`
    RULE_CUPY                      # an array of CuPy

cdef enum fast_flags:
    RULE_MULTIPLE = 1              # of 16
    RULE_NO_MULTIPLE = 2           # of 16
    RULE_NOT_ONE = 4
    RULE_PACKED = 8                # else it is compared alone
    RULE_WIDE = 16                 # does not fit 32 bits with a sign

cdef struct fast_rule:
    uint8_t kind, flags
    uint16_t size                  # bytes
    uint32_t offset                # in the packed arguments
    int32_t dtype                  # torch's number of an element type; -1: any
    int64_t low, high
    PyObject *value                # a reference

cdef enum:
    TENSOR_KEYS = 16
    SCALAR_AT = 16                 # where NumPy's scalars have their value; `scalars_known` looks

# What tensors have that are a CUDA device's memory and nothing else: torch's dispatch keys, as they were seen.
cdef uint64_t tensor_keys[TENSOR_KEYS]
cdef int n_tensor_keys = 0
cdef void *fast_tensor_types[2]
cdef object fast_tensor_types_held = None


def fast_tensor_keys():
    """The dispatch keys of tensors that rules take, for tests."""
    return [tensor_keys[i] for i in range(n_tensor_keys)]


def fast_forget_tensors():
    """Forget all kinds of tensors."""
    global n_tensor_keys
    n_tensor_keys = 0


def fast_tensor(value, bint right):
    """The number of a tensor's element type, as rules compare it; None: such tensors cannot be read.

    With ``right`` tensors with the same dispatch keys are taken from now on: the caller has looked at the device and layout."""
    global n_tensor_keys, fast_tensor_types_held
    cdef uint64_t keys
    cdef int32_t dtype
    cdef int i
    if not is_tensor(value) or (<void **>(<char *><PyObject *>value + tensor_abi.offset))[0] == NULL:
        return None
    if fast_tensor_types_held is None:
        torch = sys.modules["torch"]
        fast_tensor_types_held = (torch.Tensor, torch.nn.Parameter)
        fast_tensor_types[0] = <void *><PyObject *><object>fast_tensor_types_held[0]
        fast_tensor_types[1] = <void *><PyObject *><object>fast_tensor_types_held[1]
    keys = fast_keys(<PyObject *>value)
    if not is_strided(<PyObject *>value) or tensor_abi.dtype(<char *><PyObject *>value + tensor_abi.offset, &dtype):
        return None
    for i in range(n_tensor_keys):
        if tensor_keys[i] == keys:
            return dtype
    if not right or n_tensor_keys == TENSOR_KEYS:
        return None
    tensor_keys[n_tensor_keys] = keys
    n_tensor_keys += 1
    return dtype


cdef inline uint64_t fast_keys(PyObject *value) noexcept:
    return (<uint64_t *>((<char **>(<char *>value + tensor_abi.offset))[0] + tensor_abi.keys_at))[0]


cdef inline bint rule_tensor(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    cdef void *tensor = <char *>value + tensor_abi.offset
    cdef void *type_ = Py_TYPE_OF(value)
    cdef void *data
    cdef uint64_t keys
    cdef int32_t dtype
    cdef int i
    if unlikely(type_ != fast_tensor_types[0] and type_ != fast_tensor_types[1] or type_ == NULL):
        return False
    if unlikely((<void **>tensor)[0] == NULL):
        return False
    keys = fast_keys(value)
    for i in range(n_tensor_keys):
        if likely(tensor_keys[i] == keys):
            break
    else:
        return False
    if unlikely((rule.dtype >= 0 and (tensor_abi.dtype(tensor, &dtype) or dtype != rule.dtype)) or
                tensor_abi.data_ptr(tensor, &data)):
        return False
    if rule.flags & (RULE_MULTIPLE | RULE_NO_MULTIPLE) and (<uintptr_t>data % 16 == 0) != (rule.flags & RULE_MULTIPLE != 0):
        return False
    (<void **>(packed + rule.offset))[0] = data
    return True


cdef bint exactly_equal(PyObject *value, PyObject *other) noexcept:
    """Whether two constants are the same to a compiler: 1, 1.0 and True are three, as are 0.0 and -0.0."""
    cdef void *type_ = Py_TYPE_OF(value)
    cdef double first, second
    cdef Py_ssize_t i
    if value == other:
        return True
    if type_ != Py_TYPE_OF(other):
        return False
    if type_ == <void *>&PyLong_Type or type_ == <void *>&PyUnicode_Type:
        return compare_equal(value, other, PY_EQ) == 1
    if type_ == <void *>&PyFloat_Type:
        first, second = read_double(value), read_double(other)
        return memcmp(&first, &second, sizeof(first)) == 0
    if type_ == <void *>&PyTuple_Type and Py_SIZE(value) == Py_SIZE(other):
        for i in range(Py_SIZE(value)):
            if not exactly_equal(tuple_item(value, i), tuple_item(other, i)):
                return False
        return True
    return False


cdef bint rule_real(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    """A float."""
    cdef double real
    cdef float narrow
    if unlikely(Py_TYPE_OF(value) != <void *>&PyFloat_Type):
        return False
    real = read_double(value)
    if rule.kind == RULE_BFLOAT:
        narrow = <float>real
        memcpy(packed + rule.offset, <char *>&narrow + 2, 2)
    elif rule.size == 8:
        memcpy(packed + rule.offset, &real, 8)
    elif rule.size == 4:
        narrow = <float>real
        memcpy(packed + rule.offset, &narrow, 4)
    elif pack_half(real, packed + rule.offset, 1):
        PyErr_Clear()                  # too large: the original says so
        return False
    return True


cdef inline bint read_high(PyObject *value, int64_t *to) noexcept:
    """Read an int from 2**63 to 2**64 - 1, as its bits."""
    cdef uint64_t bits
    if lp_pointer_is_small(value):
        return False
    bits = read_unsigned(value)
    if bits == <uint64_t>-1 and exception_here() != NULL:
        PyErr_Clear()
        return False
    to[0] = <int64_t>bits
    return bits >= <uint64_t>1 << 63


cdef inline bint read_number(const fast_rule *rule, PyObject *value, int64_t *to) noexcept:
    """Read an int of a rule's range."""
    cdef int overflow
    if likely(lp_pointer_is_small(value)):
        to[0] = lp_small_pointer(value)
    else:
        to[0] = read_long(value, &overflow)
        if overflow:
            return False
    if unlikely(to[0] < rule.low or to[0] > rule.high or (rule.flags & RULE_NOT_ONE and to[0] == 1)):
        return False
    return likely(not rule.flags & RULE_WIDE) or not -(<int64_t>1 << 31) <= to[0] < <int64_t>1 << 31


cdef bint rule_number(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    """An int."""
    cdef int64_t number = 0
    if unlikely(Py_TYPE_OF(value) != <void *>&PyLong_Type):
        return False
    if unlikely(not (read_high(value, &number) if rule.kind == RULE_UNSIGNED else read_number(rule, value, &number))):
        return False
    if rule.flags & (RULE_MULTIPLE | RULE_NO_MULTIPLE) and (number & 15 == 0) != (rule.flags & RULE_MULTIPLE != 0):
        return False
    if rule.flags & RULE_PACKED:
        if likely(rule.size == 4):
            memcpy(packed + rule.offset, &number, 4)
        else:
            memcpy(packed + rule.offset, &number, rule.size)
    return True


cdef inline bint rule_takes(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    """Check an argument and pack it."""
    cdef uint8_t kind = rule.kind
    if kind == RULE_TENSOR:
        return rule_tensor(rule, value, packed)
    if kind == RULE_CONSTANT:
        return likely(value == rule.value) or exactly_equal(value, rule.value)
    if kind == RULE_ANY:
        return True
    if kind == RULE_FIXED:
        return fixed_takes(rule, value, packed)
    if kind == RULE_CUPY:
        return cupy_takes(rule, value, packed)
    if kind == RULE_BOOL:
        if value != borrowed_true and value != borrowed_false:
            return False
        packed[rule.offset] = value == borrowed_true
        return True
    if kind == RULE_SCALAR:
        if Py_TYPE_OF(value) != <void *>rule.value:
            return False
        memcpy(packed + rule.offset, <char *>value + SCALAR_AT, rule.size)
        return True
    if kind == RULE_INT or kind == RULE_UNSIGNED:
        return rule_number(rule, value, packed)
    return rule_real(rule, value, packed)


def fast_scalars_known(list examples not None):
    """Whether NumPy's scalars have their value where rules read it: each example comes with its bytes."""
    for value, data in examples:
        if PyBytes_AS_STRING(<PyObject *>data) == NULL or memcmp(
                <char *><PyObject *>value + SCALAR_AT, PyBytes_AS_STRING(<PyObject *>data), len(data)):
            return False
    return True


# What rows of rules name: see `FastSpecialization`.
FAST_KINDS = {"constant": RULE_CONSTANT, "any": RULE_ANY, "int": RULE_INT, "unsigned": RULE_UNSIGNED, "bool": RULE_BOOL,
              "float": RULE_FLOAT, "bfloat": RULE_BFLOAT, "tensor": RULE_TENSOR, "fixed": RULE_FIXED, "scalar": RULE_SCALAR,
              "cupy": RULE_CUPY}
FAST_FLAGS = {"multiple": RULE_MULTIPLE, "no multiple": RULE_NO_MULTIPLE, "not one": RULE_NOT_ONE, "packed": RULE_PACKED,
              "wide": RULE_WIDE}
