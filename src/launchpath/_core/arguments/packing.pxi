# Packing: write an argument to its place in the packed bytes, checked against its parameter.
#
# The exact types of most calls are recognised by identity; all other values go through `pack_slowly`, which converts
# NumPy's scalars and other numbers, or raises an error. Messages are built only on failure.

import numbers
from _ctypes import Array as CtypesArray, Structure as CtypesStructure, Union as CtypesUnion, _SimpleCData, sizeof as ctypes_size
from cpython.bool cimport PyBool_Check
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_AsUnsignedLongLong, PyLong_CheckExact
from libc.math cimport isfinite
from types import SimpleNamespace

cdef extern from "Python.h":
    void *Py_TYPE(object value)
    void *Py_TYPE_OF "Py_TYPE"(PyObject *value)
    PyObject PyLong_Type
    PyObject PyFloat_Type
    PyObject PyBytes_Type
    Py_ssize_t Py_SIZE(PyObject *value)
    char *PyBytes_AS_STRING(PyObject *value)
    int PyFloat_Pack2(double value, char *at, int little_endian) except -1

cdef extern from "python/small_int.h":
    bint lp_int_is_small(object value)
    long long lp_small_int(object value)
    bint lp_pointer_is_small "lp_int_is_small"(PyObject *value)
    long long lp_small_pointer "lp_small_int"(PyObject *value)


cdef bint array_lives(ArrayBase array) noexcept:
    """Look at the allocation, which a launch need not do again until some array is freed by name."""
    if array.allocation.freed:
        return False
    array.checked = lp_runtime.frees
    return True


cdef inline bint is_array(object value) noexcept:
    return <void *>Py_TYPE(value) == array_type or isinstance(value, ArrayBase)


cdef inline bint array_fits(PyObject *value, void *device, uint64_t queue, const lp_parameter *parameter) noexcept:
    """Whether an array is of the device and the type wanted, what its memory awaits comes before the next command of a
    queue (its identity), and nothing has been freed since the array was last looked at.

    All four are looked at before one branch: they are nearly always true, and branches after a driver's call cost
    much."""
    cdef bint is_here = <void *>(<ArrayBase>value).device == device
    cdef bint is_alive = (<ArrayBase>value).checked == lp_runtime.frees
    cdef bint is_of_type = ((<ArrayBase>value).dtype_code == parameter.dtype) | (parameter.dtype < 0)
    cdef bint is_ordered = ((<ArrayBase>value).order == 0) | ((<ArrayBase>value).order == queue)
    return is_here & is_alive & is_of_type & is_ordered


cdef inline bint int_fits(int64_t number, const lp_parameter *parameter) noexcept:
    """Whether a parameter is an int and can hold a number: shifting to its top and back must give the same one."""
    cdef int64_t back = <int64_t>(<uint64_t>number << parameter.shift) >> parameter.shift
    cdef uint64_t back_unsigned = <uint64_t>number << parameter.shift >> parameter.shift
    cdef bint is_signed = (parameter.kind == KIND_INT) & (back == number)
    cdef bint is_unsigned = (parameter.kind == KIND_UINT) & (number >= 0) & (back_unsigned == <uint64_t>number)
    return is_signed | is_unsigned


