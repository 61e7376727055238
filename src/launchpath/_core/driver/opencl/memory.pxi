# Memory with raw addresses: Intel's unified shared memory (USM) where the platform has it, else shared virtual memory.
#
# A device notes what it has allocated: how a block must be freed depends on how it was made, and no OpenCL device but
# AMD's says how much memory is free.

cdef enum opencl_memory:
    OPENCL_USM = 0
    OPENCL_SVM = 1
    OPENCL_PINNED = 2          # a mapped buffer: the host's address, which the device reaches by copies only

cdef enum:
    OPENCL_BUCKETS = 256

cdef struct opencl_block:
    void *address
    size_t size
    opencl_memory memory
    void *buffer               # OPENCL_PINNED: the cl_mem
    opencl_block *next


cdef inline uint32_t opencl_bucket(void *address) noexcept nogil:
    cdef uintptr_t bits = <uintptr_t>address >> 7
    return <uint32_t>((bits ^ (bits >> 8) ^ (bits >> 16)) & (OPENCL_BUCKETS - 1))


cdef int opencl_allocate(void *handle, void *queue, size_t size, memory_kind kind, void **address) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef opencl_block *block
    cdef opencl_block **bucket
    cdef const char *call
    cdef int32_t code = opencl_context(device)
    if code != 0:
        return code
    block = <opencl_block *>calloc(1, sizeof(opencl_block))
    if block == NULL:
        return opencl_fail("malloc", CL_OUT_OF_HOST_MEMORY)
    block.size = size
    if device.usm:
        block.memory = OPENCL_USM
        if kind == MEMORY_HOST and device.usm_host:
            call = "clHostMemAllocINTEL"
            block.address = device.clHostMemAllocINTEL(device.context, NULL, size, 0, &code)
        elif device.host_accessible or kind != MEMORY_DEVICE:
            call = "clSharedMemAllocINTEL"
            block.address = device.clSharedMemAllocINTEL(device.context, device.id, NULL, size, 0, &code)
        else:
            call = "clDeviceMemAllocINTEL"
            block.address = device.clDeviceMemAllocINTEL(device.context, device.id, NULL, size, 0, &code)
    elif kind != MEMORY_HOST or device.svm_flags & CL_MEM_SVM_FINE_GRAIN_BUFFER:
        block.memory = OPENCL_SVM
        call = "clSVMAlloc"
        block.address = cl_api.clSVMAlloc(device.context, device.svm_flags, size, 0)
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE      # clSVMAlloc gives no code
    else:
        block.memory = OPENCL_PINNED
        call = NULL
        code = opencl_pinned(device, block)
    if block.address == NULL:
        free(block)
        return opencl_fail(call, code) if call != NULL else code
    bucket = &device.blocks[opencl_bucket(block.address)]
    lp_lock_acquire(&device.lock)
    block.next = bucket[0]
    bucket[0] = block
    device.allocated += size
    lp_lock_release(&device.lock)
    address[0] = block.address
    return 0


cdef int opencl_pinned(opencl_device *device, opencl_block *block) noexcept nogil:
    cdef int32_t code = 0
    cdef void *queue = cl_api.clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code)
    if queue == NULL:
        return opencl_fail("clCreateCommandQueueWithProperties", code)
    block.buffer = cl_api.clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, block.size, NULL,
                                         &code)
    if block.buffer == NULL:
        opencl_fail("clCreateBuffer", code)
    else:
        block.address = cl_api.clEnqueueMapBuffer(queue, block.buffer, 1, CL_MAP_READ | CL_MAP_WRITE, 0, block.size,
                                                  0, NULL, NULL, &code)
        if block.address == NULL:
            opencl_fail("clEnqueueMapBuffer", code)
            cl_api.clReleaseMemObject(block.buffer)
    cl_api.clReleaseCommandQueue(queue)
    return code


cdef void opencl_unpin(opencl_device *device, opencl_block *block) noexcept nogil:
    cdef int32_t code = 0
    cdef void *queue = cl_api.clCreateCommandQueueWithProperties(device.context, device.id, NULL, &code)
    if queue != NULL:
        cl_api.clEnqueueUnmapMemObject(queue, block.buffer, block.address, 0, NULL, NULL)
        cl_api.clFinish(queue)
        cl_api.clReleaseCommandQueue(queue)
    cl_api.clReleaseMemObject(block.buffer)


cdef int opencl_free(void *handle, void *address, memory_kind kind) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef opencl_block *block
    cdef opencl_block **bucket = &device.blocks[opencl_bucket(address)]
    cdef opencl_block **link = bucket
    cdef int32_t code = 0
    if lp_exiting:
        return 0
    lp_lock_acquire(&device.lock)
    while link[0] != NULL and link[0].address != address:
        link = &link[0].next
    block = link[0]
    if block != NULL:
        link[0] = block.next
        device.allocated -= block.size
    lp_lock_release(&device.lock)
    if block == NULL:
        return opencl_fail("clMemFreeINTEL" if device.usm else "clSVMFree", CL_INVALID_VALUE)
    if block.memory == OPENCL_USM:
        code = device.clMemFreeINTEL(device.context, address)
    elif block.memory == OPENCL_SVM:
        cl_api.clSVMFree(device.context, address)
    else:
        opencl_unpin(device, block)
    if code == 0:
        free(block)
        return 0
    # The caller still has it, and may try again.
    lp_lock_acquire(&device.lock)
    block.next = bucket[0]
    bucket[0] = block
    device.allocated += block.size
    lp_lock_release(&device.lock)
    return opencl_fail("clMemFreeINTEL", code)


cdef int opencl_memory_info(void *handle, size_t *free_bytes, size_t *total) noexcept nogil:
    cdef opencl_device *device = <opencl_device *>handle
    cdef size_t kilobytes[2]
    total[0] = device.total_memory
    if device.amd_free_memory and cl_api.clGetDeviceInfo(device.id, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, sizeof(kilobytes),
                                                         kilobytes, NULL) == 0:
        free_bytes[0] = kilobytes[0] * 1024
        return 0
    lp_lock_acquire(&device.lock)
    free_bytes[0] = total[0] - device.allocated if device.allocated < total[0] else 0
    lp_lock_release(&device.lock)
    return 0
