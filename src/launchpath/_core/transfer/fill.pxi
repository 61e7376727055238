# Fills: a number of Python's as every element of an array. What is not a plain float or int is left to Python.

from libc.math cimport isinf

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1

cdef struct element_type:
    char kind                      # 'i', 'u' or 'f'; 0: of another kind
    uint8_t size                   # bytes

cdef union element_bytes:
    int64_t integer
    float single
    double double_

cdef element_type element_types[32]        # by dtype_code
memset(element_types, 0, sizeof(element_types))
for _name, _code in DTYPE_CODES.items():
    if _name in KIND_BYTES and KIND_BYTES[_name] >= (4 if _name.startswith("float") else 1) and _name != "bool":
        element_types[<int>_code].kind, element_types[<int>_code].size = ord(_name[0]), KIND_BYTES[_name]


cdef bint float_element(double value, size_t size, element_bytes *to) noexcept:
    """Round a float as NumPy does; False if it is too large."""
    if size == sizeof(double):
        to.double_ = value
        return True
    to.single = <float>value
    return isinf(value) or not isinf(to.single)


cdef bint int_element(object value, element_type type_, element_bytes *to) except -1:
    """Write an int; False if the type does not hold exactly this value."""
    cdef int overflow, bits = 8 * type_.size - (type_.kind == c"i")
    cdef int64_t exact, integer = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        return False
    if type_.kind == c"f":
        exact = <int64_t>1 << (53 if type_.size == sizeof(double) else 24)
        return -exact <= integer <= exact and float_element(<double>integer, type_.size, to)
    if integer < 0 and type_.kind == c"u" or bits < 63 and not -(<int64_t>1 << bits) <= integer < <int64_t>1 << bits:
        return False
    to.integer = integer           # little endian, as everything that is packed
    return True


def fill_plain(ArrayBase array not None, value, stream):
    """Set every element of an array to a float or an int; False, without an effect, if that needs a closer look."""
    cdef fill_command command
    cdef element_bytes pattern
    cdef element_type type_
    cdef lp_queue *queue
    array.check_lives()
    queue = queue_for_copy(array, stream)
    if queue == NULL or not 0 <= array.dtype_code < 32:
        return False
    type_ = element_types[array.dtype_code]
    # OpenCL takes only an address that is a multiple of the pattern's size (clEnqueueMemFillINTEL, clEnqueueSVMMemFill).
    if type_.kind == 0 or <uintptr_t>array.address % type_.size:
        return False
    if type(value) is float:
        if type_.kind != c"f" or not float_element(value, type_.size, &pattern):
            return False
    elif type(value) is not int or not int_element(value, type_, &pattern):
        return False
    array.order_on(queue)
    command.to, command.pattern, command.pattern_size, command.size = array.address, &pattern, type_.size, array.nbytes
    if array.nbytes:
        run(queue, submit_fill, &command)
        finish_if_blocking(queue)
    return True
