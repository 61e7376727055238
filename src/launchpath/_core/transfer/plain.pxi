# Plain host arrays: NumPy arrays of the same dtype and shape as the array on the device. What is not plain is left to
# Python.

from cpython.buffer cimport PyBUF_ND, PyBUF_WRITABLE

cdef object numpy_array_type = None        # numpy.ndarray


cdef bint plain_view(ArrayBase array, object host, int flags, Py_buffer *view) except -1:
    """Get the bytes of a host array that fits an array on a device; False, without an effect, for anything else."""
    cdef int i
    cdef bint fits
    if type(host) is not numpy_array_type or host.dtype is not array.dtype:
        return False
    try:
        PyObject_GetBuffer(host, view, PyBUF_ND | flags)       # C-contiguous, or refused
    except (BufferError, ValueError):
        return False
    fits = <size_t>view.len == array.nbytes and view.ndim == len(array.shape)
    for i in range(view.ndim):
        fits = fits and view.shape[i] == <object>array.shape[i]
    if not fits:
        PyBuffer_Release(view)
    return fits


cdef lp_queue *queue_for_copy(ArrayBase array, stream) except? NULL:
    """The queue of a stream of ours of the array's device, or of the current one; NULL: none is plain."""
    if stream is None:
        return array_stream(array.device).queue
    if isinstance(stream, QueueBase) and (<QueueBase>stream).device is array.device:
        return (<QueueBase>stream).queue
    return NULL


def register_host_arrays(kind not None):
    """Name the class of host arrays, numpy.ndarray."""
    global numpy_array_type
    numpy_array_type = kind


def upload_plain(ArrayBase array not None, host, stream, bint at_once=False):
    """Copy a NumPy array of the same dtype and shape to an array; False, without an effect, if that needs a closer
    look.

    A pinned array is read when the copy runs; `at_once`: at the call, as any other."""
    cdef lp_queue *queue
    cdef Py_buffer view
    array.check_lives()
    queue = queue_for_copy(array, stream)
    if queue == NULL or not plain_view(array, host, 0, &view):
        return False
    try:
        array_upload(array, queue, 0, <const char *>view.buf, array.nbytes, not at_once and is_pinned_for(host, array.device))
    finally:
        PyBuffer_Release(&view)
    return True


def download_plain(ArrayBase array not None, host, stream):
    """Copy an array to a NumPy array of the same dtype and shape; False, without an effect, if that needs a closer
    look.

    Without a stream it waits for the device's work on all streams."""
    cdef lp_queue *queue
    cdef Py_buffer view
    array.check_lives()
    queue = queue_for_copy(array, stream)
    if queue == NULL or not array.device.driver.stages or not plain_view(array, host, PyBUF_WRITABLE, &view):
        return False
    try:
        if stream is None:
            wait_for_others(array_stream(array.device))
        if is_pinned_for(host, array.device):
            download_pinned(array, queue, 0, <char *>view.buf, array.nbytes)
            await_end(queue)
        else:
            array_download(array, queue, 0, <char *>view.buf, array.nbytes)
    finally:
        PyBuffer_Release(&view)
    return True


def download_asynchronously(ArrayBase array not None, QueueBase stream not None, host not None):
    """Copy an array to a NumPy array over pinned memory in a stream's order; nothing is waited for.

    Returns
    -------
    bool
        False if the host array is not pinned, or not of the same dtype and shape: then nothing was done."""
    cdef Py_buffer view
    array.check_lives()
    if not plain_view(array, host, PyBUF_WRITABLE, &view):
        return False
    try:
        if not is_pinned_for(host, array.device):
            return False
        download_pinned(array, stream.queue, 0, <char *>view.buf, array.nbytes)
    finally:
        PyBuffer_Release(&view)
    return True


def upload_bytes(ArrayBase array not None, QueueBase stream not None, size_t offset, host not None):
    """Copy host memory, anything with contiguous bytes, to a part of an array in a stream's order."""
    cdef Py_buffer view
    PyObject_GetBuffer(host, &view, PyBUF_SIMPLE)
    try:
        if offset > array.nbytes or <size_t>view.len > array.nbytes - offset:
            raise errors.ArgumentValueError(f"expected at most {array.nbytes - offset} bytes, got {view.len}")
        array_upload(array, stream.queue, offset, <const char *>view.buf, view.len, False)
    finally:
        PyBuffer_Release(&view)


def download_bytes(ArrayBase array not None, QueueBase stream not None, size_t offset, host not None):
    """Copy a part of an array to host memory, anything with contiguous bytes that can be written; waits until it is
    there."""
    cdef Py_buffer view
    PyObject_GetBuffer(host, &view, PyBUF_WRITABLE)
    try:
        if offset > array.nbytes or <size_t>view.len > array.nbytes - offset:
            raise errors.ArgumentValueError(f"expected at most {array.nbytes - offset} bytes, got {view.len}")
        array_download(array, stream.queue, offset, <char *>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)


def upload_address(QueueBase stream not None, uintptr_t to, uintptr_t source, size_t size):
    """Copy host memory that is not pinned to an address of a device in a stream's order. The host's bytes are read before
    this returns."""
    if unlikely(stream.queue.shared and is_captured(stream.queue)):
        refuse_upload_to_graph()
    upload_by_ring(stream.device, stream.queue, <char *>to, <const char *>source, size)
    finish_if_blocking(stream.queue)


def download_address(QueueBase stream not None, uintptr_t to, uintptr_t source, size_t size):
    """Copy from an address of a device to host memory that is not pinned, after a stream's work; returns when it is
    there."""
    download_by_ring(stream.device, stream.queue, <const char *>source, <char *>to, size)