cdef inline Py_ssize_t pack_plain(PyObject *kernel, void *device, uint64_t queue, const lp_parameter *parameters,
                                  PyObject **args, Py_ssize_t i, Py_ssize_t count, char *bytes) noexcept:
    """Pack arguments from the `i`-th on for a queue (its identity; 0: not known yet), and give the index of the first
    that needs a closer look, or `count`.

    What nearly all arguments are: arrays of the right device and type, small ints that fit, floats. It stays short and
    has few branches, because the driver's part of every launch empties the caches and predictors. An int is written
    with 8 bytes, whatever its size: what is behind it is written later, and the buffer is 8 bytes longer than the
    arguments.
    """
    cdef const lp_parameter *parameter = &parameters[i]
    cdef PyObject *value
    cdef void *type_
    cdef int64_t number
    cdef double real
    while i < count:
        value = args[i]
        type_ = Py_TYPE_OF(value)
        if parameter.kind == KIND_POINTER:
            if likely(type_ == array_type):
                if unlikely(not array_fits(value, device, queue, parameter)):
                    break
                (<void **>(bytes + parameter.offset))[0] = (<ArrayBase>value).address
            elif type_ != exchange_type or not exchange_plain(kernel, value, parameter,
                                                              <void **>(bytes + parameter.offset)):
                break
        elif likely(type_ == <void *>&PyLong_Type):
            if unlikely(not lp_pointer_is_small(value)):
                break
            number = lp_small_pointer(value)
            if unlikely(not int_fits(number, parameter)):
                break
            memcpy(bytes + parameter.offset, &number, sizeof(number))      # one store: the place may be one for 4 bytes
        elif type_ == <void *>&PyFloat_Type and parameter.kind == KIND_FLOAT64:
            (<double *>(bytes + parameter.offset))[0] = PyFloat_AS_DOUBLE(<object>value)
        elif type_ == <void *>&PyFloat_Type and parameter.kind == KIND_FLOAT32:
            real = PyFloat_AS_DOUBLE(<object>value)
            (<float *>(bytes + parameter.offset))[0] = <float>real
            if unlikely(isfinite(real) and not isfinite((<float *>(bytes + parameter.offset))[0])):
                break
        elif type_ == <void *>&PyBytes_Type and parameter.kind == KIND_STRUCT and (
                <size_t>Py_SIZE(value) == (<KernelBase>kernel).sizes[i]):
            memcpy(bytes + parameter.offset, PyBytes_AS_STRING(value), (<KernelBase>kernel).sizes[i])
        else:
            break
        parameter += 1
        i += 1
    return i


cdef inline int argument_pack(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, char *bytes) except -1:
    # No local of an object type here: each would cost a reference taken and dropped, for every argument of every
    # launch.
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef char *at = bytes + parameter.offset
    cdef long long number
    cdef int overflow = 0
    if parameter.kind == KIND_POINTER:
        if is_array(value) and (<ArrayBase>value).device is kernel.device and (
                (<ArrayBase>value).dtype_code == parameter.dtype or parameter.dtype < 0) and (
                (<ArrayBase>value).checked == lp_runtime.frees or array_lives(<ArrayBase>value)):
            if unlikely((<ArrayBase>value).order != 0):
                (<ArrayBase>value).order_on(launcher.stream_now().queue)
            (<void **>at)[0] = (<ArrayBase>value).address
            return 0
        return pack_pointer(launcher, kernel, index, value, <void **>at)
    if PyLong_CheckExact(value):
        number = lp_small_int(value) if lp_int_is_small(value) else PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow and int_fits(number, parameter):
            store_int(at, kernel.sizes[index], number)
            return 0
    elif PyFloat_CheckExact(value):
        if parameter.kind == KIND_FLOAT32:
            return pack_float32(kernel, index, value, PyFloat_AS_DOUBLE(value), <float *>at)
        if parameter.kind == KIND_FLOAT64:
            (<double *>at)[0] = PyFloat_AS_DOUBLE(value)
            return 0
    return pack_slowly(launcher, kernel, index, value, at)


cdef inline void store_int(char *at, uint32_t size, int64_t value) noexcept:
    # Truncation keeps the low bits: right for signed and unsigned alike.
    if size == 4:
        (<int32_t *>at)[0] = <int32_t>value
    elif size == 8:
        (<int64_t *>at)[0] = value
    elif size == 2:
        (<int16_t *>at)[0] = <int16_t>value
    else:
        (<int8_t *>at)[0] = <int8_t>value


