# Signatures: a kernel's parameters in the form that packing reads.

cdef enum parameter_kind:
    KIND_POINTER = 0
    KIND_INT = 1
    KIND_UINT = 2
    KIND_FLOAT16 = 3
    KIND_FLOAT32 = 4
    KIND_FLOAT64 = 5
    KIND_BOOL = 6
    KIND_STRUCT = 7

# Small, so that the parameters of most kernels share a cache line or two: a launch comes after the driver has used them all.
cdef struct lp_parameter:
    uint32_t offset
    uint8_t kind               # parameter_kind
    int8_t dtype               # of what a pointer points to, -1: any
    uint8_t shift              # of ints: the bits of a 64-bit one that do not fit

# NumPy dtype names by code, for arrays and pointees.
cdef dict DTYPE_CODES = {name: code for code, name in enumerate((
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "complex64", "complex128"))}
cdef dict DTYPE_NAMES = {code: name for name, code in DTYPE_CODES.items()}


def dtype_code(str name):
    """The core's code of a NumPy dtype, or 99 for one that only untyped pointers take (structured ones, say)."""
    return DTYPE_CODES.get(name, 99)


cdef int fill_parameter(lp_parameter *to, parameter) except -1:
    cdef str kind = parameter.kind
    to.offset, to.dtype = parameter.offset, -1
    if kind == "pointer":
        to.kind = KIND_POINTER
        if parameter.pointee is not None:
            to.dtype = DTYPE_CODES[parameter.pointee]
    elif kind.startswith("int") or kind.startswith("uint"):
        to.kind = KIND_INT if kind.startswith("int") else KIND_UINT
        to.shift = 64 - 8 * <int>parameter.size
    elif kind == "bool":
        to.kind = KIND_BOOL
    elif kind == "struct":
        to.kind = KIND_STRUCT
    else:
        to.kind = {"float16": KIND_FLOAT16, "float32": KIND_FLOAT32, "float64": KIND_FLOAT64}[kind]
    return 0
