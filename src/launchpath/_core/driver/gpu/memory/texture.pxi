# Textures: arrays of the library, or memory whose elements are read by their index, and texture objects over them.
#
# Measured on an H100, driver 580: cuArrayDestroy waits for the device; to create an array, to create and to destroy a
# texture object, and to copy do not. The units read an array of one axis as one of two axes with one row, so that the
# address mode of y counts: it is clamp. tex1Dfetch reads zeros from an array.

cdef struct gpu_texture:
    void *array                # or NULL: it reads memory that it does not own
    unsigned long long object
    size_t elements            # of a row
    size_t rows                # of a slice or a layer
    size_t slices              # or layers


cdef int gpu_format(const texture_facts *facts) noexcept nogil:
    if facts.kind == TEXEL_FLOAT:
        return GPU_FORMAT_HALF if facts.bits == 16 else GPU_FORMAT_FLOAT
    if facts.kind == TEXEL_SIGNED:
        return GPU_FORMAT_INT8 if facts.bits == 8 else GPU_FORMAT_INT16 if facts.bits == 16 else GPU_FORMAT_INT32
    return GPU_FORMAT_UINT8 if facts.bits == 8 else GPU_FORMAT_UINT16 if facts.bits == 16 else GPU_FORMAT_UINT32


cdef bint gpu_has_textures(const gpu_library *library) noexcept nogil:
    """Whether the library has all functions; else the first one that it lacks is what failed."""
    cdef const gpu_functions *call = &library.call
    cdef const gpu_names *names = library.names
    if call.array_create == NULL:
        gpu_fail(names.array_create, GPU_LACKING)
    elif call.array_destroy == NULL:
        gpu_fail(names.array_destroy, GPU_LACKING)
    elif call.texture_create == NULL:
        gpu_fail(names.texture_create, GPU_LACKING)
    elif call.texture_destroy == NULL:
        gpu_fail(names.texture_destroy, GPU_LACKING)
    elif library.hip and call.hip_copy_array == NULL:
        gpu_fail(names.hip_copy_array, GPU_LACKING)
    elif not library.hip and call.copy_array == NULL:
        gpu_fail(names.copy_array, GPU_LACKING)
    else:
        return True
    return False


cdef int gpu_texture_create(void *handle, const texture_facts *facts, void **created, uint64_t *object) noexcept nogil:
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_texture *texture
    cdef gpu_context context
    cdef int code
    if not gpu_has_textures(device.library):
        return GPU_LACKING
    code = gpu_open(device)
    if code:
        return code
    texture = <gpu_texture *>calloc(1, sizeof(gpu_texture))
    if texture == NULL:
        return ERROR_HOST_MEMORY
    code = gpu_begin_apart(device, &context)
    if code == 0:
        code = gpu_texture_make(device, facts, texture)
        gpu_end(&context)
    if code:
        free(texture)
        return code
    created[0], object[0] = texture, texture.object
    return 0