cdef inline int pack_float32(KernelBase kernel, Py_ssize_t index, object value, double number, float *at) except -1:
    at[0] = <float>number
    if isfinite(number) and not isfinite(at[0]):
        raise out_of_range(kernel, index, value)
    return 0


cdef int pack_pointer(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, void **at) except -1:
    """Everything but the right array: other ways to say an address, and what is wrong with the rest."""
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef ArrayBase array
    if value is None:
        at[0] = NULL
        return 0
    if isinstance(value, DevicePointer):
        at[0] = <void *>(<DevicePointer>value).address
        return 0
    if isinstance(value, _SimpleCData) and value._type_ == "P":
        at[0] = <void *><uintptr_t>(value.value or 0)
        return 0
    if isinstance(value, ArrayBase):
        array = <ArrayBase>value
        if array.allocation.freed:
            raise freed_error(array, f"{kernel.where(index)}: ")
        if array.device is not kernel.device:
            check_peer_argument(kernel, index, array)
            if array.dtype_code == parameter.dtype or parameter.dtype < 0:
                array.order_on(launcher.stream_now().queue)
                at[0] = array.address
                return 0
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array of {DTYPE_NAMES[parameter.dtype]}, got an array of {array.dtype}: "
            f"{_advice.to_convert(array.dtype, DTYPE_NAMES[parameter.dtype])}")
    if pack_foreign(launcher, kernel, index, value, at):
        return 0
    if isinstance(value, result_type):
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array on the device, got {described(value)}: launch the kernel that returns "
            "it with an array, and pass that array")
    if isinstance(value, int):
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array, got {described(value)}: pass an array; "
            "an address goes in launchpath.DevicePointer"
            + hint_of_type(kernel, index))
    wrap = "In" if kernel.signature.parameters[index].const else "InOut (or Out)"
    if hasattr(value, "__array_interface__") or hasattr(value, "__array__"):
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array on the device, got a {type(value).__name__} in host memory: copy it "
            "with launchpath.asarray first"
            + (f", or pass a NumPy array wrapped in launchpath.{wrap}" if kernel.within is None else ""))
    hint = hint_of_type(kernel, index) or _advice.to_copy(value, DTYPE_NAMES.get(parameter.dtype), wrap)
    if kernel.within is not None:
        hint = hint.partition(", or pass a NumPy array")[0]        # which wraps a whole argument
    raise errors.SignatureError(f"{kernel.where(index)}: expected an array, got {described(value)}{hint}")


cdef str hint_of_type(KernelBase kernel, Py_ssize_t index):
    """A hint where a parameter's type was guessed from its size, as cubins have no more."""
    parameter = kernel.signature.parameters[index]
    if parameter.name != f"arg{index}" or (
            parameter.ctype != "void *" and not parameter.ctype.startswith("unsigned char[")):
        return ""
    number = "" if parameter.ctype == "void *" else ", or pass a NumPy scalar (numpy.float32, numpy.int32)"
    return (f". The binary does not contain the parameter's type, and 8 bytes count as an address: declare it (launchpath.load's "
            f"`signatures`, launchpath.adopt's `signature`){number}")


