# Signatures: a kernel's parameters in the form that packing reads.

from launchpath._kinds import ELEMENTS, KIND_BYTES

cdef enum parameter_kind:
    KIND_POINTER = 0
    KIND_INT = 1
    KIND_UINT = 2
    KIND_FLOAT16 = 3
    KIND_FLOAT32 = 4
    KIND_FLOAT64 = 5
    KIND_BOOL = 6
    KIND_STRUCT = 7            # from here on they are not numbers
    KIND_TEXTURE = 8

# Small, so that the parameters of most kernels share a cache line or two: a launch comes after the driver has used them
# all.
cdef struct lp_parameter:
    uint32_t offset
    uint8_t kind               # parameter_kind
    int8_t dtype               # of what a pointer points to, -1: any; of a struct that is a complex number
    uint8_t shift              # of ints: the bits of a 64-bit one that do not fit

# NumPy dtype names by code, for arrays and pointees.
cdef dict DTYPE_CODES = {name: code for code, name in enumerate(ELEMENTS)}
cdef dict DTYPE_NAMES = {code: name for name, code in DTYPE_CODES.items()}


def dtype_code(str name):
    """The core's code of a NumPy dtype, or 99 for one that only untyped pointers take (structured ones, say)."""
    return DTYPE_CODES.get(name, 99)


cdef enum:
    SIGNATURE_LARGEST = 0x7FFFFFFF          # bytes: places are kept in 32 bits


cdef int check_signature(signature) except -1:
    """Refuse a signature that packing would write past its bytes for: every parameter behind the one before, and
    inside."""
    size = signature.size
    if type(size) is not int or not 0 <= size <= SIGNATURE_LARGEST:
        raise errors.SignatureError(
            f"kernel {signature.name}: expected a signature of 0 to {SIGNATURE_LARGEST} bytes, got {shown(size)}")
    parameters = signature.parameters
    end = check_places(signature, parameters, [(parameter.offset, parameter.size) for parameter in parameters], 0)
    for parameter in parameters:
        if parameter.size != KIND_BYTES.get(parameter.kind, parameter.size if parameter.kind == "struct" else -1):
            raise errors.SignatureError(
                f"kernel {signature.name}: {parameter} is of kind {shown(parameter.kind)} with {parameter.size} bytes")
        if parameter.pointee is not None and parameter.pointee not in DTYPE_CODES:
            raise errors.SignatureError(
                f"kernel {signature.name}: {parameter} points to {shown(parameter.pointee)}, which is not a known dtype")
    nulls = list(signature.nulls)
    check_places(signature, nulls, nulls, end)
    return 0


cdef object check_places(signature, names, list places, end):
    """Hold (offset, size) of parameters against each other and the packed bytes; gives where the last one ends."""
    for name, (offset, size) in zip(names, places):
        if (type(offset) is not int or type(size) is not int or size < 1 or offset < end
                or offset + size > signature.size):
            raise errors.SignatureError(
                f"kernel {signature.name}: {name} cannot have {shown(size)} bytes at {shown(offset)}: parameters are in "
                f"ascending order, the previous parameter ends at {end}, and all of them are within {signature.size} bytes")
        end = offset + size
    return end


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
        if parameter.pointee is not None:  # a complex number
            to.dtype = DTYPE_CODES[parameter.pointee]
    elif kind == "texture":
        to.kind = KIND_TEXTURE
    else:
        to.kind = {"float16": KIND_FLOAT16, "float32": KIND_FLOAT32, "float64": KIND_FLOAT64}[kind]
    return 0
