# cython: language_level=3
"""A Python module in Cython that launches the kernel by its symbol, without the GIL."""

from libc.stdint cimport uint32_t, uint64_t, uintptr_t

cdef extern from "Python.h":
    pass

cdef extern from "launchpath.h":
    ctypedef int launchpath_status
    ctypedef struct launchpath_symbol:
        const char *name
    ctypedef struct launchpath_configuration:
        uint32_t grid[3]
        uint32_t block[3]
        uint32_t shared
        uint32_t flags
        uint64_t stream
    ctypedef struct launchpath_api:
        const char *(*error_text)() noexcept nogil
    const launchpath_api *launchpath_table
    int launchpath_import() except -1
    launchpath_status launchpath_launch(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                        void *const *arguments, size_t count) noexcept nogil

launchpath_import()

cdef launchpath_symbol saxpy
saxpy.name = "saxpy"


def launch(float a, uintptr_t x, uintptr_t y, int n, uint64_t stream):
    """Launch on the device addresses x and y; stream is ``Stream.c_handle``, or 0."""
    cdef launchpath_configuration at
    cdef void *arguments[4]
    cdef launchpath_status status
    at.grid[0], at.grid[1], at.grid[2] = (n + 255) // 256, 1, 1
    at.block[0], at.block[1], at.block[2] = 256, 1, 1
    at.shared, at.flags, at.stream = 0, 0, stream
    arguments[0], arguments[1], arguments[2], arguments[3] = &a, &x, &y, &n
    with nogil:
        status = launchpath_launch(&saxpy, &at, arguments, 4)
    if status:
        raise RuntimeError(f"status {status}: {launchpath_table.error_text().decode()}")
