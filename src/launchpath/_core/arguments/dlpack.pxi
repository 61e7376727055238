# DLPack: descriptions of other libraries' arrays, and the export of launchpath's arrays.

from cpython.exc cimport PyErr_Clear, PyErr_SetInterrupt
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New

cdef extern from "arguments/dlpack.h" nogil:
    enum:
        DL_CPU, DL_CUDA, DL_CUDA_HOST, DL_ROCM, DL_ROCM_HOST, DL_CUDA_MANAGED
        DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT, DL_COMPLEX, DL_BOOL
    ctypedef struct dl_version:
        uint32_t major, minor
    ctypedef struct dl_tensor:
        void *data
        int32_t device_type, device_id, ndim
        uint8_t code, bits
        uint16_t lanes
        int64_t *shape
        int64_t *strides
        uint64_t byte_offset
    ctypedef struct dl_managed:
        dl_tensor tensor
        void *context
        void (*deleter)(dl_managed *self) noexcept nogil
    ctypedef struct dl_managed_versioned:
        dl_version version
        void *context
        void (*deleter)(dl_managed_versioned *self) noexcept nogil
        uint64_t flags
        dl_tensor tensor
    ctypedef struct dl_exchange:
        dl_version version
        dl_exchange *older
        int (*tensor_from_object)(void *object, dl_tensor *out)
        int (*current_stream)(int32_t device_type, int32_t device_id, void **out)

cdef extern from "Python.h" nogil:
    bint Py_IsInitialized()

cdef dict DL_KINDS = {"b": DL_BOOL, "i": DL_INT, "u": DL_UINT, "f": DL_FLOAT, "c": DL_COMPLEX}


cdef inline int dl_dtype(const dl_tensor *tensor) noexcept:
    """The core's code of the element type; 99 for one that only untyped pointers take."""
    if tensor.lanes != 1:
        return 99
    if tensor.code == DL_FLOAT:
        return 10 if tensor.bits == 32 else 11 if tensor.bits == 64 else 9 if tensor.bits == 16 else 99
    if tensor.code == DL_INT or tensor.code == DL_UINT:
        # int8, uint8, int16, ... from 1 on.
        return (1 if tensor.bits == 8 else 3 if tensor.bits == 16 else 5 if tensor.bits == 32 else 7
                if tensor.bits == 64 else 98) + (tensor.code == DL_UINT)
    if tensor.code == DL_BOOL and tensor.bits == 8:
        return 0
    if tensor.code == DL_COMPLEX:
        return 12 if tensor.bits == 64 else 13 if tensor.bits == 128 else 99
    return 99


cdef bint dl_empty(const dl_tensor *tensor) noexcept:
    cdef int32_t i
    for i in range(tensor.ndim):
        if tensor.shape[i] == 0:
            return True
    return False


cdef inline bint dl_contiguous(const dl_tensor *tensor) noexcept:
    cdef int64_t expected = 1
    cdef int32_t i
    if tensor.strides == NULL:
        return True
    for i in range(tensor.ndim - 1, -1, -1):
        if tensor.shape[i] != 1 and tensor.strides[i] != expected:
            return dl_empty(tensor)
        expected *= tensor.shape[i]
    return True


cdef bint python_lives() noexcept nogil:
    """Whether the GIL can be taken. The other library may drop an array when its own memory goes: as the process ends,
    after the interpreter, or on a thread of its own while that ends, which would wait for ever. Then the array is left
    as it is."""
    return Py_IsInitialized() and (not lp_runtime.exiting or PyGILState_Check())


cdef void dl_give_up(dl_managed *self) noexcept nogil:
    if python_lives():
        with gil:
            Py_DECREF(<object>self.context)
        free(self)


cdef void dl_give_up_versioned(dl_managed_versioned *self) noexcept nogil:
    if python_lives():
        with gil:
            Py_DECREF(<object>self.context)
        free(self)


cdef void dl_drop(object capsule) noexcept:
    """A capsule that nobody took."""
    cdef dl_managed *managed
    if PyCapsule_IsValid(capsule, b"dltensor"):
        managed = <dl_managed *>PyCapsule_GetPointer(capsule, b"dltensor")
        managed.deleter(managed)


cdef void dl_drop_versioned(object capsule) noexcept:
    cdef dl_managed_versioned *managed
    if PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        managed = <dl_managed_versioned *>PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        managed.deleter(managed)


def dlpack_capsule(ArrayBase array not None, int device_type, int device_id, bint versioned):
    """Describe an array for another library, which keeps it until it calls the description's deleter."""
    cdef size_t head = sizeof(dl_managed_versioned) if versioned else sizeof(dl_managed)
    cdef size_t rank = len(array.shape)
    cdef char *block
    cdef dl_tensor *tensor
    cdef dl_managed *managed
    cdef dl_managed_versioned *managed_versioned
    cdef size_t i
    cdef Loan loan = Loan(array)
    array.expose()
    if array.dtype.kind not in DL_KINDS or not array.dtype.isnative:
        raise BufferError(f"DLPack has no type for {array.dtype}")
    block = <char *>calloc(1, head + (rank + 1) * sizeof(int64_t))
    if block == NULL:
        raise MemoryError
    if versioned:
        managed_versioned = <dl_managed_versioned *>block
        managed_versioned.version.major, managed_versioned.version.minor = 1, 0
        managed_versioned.context, managed_versioned.deleter = <void *>loan, dl_give_up_versioned
        tensor = &managed_versioned.tensor
    else:
        managed = <dl_managed *>block
        managed.context, managed.deleter = <void *>loan, dl_give_up
        tensor = &managed.tensor
    tensor.data, tensor.ndim = array.address, <int32_t>rank
    tensor.device_type, tensor.device_id = device_type, device_id
    tensor.code, tensor.bits, tensor.lanes = DL_KINDS[array.dtype.kind], 8 * array.dtype.itemsize, 1
    tensor.shape = <int64_t *>(block + head)
    for i in range(rank):
        tensor.shape[i] = array.shape[i]
    Py_INCREF(loan)
    if versioned:
        return PyCapsule_New(block, b"dltensor_versioned", dl_drop_versioned)
    return PyCapsule_New(block, b"dltensor", dl_drop)
