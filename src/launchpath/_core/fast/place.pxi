# Where a launch goes that another library would make: its current device and stream, and the driver's function.

cdef enum:
    FAST_NOWHERE = -1

cdef extern from *:
    """
    typedef int (*lp_fast_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                                  void **, void **);
    typedef int (*lp_fast_device)(int32_t *);
    typedef int (*lp_fast_stream)(int32_t, void **);
    typedef int (*lp_fast_context)(void **);
    """
    ctypedef int (*lp_fast_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                                   void **, void **) noexcept nogil
    ctypedef int (*lp_fast_device)(int32_t *) noexcept nogil
    ctypedef int (*lp_fast_stream)(int32_t, void **) noexcept nogil
    ctypedef int (*lp_fast_context)(void **) noexcept nogil


cdef class FastPlace:
    """Finds a library's current device and stream.

    Parameters
    ----------
    launch : int
        Address of ``cuLaunchKernel``.
    device, stream : callable
        What the library asks: no argument, and the number of the device.
    device_function, stream_function : int
        Addresses of C functions that answer the same, or 0: ``int (int32_t *device)``, ``int (int32_t device, void **)``.
    context_function : int
        Address of ``cuCtxGetCurrent``, for libraries that launch in the current context.
    """
    cdef lp_fast_launch launch
    cdef object device, stream
    cdef lp_fast_device device_function
    cdef lp_fast_stream stream_function
    cdef lp_fast_context context_function

    def use(self, launch, device=None, stream=None, device_function=0, stream_function=0, context_function=0):
        """See the class."""
        self.launch = <lp_fast_launch><uintptr_t>launch
        self.device, self.stream = device, stream
        self.device_function = <lp_fast_device><uintptr_t>device_function
        self.stream_function = <lp_fast_stream><uintptr_t>stream_function
        self.context_function = <lp_fast_context><uintptr_t>context_function

    def __init__(self):
        self.device = self.stream = None

    def now(self):
        """The current device and stream, for tests."""
        cdef int64_t device = place_device(self)
        return device, <uintptr_t>place_stream(self, device)


cdef inline int64_t place_device(FastPlace place) except? -2:
    cdef int32_t device
    if likely(place.device_function != NULL):
        return device if place.device_function(&device) == 0 else FAST_NOWHERE
    return place.device()


cdef inline int64_t place_context(FastPlace place) noexcept:
    """The current context's address; `FAST_NOWHERE`: there is none."""
    cdef void *context = NULL
    if unlikely(place.context_function == NULL or place.context_function(&context) or context == NULL):
        return FAST_NOWHERE
    return <int64_t><uintptr_t>context


cdef inline void *place_stream(FastPlace place, int64_t device) except? NULL:
    cdef void *stream = NULL
    if likely(place.stream_function != NULL) and place.stream_function(<int32_t>device, &stream) == 0:
        return stream
    return <void *><uintptr_t>place.stream(device)


cdef inline int place_launch(FastPlace place, FastSpecialization of, const uint32_t *grid, const uint32_t *block,
                             uint32_t shared, void *stream, char *packed) noexcept:
    """The driver's code. Other threads may run meanwhile, as during the original's launch: the call can block."""
    cdef void *extra[5]
    cdef int code
    cdef lp_fast_launch launch = place.launch
    cdef void *function = of.function
    cdef size_t size = of.size
    extra[0], extra[1] = <void *>GPU_LAUNCH_BUFFER_POINTER, <void *>packed
    extra[2], extra[3], extra[4] = <void *>GPU_LAUNCH_BUFFER_SIZE, <void *>&size, <void *>CUDA_LAUNCH_END
    with nogil:
        code = launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, stream, NULL,
                      extra if size else NULL)
    return code