cdef int pack_slowly(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, char *at) except -1:
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef double real
    if parameter.kind >= KIND_STRUCT or isinstance(value, TextureBase):
        return pack_object(launcher, kernel, index, value, at)
    if parameter.kind == KIND_BOOL:
        if not is_bool(value) and not (isinstance(value, (int, numbers.Integral)) and 0 <= value <= 1):
            scalar = scalar_of(kernel, index, value)
            if scalar is not None:
                return pack_slowly(launcher, kernel, index, scalar, at)
            raise errors.SignatureError(
                f"{kernel.where(index)}: expected a bool, got {described(value)}{hint_of_result(value, 'bool')}")
        at[0] = 1 if value else 0
        return 0
    if parameter.kind == KIND_INT or parameter.kind == KIND_UINT:
        value = as_int(kernel, index, value)
        if parameter.kind == KIND_UINT:
            if not 0 <= value < 1 << 8 * <object>kernel.sizes[index]:
                raise out_of_range(kernel, index, value)
            store_int(at, kernel.sizes[index], <int64_t>PyLong_AsUnsignedLongLong(value))
        else:
            if not -(1 << 8 * <object>kernel.sizes[index] - 1) <= value < 1 << 8 * <object>kernel.sizes[index] - 1:
                raise out_of_range(kernel, index, value)
            store_int(at, kernel.sizes[index], value)
        return 0
    if not isinstance(value, (float, int)) and not is_number(value, numbers.Real):
        scalar = scalar_of(kernel, index, value)
        if scalar is not None:
            return pack_slowly(launcher, kernel, index, scalar, at)
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected a number, got {described(value)}{hint_of_result(value, 'float')}")
    try:
        real = float(value)
    except OverflowError:
        raise out_of_range(kernel, index, value) from None
    if parameter.kind == KIND_FLOAT32:
        return pack_float32(kernel, index, value, real, <float *>at)
    if parameter.kind == KIND_FLOAT64:
        (<double *>at)[0] = real
        return 0
    try:
        PyFloat_Pack2(real, at, 1)
    except OverflowError:
        raise out_of_range(kernel, index, value) from None
    return 0


cdef int pack_object(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, char *at) except -1:
    """What is not a number: a struct or a texture."""
    if kernel.parameters[index].kind == KIND_STRUCT:
        return pack_struct(launcher, kernel, index, value, at)
    return pack_texture(launcher, kernel, index, value, <uint64_t *>at)


cdef bint is_number(object value, abstract):
    # NumPy registers its scalars with `numbers`, except its bool and float16's kin, which are told by their kind.
    return isinstance(value, abstract) or not isinstance(value, ArrayBase) and (
        getattr(getattr(value, "dtype", None), "kind", "") == "f" and getattr(value, "shape", None) == ())


cdef bint is_bool(object value):
    return isinstance(value, (bool, numpy_bool))


cdef object scalar_of(KernelBase kernel, Py_ssize_t index, object value):
    """The number of a ctypes scalar, or the NumPy scalar in an array without axes, else None."""
    import numpy
    if isinstance(value, _SimpleCData) and value._type_ in CTYPES_NUMBERS:
        return number_of_ctypes(kernel, index, value)
    if not hasattr(type(value), "__array_interface__") or getattr(value, "shape", None) != ():
        return None
    scalar = value[()]
    # Of anything else this would be called again, and again if that gives the like.
    return scalar if isinstance(scalar, (numpy.generic, int, float)) and type(scalar) is not type(value) else None


cdef str CTYPES_NUMBERS = "?bBhHiIlLqQfd"       # the codes of ctypes' bool, ints and floats


cdef object number_of_ctypes(KernelBase kernel, Py_ssize_t index, object value):
    """The number of a ctypes scalar, which names a type, so it has to be the parameter's; an int's sign may differ."""
    cdef str code = value._type_
    cdef str kind = kernel.signature.parameters[index].kind
    cdef Py_ssize_t size = ctypes_size(value)
    cdef bint is_same = kind == "bool" if code == "?" else kind == f"float{8 * size}" if code in "fd" else (
        kind == f"int{8 * size}" or kind == f"uint{8 * size}")
    if not is_same:
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected {kind}, got ctypes.{type(value).__name__} of {size} bytes: pass "
            f"{_advice.of_ctypes(kind)}its .value, which only has to fit")
    return value.value


cdef str hint_of_result(object value, str kind):
    """A hint for what a kernel returns, which is no argument until it is there."""
    return f": pass {kind}(result), which waits" if isinstance(value, result_type) else ""


