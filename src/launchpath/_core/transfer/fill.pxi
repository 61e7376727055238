# Fills: a number of Python's as every element of an array. What is not a plain float or int is left to Python.

from libc.math cimport isinf

cdef struct element_type:
    size_t size                    # bytes; 0: it is of another kind
    lp_parameter parameter         # as which a launch would take a value

cdef union element_bytes:
    int64_t integer
    float single
    double double_

cdef enum:
    ELEMENT_TYPES = 32             # more than there are codes

cdef element_type element_types[ELEMENT_TYPES]     # by dtype_code
for _name in KIND_BYTES:
    if _name in DTYPE_CODES and _name not in ("bool", "float16"):
        element_types[<int>DTYPE_CODES[_name]].size = KIND_BYTES[_name]
        element_types[<int>DTYPE_CODES[_name]].parameter.shift = 64 - 8 * <int>KIND_BYTES[_name]
        element_types[<int>DTYPE_CODES[_name]].parameter.kind = (
            KIND_INT if _name.startswith("int") else KIND_UINT if _name.startswith("uint") else
            KIND_FLOAT32 if _name == "float32" else KIND_FLOAT64)


cdef inline bint is_float(const element_type *type_) noexcept:
    return type_.parameter.kind == KIND_FLOAT32 or type_.parameter.kind == KIND_FLOAT64


cdef bint float_element(double value, size_t size, element_bytes *to) noexcept:
    """Round a float as NumPy does; False if it is too large."""
    if size == sizeof(double):
        to.double_ = value
        return True
    to.single = <float>value
    return isinf(value) or not isinf(to.single)


cdef bint int_element(object value, const element_type *type_, element_bytes *to) except -1:
    """Write an int; False if the type does not hold exactly this value."""
    cdef int overflow
    cdef int64_t exact, integer = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        return False
    if is_float(type_):
        exact = <int64_t>1 << (53 if type_.size == sizeof(double) else 24)
        return -exact <= integer <= exact and float_element(<double>integer, type_.size, to)
    if not int_fits(integer, &type_.parameter):
        return False
    to.integer = integer           # little endian, as everything that is packed
    return True


def fill_plain(ArrayBase array not None, value, stream):
    """Set every element of an array to a float or an int; False, without an effect, if that needs a closer look."""
    cdef element_bytes pattern
    cdef const element_type *type_
    cdef lp_queue *queue
    array.check_lives()
    queue = queue_for_copy(array, stream)
    if queue == NULL or not 0 <= array.dtype_code < ELEMENT_TYPES:
        return False
    type_ = &element_types[array.dtype_code]
    # OpenCL takes only an address that is a multiple of the pattern's size (clEnqueueMemFillINTEL, clEnqueueSVMMemFill).
    if type_.size == 0 or <uintptr_t>array.address % type_.size:
        return False
    if type(value) is float:
        if not is_float(type_) or not float_element(value, type_.size, &pattern):
            return False
    elif type(value) is not int or not int_element(value, type_, &pattern):
        return False
    array.order_on(queue)
    if array.nbytes:
        run_fill(queue, array.address, &pattern, type_.size, array.nbytes)
        finish_if_blocking(queue)
    return True
