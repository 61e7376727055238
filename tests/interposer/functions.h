/* The functions of OpenCL that launchpath calls. CODE(name, parameters, arguments) returns a code.
 * ENQUEUE is that with an event to give out last, as `event`. OBJECT(kind, name, ...) returns an object, with a code in
 * `*code`, its last parameter. RELEASE(kind, name, ...) ends what its last parameter, `object`, stands for. */
CODE(clGetPlatformIDs, (uint32_t n, void **ids, uint32_t *count), (n, ids, count))
CODE(clGetPlatformInfo, (void *id, uint32_t what, size_t size, void *value, size_t *needed), (id, what, size, value, needed))
CODE(clGetDeviceIDs, (void *platform, uint64_t type, uint32_t n, void **ids, uint32_t *count),
     (platform, type, n, ids, count))
CODE(clGetDeviceInfo, (void *id, uint32_t what, size_t size, void *value, size_t *needed), (id, what, size, value, needed))
OBJECT(CONTEXT, clCreateContext,
       (const intptr_t *properties, uint32_t n, void **devices, void *notify, void *data, int32_t *code),
       (properties, n, devices, notify, data, code))
RELEASE(CONTEXT, clReleaseContext, (void *object), (object))
OBJECT(QUEUE, clCreateCommandQueueWithProperties,
       (void *context, void *device, const uint64_t *properties, int32_t *code), (context, device, properties, code))
RELEASE(QUEUE, clReleaseCommandQueue, (void *object), (object))
CODE(clFlush, (void *queue), (queue))
CODE(clFinish, (void *queue), (queue))
OBJECT(PROGRAM, clCreateProgramWithSource,
       (void *context, uint32_t n, const char **texts, const size_t *sizes, int32_t *code), (context, n, texts, sizes, code))
OBJECT(PROGRAM, clCreateProgramWithBinary,
       (void *context, uint32_t n, void **devices, const size_t *sizes, const unsigned char **binaries, int32_t *status,
        int32_t *code),
       (context, n, devices, sizes, binaries, status, code))
OBJECT(PROGRAM, clCreateProgramWithIL, (void *context, const void *il, size_t size, int32_t *code),
       (context, il, size, code))
RELEASE(PROGRAM, clReleaseProgram, (void *object), (object))
CODE(clBuildProgram, (void *program, uint32_t n, void **devices, const char *options, void *notify, void *data),
     (program, n, devices, options, notify, data))
CODE(clGetProgramInfo, (void *program, uint32_t what, size_t size, void *value, size_t *needed),
     (program, what, size, value, needed))
CODE(clGetProgramBuildInfo, (void *program, void *device, uint32_t what, size_t size, void *value, size_t *needed),
     (program, device, what, size, value, needed))
OBJECT(KERNEL, clCreateKernel, (void *program, const char *name, int32_t *code), (program, name, code))
RELEASE(KERNEL, clReleaseKernel, (void *object), (object))
CODE(clSetKernelArg, (void *kernel, uint32_t index, size_t size, const void *value), (kernel, index, size, value))
CODE(clSetKernelArgSVMPointer, (void *kernel, uint32_t index, const void *value), (kernel, index, value))
CODE(clSetKernelExecInfo, (void *kernel, uint32_t what, size_t size, const void *value), (kernel, what, size, value))
CODE(clGetKernelInfo, (void *kernel, uint32_t what, size_t size, void *value, size_t *needed),
     (kernel, what, size, value, needed))
CODE(clGetKernelArgInfo, (void *kernel, uint32_t index, uint32_t what, size_t size, void *value, size_t *needed),
     (kernel, index, what, size, value, needed))
CODE(clGetKernelWorkGroupInfo, (void *kernel, void *device, uint32_t what, size_t size, void *value, size_t *needed),
     (kernel, device, what, size, value, needed))
ENQUEUE(clEnqueueNDRangeKernel,
        (void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global, const size_t *local,
         uint32_t n, void **waits, void **event),
        (queue, kernel, dimensions, offset, global, local, n, waits, event))
ENQUEUE(clEnqueueMarkerWithWaitList, (void *queue, uint32_t n, void **waits, void **event), (queue, n, waits, event))
ENQUEUE(clEnqueueBarrierWithWaitList, (void *queue, uint32_t n, void **waits, void **event), (queue, n, waits, event))
CODE(clWaitForEvents, (uint32_t n, void **events), (n, events))
CODE(clGetEventInfo, (void *event, uint32_t what, size_t size, void *value, size_t *needed),
     (event, what, size, value, needed))
CODE(clGetEventProfilingInfo, (void *event, uint32_t what, size_t size, void *value, size_t *needed),
     (event, what, size, value, needed))
RELEASE(EVENT, clReleaseEvent, (void *object), (object))
CODE(clSetEventCallback, (void *event, int32_t status, void *function, void *data), (event, status, function, data))
OBJECT(EVENT, clCreateUserEvent, (void *context, int32_t *code), (context, code))
CODE(clSetUserEventStatus, (void *event, int32_t status), (event, status))
ENQUEUE(clEnqueueSVMMemcpy,
        (void *queue, uint32_t blocking, void *to, const void *from, size_t size, uint32_t n, void **waits, void **event),
        (queue, blocking, to, from, size, n, waits, event))
ENQUEUE(clEnqueueSVMMemFill,
        (void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n, void **waits,
         void **event),
        (queue, to, pattern, pattern_size, size, n, waits, event))
OBJECT(MEMORY, clCreateBuffer, (void *context, uint64_t flags, size_t size, void *host, int32_t *code),
       (context, flags, size, host, code))
RELEASE(MEMORY, clReleaseMemObject, (void *object), (object))
ENQUEUE(clEnqueueUnmapMemObject, (void *queue, void *memory, void *address, uint32_t n, void **waits, void **event),
        (queue, memory, address, n, waits, event))

/* Of Intel's extension for unified shared memory: found by clGetExtensionFunctionAddressForPlatform. */
OBJECT(MEMORY, clHostMemAllocINTEL,
       (void *context, const intptr_t *properties, size_t size, uint32_t alignment, int32_t *code),
       (context, properties, size, alignment, code))
OBJECT(MEMORY, clDeviceMemAllocINTEL,
       (void *context, void *device, const intptr_t *properties, size_t size, uint32_t alignment, int32_t *code),
       (context, device, properties, size, alignment, code))
OBJECT(MEMORY, clSharedMemAllocINTEL,
       (void *context, void *device, const intptr_t *properties, size_t size, uint32_t alignment, int32_t *code),
       (context, device, properties, size, alignment, code))
RELEASE(MEMORY, clMemFreeINTEL, (void *context, void *object), (context, object))
ENQUEUE(clEnqueueMemcpyINTEL,
        (void *queue, uint32_t blocking, void *to, const void *from, size_t size, uint32_t n, void **waits, void **event),
        (queue, blocking, to, from, size, n, waits, event))
ENQUEUE(clEnqueueMemFillINTEL,
        (void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, uint32_t n, void **waits,
         void **event),
        (queue, to, pattern, pattern_size, size, n, waits, event))
CODE(clSetKernelArgMemPointerINTEL, (void *kernel, uint32_t index, const void *value), (kernel, index, value))
