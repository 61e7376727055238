# Copies of rows of equal size at equal distances (pitches): by one two-dimensional copy of CUDA's or HIP's library where
# it takes the pitches, else by a copy for each row.

cdef size_t GPU_LARGEST_PITCH = 0x7FFFFFFF     # of every device that there is (CU_DEVICE_ATTRIBUTE_MAX_PITCH)


cdef int gpu_submit_rows(gpu_queue *q, const rows_command *rows) noexcept nogil:
    cdef size_t row
    cdef int code = 0
    if rows.width == 0 or rows.rows == 0:
        return 0
    if gpu_takes_rows(q.device.library) and max(rows.to_pitch, rows.source_pitch) <= GPU_LARGEST_PITCH:
        return gpu_copy_rows(q, rows.to, rows.to_pitch, rows.source, rows.source_pitch, rows.width, rows.rows)
    for row in range(rows.rows):
        if code == 0:
            code = gpu_copy(q.device, q.stream, <char *>rows.to + row * rows.to_pitch,
                            <const char *>rows.source + row * rows.source_pitch, rows.width)
    return code


cdef inline bint gpu_takes_rows(const gpu_library *library) noexcept nogil:
    return library.call.copy_rows != NULL or library.call.hip_copy_rows != NULL


cdef int gpu_copy_rows(gpu_queue *q, void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                       size_t rows) noexcept nogil:
    cdef gpu_library *library = q.device.library
    cdef gpu_row_copy copy
    cdef int code
    if library.hip:
        code = library.call.hip_copy_rows(to, to_pitch, source, source_pitch, width, rows, HIP_MEMCPY_DEFAULT, q.stream)
        return 0 if code == 0 else gpu_fail(library.names.hip_copy_rows, code)
    memset(&copy, 0, sizeof(copy))
    copy.to_type = copy.source_type = CUDA_MEMORY_UNIFIED      # either address may be of pinned memory
    copy.to, copy.to_pitch, copy.source, copy.source_pitch = to, to_pitch, source, source_pitch
    copy.width, copy.rows = width, rows
    code = library.call.copy_rows(&copy, q.stream)
    return 0 if code == 0 else gpu_fail(library.names.copy_rows, code)