cdef object as_int(KernelBase kernel, Py_ssize_t index, object value):
    if isinstance(value, (int, numbers.Integral)) or is_bool(value):
        return int(value)
    scalar = scalar_of(kernel, index, value)
    if scalar is not None:
        return as_int(kernel, index, scalar)
    if "GraphConditionalHandle" in kernel.signature.parameters[index].ctype:
        return as_conditional_handle(kernel, index, value)
    raise errors.SignatureError(
        f"{kernel.where(index)}: expected an int, got {described(value)}{hint_of_result(value, 'int')}"
        + (": convert it with int() if you intend that" if is_number(value, numbers.Real) else ""))


cdef object as_conditional_handle(KernelBase kernel, Py_ssize_t index, object value):
    """The number of what another library calls a handle of a conditional node: cuda.core's condition has cuda.bindings'."""
    handle = getattr(value, "handle", value)
    if hasattr(type(handle), "__int__") and not isinstance(handle, numbers.Real):
        return int(handle)
    raise errors.SignatureError(
        f"{kernel.where(index)}: expected the handle of a conditional node (cuda.core's condition, or its handle) or an int, "
        f"got {described(value)}: create it with the graph that has the node")


cdef int pack_struct(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, char *at) except -1:
    cdef Py_buffer view
    if kernel.parameters[index].dtype >= 0:
        value = as_complex(kernel, index, value)
    if isinstance(value, (tuple, list, dict)):
        return pack_members(launcher, kernel, index, value, at)
    try:
        PyObject_GetBuffer(value, &view, PyBUF_SIMPLE)
    except (TypeError, BufferError, ValueError):       # the last is NumPy's, of an array with strides
        if hasattr(value, "dtype") and hasattr(value, "strides"):
            raise errors.ArgumentValueError(
                f"{kernel.where(index)}: expected a C-contiguous array, got one of shape {value.shape} and strides "
                f"{value.strides}: pass numpy.ascontiguousarray(array)") from None
        known = "a tuple or dict of its fields, " if kernel.signature.parameters[index].members else ""
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected a struct of {kernel.sizes[index]} bytes ({known}a ctypes.Structure, a NumPy "
            f"structured scalar, or bytes), got {described(value)}{hint_of_type(kernel, index)}") from None
    try:
        if view.len != kernel.sizes[index]:
            raise wrong_elements(kernel, index, value) or errors.SignatureError(
                f"{kernel.where(index)}: expected a struct of {kernel.sizes[index]} bytes, got {type(value).__name__} of "
                f"{view.len}")
        check_layout(kernel, index, value)
        memcpy(at, view.buf, kernel.sizes[index])
    finally:
        PyBuffer_Release(&view)
    return 0


cdef object as_complex(KernelBase kernel, Py_ssize_t index, object value):
    """A number as a NumPy scalar of the bytes of the parameter, which is a complex number; anything else as it is."""
    import numpy
    if not isinstance(value, numbers.Complex) and not is_number(value, numbers.Complex):
        scalar = scalar_of(kernel, index, value) if getattr(getattr(value, "dtype", None), "kind", "") in "iufc" else None
        return value if scalar is None else as_complex(kernel, index, scalar)
    name = DTYPE_NAMES[kernel.parameters[index].dtype]
    try:
        number = complex(value)
        with numpy.errstate(over="ignore"):
            converted = getattr(numpy, name)(number)
        if numpy.isfinite(converted) or not numpy.isfinite(number):
            return converted
    except OverflowError:
        pass
    raise errors.ArgumentValueError(
        f"{kernel.where(index)}: expected a complex number of parts that fit into {name}, got {shown(value)}")


cdef object out_of_range(KernelBase kernel, Py_ssize_t index, object value):
    cdef str kind = kernel.signature.parameters[index].kind
    return errors.ArgumentValueError(
        f"{kernel.where(index)}: expected a number from {_advice.range_of(kind)}, got {shown(value)}: "
        f"{_advice.to_hold(value, kind)}")
