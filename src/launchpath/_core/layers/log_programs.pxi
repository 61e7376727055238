# LAUNCHPATH_LOG for programs, kernels and questions about foreign code's objects; see log.pxi.


cdef int log_named(const driver_table *below, const char *call, const void *on, const char *name, const char *quantity,
                   uint64_t size, uint64_t began, int code) noexcept nogil:
    """Print a call with the name of the kernel or the symbol that it is about."""
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.%s(%p, %s, %s %llu) %s %d, %.2f us\n", below.name, call, on, name, quantity,
            <unsigned long long>size, result_name(below, code), code, (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code


cdef inline const char *name_of(const void *kernel) noexcept nogil:
    """The kernel's name: its first field, see driver/table.pxi."""
    return (<const char **>kernel)[0]


cdef const char *fact_name(kernel_fact fact) noexcept nogil:
    if fact == KERNEL_MAX_THREADS:
        return b"max threads"
    elif fact == KERNEL_SHARED:
        return b"shared bytes"
    elif fact == KERNEL_LOCAL:
        return b"local bytes"
    elif fact == KERNEL_REGISTERS:
        return b"registers"
    elif fact == KERNEL_BLOCK_MULTIPLE:
        return b"block multiple"
    elif fact == KERNEL_DYNAMIC_SHARED:
        return b"dynamic shared"
    elif fact == KERNEL_CONSTANT:
        return b"constant bytes"
    elif fact == KERNEL_PTX_VERSION:
        return b"PTX version"
    elif fact == KERNEL_BINARY_VERSION:
        return b"binary version"
    elif fact == KERNEL_MOST_DYNAMIC:
        return b"most dynamic shared bytes"
    return b"arguments" if fact == KERNEL_ARGUMENTS else b"function"


cdef int log_program_build(void *device, const char *source, size_t size, const char *options, lp_text *log,
                           void **program) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"program_build", device, options, b"bytes", size, began,
                     below.program_build(device, source, size, options, log, program))

cdef int log_program_load(void *device, const void *data, size_t size, const char *options, lp_text *log,
                          void **program) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"program_load", device, b"bytes", size, began,
                    below.program_load(device, data, size, options, log, program))

cdef int log_program_link(void *device, uint32_t n, const program_part *parts, lp_text *log,
                          lp_text *binary) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"program_link", device, b"parts", n, began,
                    below.program_link(device, n, parts, log, binary))

cdef int log_output_show(void *device) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"output_show", device, b"-", 0, began, below.output_show(device))

cdef int log_program_kernels(void *device, void *program, lp_text *names) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"program_kernels", program, b"-", 0, began, below.program_kernels(device, program, names))

cdef int log_program_binary(void *device, void *program, lp_text *binary) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.program_binary(device, program, binary)
    return log_call(below, b"program_binary", program, b"bytes", binary.size, began, code)

cdef int log_program_symbol(void *device, void *program, const char *name, void **address, size_t *size) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.program_symbol(device, program, name, address, size)
    return log_named(below, b"program_symbol", program, name, b"bytes", size[0], began, code)

cdef int log_program_release(void *device, void *program) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"program_release", program, b"-", 0, began, below.program_release(device, program))

cdef int log_kernel_find(void *device, void *program, const char *name, const kernel_use *use,
                         void **kernel) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code
    if strcmp(name, use.label) == 0:
        return log_named(below, b"kernel_find", program, name, b"bytes", use.parameter_bytes, began,
                         below.kernel_find(device, program, name, use, kernel))
    code = below.kernel_find(device, program, name, use, kernel)
    lp_here.in_driver -= 1
    fprintf(stderr, b"launchpath: %s.kernel_find(%p, %s as %s, bytes %llu) %s %d, %.2f us\n", below.name, program,
            use.label, name, <unsigned long long>use.parameter_bytes, result_name(below, code), code,
            (lp_nanoseconds() - began) / 1000.0)
    fflush(stderr)
    return code

cdef int log_kernel_adopt(void *device, void *function, void **kernel) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"kernel_adopt", device, b"function", <uint64_t><uintptr_t>function, began,
                    below.kernel_adopt(device, function, kernel))

