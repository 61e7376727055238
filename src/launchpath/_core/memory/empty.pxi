# New arrays from usual arguments, without Python's part of the work. What is unusual is left to it.

import os

cdef extern from "Python.h":
    bint PyUnicode_CheckExact(object value)
    bint PyTuple_CheckExact(object value)
    bint PyType_Check(object value)
    PyObject *PyDict_GetItemWithError(object mapping, object key) except? NULL
    ctypedef struct creating_type "PyTypeObject":
        object (*tp_new)(type kind, PyObject *args, PyObject *names)

cdef enum:
    PLAIN_DTYPES = 256             # spellings of dtypes that are remembered
    PLAIN_AXES = 16

cdef tuple no_allocation_alone = (no_allocation,)
cdef DeviceBase default_device = None      # of `default_words`
cdef object default_words = None           # LAUNCHPATH_DEVICE as the environment has it, when the device was looked for
cdef dict plain_dtypes = {}                # as spelled -> (numpy.dtype, its code, its size)
cdef object make_empty = None              # the public `empty` for what is not plain
cdef object explain_shortage = None        # (error, device, bytes) -> the error with what the device gives at once

# The dict in `os.environ`: looking there takes a tenth of the time, and none of it is Python's.
cdef object environment = getattr(os.environ, "_data", None)
cdef object device_name = os.environ.encodekey("LAUNCHPATH_DEVICE") if isinstance(environment, dict) else None


cdef object words_for_default():
    cdef PyObject *words
    if device_name is None:
        return os.environ.get("LAUNCHPATH_DEVICE")
    words = PyDict_GetItemWithError(environment, device_name)
    return None if words == NULL else <object>words


def remember_dtype(spelling, dtype not None, int code):
    """Let `empty` take a dtype by a spelling at once: text, a type or a dtype. What is not plain is left out."""
    if len(plain_dtypes) < PLAIN_DTYPES and is_spelling(spelling) and dtype.isbuiltin == 1 and (
            dtype.metadata is None and not dtype.hasobject):
        plain_dtypes[spelling] = (dtype, code, dtype.itemsize)


def remember_default_device(DeviceBase device not None):
    """Let `empty` take the device of those who name none at once, until the environment names another."""
    global default_device, default_words
    default_device = None
    default_words = words_for_default()
    default_device = device


def register_empty(function not None, explain not None):
    """Name the function that makes arrays from arguments that are not plain, and the one that explains errors."""
    global make_empty, explain_shortage
    make_empty, explain_shortage = function, explain


cdef inline bint is_spelling(object dtype) noexcept:
    return PyUnicode_CheckExact(dtype) or PyType_Check(dtype) or isinstance(dtype, numpy_dtype)


cdef DeviceBase plain_device():
    """The current device where that is simple to tell, else None."""
    cdef PyObject *current = current_of_thread()
    cdef Entered here
    if current != NULL:
        return (<QueueBase>current).device if isinstance(<object>current, QueueBase) else None
    if lp_here.entered != NULL:
        here = <Entered><PyObject *>lp_here.entered
        device = (<tuple>here.stack[len(here.stack) - 1])[0] if here.stack else None
        return <DeviceBase>device if isinstance(device, DeviceBase) else None
    words = words_for_default()
    return default_device if words is default_words or words == default_words else None


cdef Py_ssize_t plain_extent(object value) noexcept:
    """An extent that is a plain int, or -1."""
    if PyLong_CheckExact(value) and lp_int_is_small(value) and lp_small_int(value) >= 0:
        return lp_small_int(value)
    return -1


cdef Py_ssize_t plain_size(tuple shape, Py_ssize_t itemsize) noexcept:
    """Bytes of a shape of plain ints, or -1."""
    cdef Py_ssize_t total = itemsize, extent
    if len(shape) > PLAIN_AXES:
        return -1
    for value in shape:
        extent = plain_extent(value)
        if extent < 0 or extent and total > (<Py_ssize_t>1 << 46) // extent:
            return -1
        total *= extent
    return total


cdef QueueBase array_stream(DeviceBase device):
    """The stream in whose order an array is made: the current one, if that is of the device, else the legacy one."""
    cdef QueueBase stream = stream_for(device)
    if stream.device is device:
        return stream
    return device.legacy if device.legacy is not None else device.legacy_stream


cdef inline lp_queue *array_queue(DeviceBase device) except NULL:
    """The queue of `array_stream`."""
    if current_of_thread() == NULL and device.legacy_queue != NULL:
        return device.legacy_queue             # which the device keeps, closed or not
    return array_stream(device).queue


cdef inline ArrayBase new_array(Allocation allocation, DeviceBase device, dtype, int code, tuple shape, size_t nbytes):
    """An array of a whole allocation, of the public class."""
    cdef ArrayBase array = <ArrayBase>(<creating_type *>array_type).tp_new(
        <type>array_type, <PyObject *>no_allocation_alone, NULL)
    array.allocation, array.device, array.dtype, array.dtype_code = allocation, device, dtype, code
    array.address, array.shape, array.nbytes = allocation.address, shape, nbytes
    array.checked, array.order = lp_runtime.frees, allocation.extent.ordered
    return array


cdef ArrayBase plain_empty(shape, dtype, device, stream):
    """Make an array if the arguments are plain, else give None.

    Plain are an int or a tuple of ints, a dtype that was used before, a device or None, a stream of ours or None."""
    cdef DeviceBase where
    cdef lp_queue *queue
    cdef Py_ssize_t nbytes
    cdef PyObject *known
    cdef bint named
    cdef tuple extents, kind
    if not is_spelling(dtype):
        return None
    known = PyDict_GetItemWithError(plain_dtypes, dtype)
    if known == NULL:
        return None
    kind = <tuple><object>known
    if PyTuple_CheckExact(shape):
        extents = <tuple>shape
    elif plain_extent(shape) >= 0:
        extents = (shape,)
    else:
        return None
    nbytes = plain_size(extents, kind[2])
    if nbytes < 0:
        return None
    if stream is not None:
        if not isinstance(stream, QueueBase) or device is not None and (<QueueBase>stream).device is not device:
            return None
        where, queue = (<QueueBase>stream).device, (<QueueBase>stream).queue
        named = True
    else:
        where = plain_device() if device is None else device if isinstance(device, DeviceBase) else None
        if where is None:
            return None
        queue = array_queue(where)
        named = False
    try:
        allocation = where.pool.take(nbytes, queue, MEMORY_DEVICE, named)
        return new_array(allocation, where, kind[0], kind[1], extents, nbytes)
    except errors.OutOfMemoryError as shortage:
        error = explain_shortage(shortage, where, nbytes)
    raise error


def empty(shape, dtype="float32", device=None, stream=None):
    """See launchpath._memory.creation, which documents it."""
    array = plain_empty(shape, dtype, device, stream)
    return make_empty(shape, dtype, device, stream) if array is None else array