cdef int gpu_texture_make(gpu_device *device, const texture_facts *facts, gpu_texture *texture) noexcept nogil:
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef gpu_array array
    cdef gpu_resource resource
    cdef gpu_texture_reads reads
    cdef uint32_t i
    cdef int code
    memset(&resource, 0, sizeof(resource))
    texture.elements, texture.rows = facts.size[0], max(facts.size[1], <size_t>1)
    texture.slices = max(facts.size[2], max(facts.layers, <size_t>1))
    if facts.memory != NULL and facts.pitch:
        resource.type, resource.of.rows.memory = GPU_RESOURCE_ROWS, facts.memory
        resource.of.rows.format, resource.of.rows.channels = gpu_format(facts), facts.channels
        resource.of.rows.width, resource.of.rows.height = facts.size[0], texture.rows
        resource.of.rows.pitch = facts.pitch
    elif facts.memory != NULL:
        resource.type, resource.of.linear.memory = GPU_RESOURCE_LINEAR, facts.memory
        resource.of.linear.format, resource.of.linear.channels = gpu_format(facts), facts.channels
        resource.of.linear.size = facts.size[0] * facts.channels * facts.bits // 8
    else:
        memset(&array, 0, sizeof(array))
        array.width, array.height, array.depth = facts.size[0], facts.size[1], facts.size[2]
        array.format, array.channels = gpu_format(facts), facts.channels
        if facts.layers:
            array.depth, array.flags = facts.layers, GPU_ARRAY_LAYERED
        code = call.array_create(&texture.array, &array)
        if code:
            return gpu_fail(names.array_create, code)
        resource.type, resource.of.array = GPU_RESOURCE_ARRAY, texture.array
    memset(&reads, 0, sizeof(reads))
    for i in range(3):
        reads.address[i] = <int>facts.address[i]       # by the same numbers
    reads.filter = GPU_FILTER_LINEAR if facts.linear else GPU_FILTER_POINT
    reads.flags = GPU_NORMALIZED_COORDINATES if facts.normalized else 0
    if facts.kind != TEXEL_FLOAT and not facts.floats:
        reads.flags |= GPU_READ_AS_INTEGER
    code = call.texture_create(&texture.object, &resource, &reads, NULL)
    if code == 0:
        return 0
    if texture.array != NULL:
        call.array_destroy(texture.array)
    return gpu_fail(names.texture_create, code)


cdef int gpu_texture_release(void *handle, void *item) noexcept nogil:
    """The object first. If its array cannot be destroyed the call may be made again."""
    cdef gpu_device *device = <gpu_device *>handle
    cdef gpu_functions *call = &device.library.call
    cdef const gpu_names *names = device.library.names
    cdef gpu_texture *texture = <gpu_texture *>item
    cdef const char *name = names.texture_destroy
    cdef gpu_context context
    cdef int code = 0
    if lp_exiting:
        return 0
    if not gpu_may_wait(device.library):
        return gpu_fail(name, ERROR_HELD_BACK)
    code = gpu_begin_apart(device, &context)
    if code:
        return code
    if texture.object:
        code = call.texture_destroy(texture.object)
        if code == 0 or gpu_command_failed(code):
            code, texture.object = 0, 0
    if code == 0 and texture.array != NULL:
        name, code = names.array_destroy, call.array_destroy(texture.array)
        if gpu_command_failed(code):
            code = 0               # a context that has failed says so, and does it all the same
    gpu_end(&context)
    if code:
        return gpu_fail(name, code)
    free(texture)
    return 0


cdef int gpu_copy_texture(gpu_queue *q, const peer_command *copy) noexcept nogil:
    """All of it, from memory without gaps."""
    cdef gpu_library *library = q.device.library
    cdef gpu_texture *texture = <gpu_texture *>copy.to_texture
    cdef gpu_peer_row_copy rows
    cdef gpu_hip_array_copy elements
    cdef int code
    if library.hip:
        memset(&elements, 0, sizeof(elements))
        elements.source, elements.source_pitch = copy.source, copy.width
        elements.source_width, elements.source_rows = texture.elements, texture.rows
        elements.to_array, elements.kind = texture.array, HIP_MEMCPY_DEVICE_TO_DEVICE
        elements.width, elements.height, elements.depth = texture.elements, texture.rows, texture.slices
        code = library.call.hip_copy_array(&elements, q.stream)
        return 0 if code == 0 else gpu_fail(library.names.hip_copy_array, code)
    memset(&rows, 0, sizeof(rows))
    rows.source_type, rows.source = CUDA_MEMORY_DEVICE, copy.source
    rows.source_pitch, rows.source_height = copy.width, texture.rows
    rows.to_type, rows.to_array = CUDA_MEMORY_ARRAY, texture.array
    rows.width, rows.rows, rows.depth = copy.width, texture.rows, texture.slices
    code = library.call.copy_array(&rows, q.stream)
    return 0 if code == 0 else gpu_fail(library.names.copy_array, code)