cdef void log_kernel_release(void *device, void *kernel) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    below.kernel_release(device, kernel)
    log_call(below, b"kernel_release", kernel, b"-", 0, began, 0)      # its name has gone

cdef int log_kernel_get(void *device, void *kernel, kernel_fact fact, int64_t *value) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    cdef int code = below.kernel_get(device, kernel, fact, value)
    return log_named(below, b"kernel_get", kernel, name_of(kernel), fact_name(fact), <uint64_t>value[0], began, code)

cdef int log_kernel_lay_out(void *device, void *kernel, uint32_t n, const size_t *offsets,
                            const size_t *sizes) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"kernel_lay_out", kernel, name_of(kernel), b"parameters", n, began,
                     below.kernel_lay_out(device, kernel, n, offsets, sizes))

cdef int log_kernel_allow_shared(void *device, void *kernel, size_t size) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"kernel_allow_shared", kernel, name_of(kernel), b"bytes", size, began,
                     below.kernel_allow_shared(device, kernel, size))

cdef int log_kernel_occupancy(void *device, void *kernel, int threads, size_t shared, int *blocks) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"kernel_occupancy", kernel, name_of(kernel), b"threads", threads, began,
                     below.kernel_occupancy(device, kernel, threads, shared, blocks))

cdef int log_kernel_suggest(void *device, void *kernel, size_t shared, int most, int *threads,
                            int *blocks) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"kernel_suggest", kernel, name_of(kernel), b"at most threads", most, began,
                     below.kernel_suggest(device, kernel, shared, most, threads, blocks))

cdef int log_kernel_parameter(void *device, void *kernel, size_t index, size_t *offset, size_t *size) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_named(below, b"kernel_parameter", kernel, name_of(kernel), b"index", index, began,
                     below.kernel_parameter(device, kernel, index, offset, size))

cdef int log_kernel_function(void *device, void *kernel, void **function) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"kernel_function", device, b"kernel", <uint64_t><uintptr_t>kernel, began,
                    below.kernel_function(device, kernel, function))

cdef int log_stream_blocking(void *device, void *stream, bint *blocking) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"stream_blocking", device, b"stream", <uint64_t><uintptr_t>stream, began,
                    below.stream_blocking(device, stream, blocking))

cdef int log_address_device(void *device, void *address, int *ordinal) noexcept nogil:
    cdef const driver_table *below = below_device(device, LAYER_LOG)
    cdef uint64_t began = log_begin()
    return log_call(below, b"address_device", device, b"address", <uint64_t><uintptr_t>address, began,
                    below.address_device(device, address, ordinal))


cdef void log_programs(driver_table *table) noexcept nogil:
    """Take the place of the entries; what the driver leaves out stays out."""
    table.kernel_find, table.kernel_release, table.kernel_get = log_kernel_find, log_kernel_release, log_kernel_get
    table.program_release = log_program_release
    if table.program_build != NULL:
        table.program_build = log_program_build
    if table.program_load != NULL:
        table.program_load = log_program_load
    if table.program_link != NULL:
        table.program_link = log_program_link
    if table.output_show != NULL:
        table.output_show = log_output_show
    if table.program_kernels != NULL:
        table.program_kernels = log_program_kernels
    if table.program_binary != NULL:
        table.program_binary = log_program_binary
    if table.program_symbol != NULL:
        table.program_symbol = log_program_symbol
    log_questions(table)


cdef void log_questions(driver_table *table) noexcept nogil:
    """The same for what can be left out of the rest."""
    if table.kernel_adopt != NULL:
        table.kernel_adopt = log_kernel_adopt
    if table.kernel_lay_out != NULL:
        table.kernel_lay_out = log_kernel_lay_out
    if table.kernel_allow_shared != NULL:
        table.kernel_allow_shared = log_kernel_allow_shared
    if table.kernel_occupancy != NULL:
        table.kernel_occupancy = log_kernel_occupancy
    if table.kernel_suggest != NULL:
        table.kernel_suggest = log_kernel_suggest
    if table.kernel_parameter != NULL:
        table.kernel_parameter = log_kernel_parameter
    if table.kernel_function != NULL:
        table.kernel_function = log_kernel_function
    if table.stream_blocking != NULL:
        table.stream_blocking = log_stream_blocking
    if table.address_device != NULL:
        table.address_device = log_address_device
