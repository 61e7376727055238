/* Functions of extensions, which programs ask for by name. Each platform has its own; which is called is told by the queue, the
   context or the command buffer. Here are Intel's functions for unified memory; buffers.h has command buffers. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_EXTENSIONS_H
#define LAUNCHPATH_RECORDER_OPENCL_EXTENSIONS_H

#include "wrappers.h"

enum { PLATFORMS_MOST = 16, CL_CONTEXT_DEVICES_ = 0x1081, CONTEXT_DEVICES_MOST = 64, CL_KERNEL_CONTEXT_ = 0x1193 };

#define OPENCL_EXTENSIONS_ALL                                                                                          \
    ENTRY(clCreateCommandBufferKHR) ENTRY(clReleaseCommandBufferKHR) ENTRY(clEnqueueCommandBufferKHR)                  \
    ENTRY(clCommandNDRangeKernelKHR) ENTRY(clCommandCopyBufferKHR) ENTRY(clCommandCopyBufferRectKHR)                   \
    ENTRY(clCommandCopyBufferToImageKHR) ENTRY(clCommandCopyImageKHR) ENTRY(clCommandCopyImageToBufferKHR)             \
    ENTRY(clCommandFillBufferKHR) ENTRY(clCommandFillImageKHR) ENTRY(clCommandSVMMemcpyKHR)                            \
    ENTRY(clCommandSVMMemFillKHR) ENTRY(clUpdateMutableCommandsKHR)                                                    \
    ENTRY(clEnqueueMemcpyINTEL) ENTRY(clEnqueueMemFillINTEL) ENTRY(clEnqueueMigrateMemINTEL)                           \
    ENTRY(clEnqueueMemAdviseINTEL) ENTRY(clHostMemAllocINTEL) ENTRY(clDeviceMemAllocINTEL)                             \
    ENTRY(clSharedMemAllocINTEL) ENTRY(clMemFreeINTEL) ENTRY(clMemBlockingFreeINTEL)                                   \
    ENTRY(clSetKernelArgMemPointerINTEL) ENTRY(clSetKernelArgDevicePointerEXT)

enum opencl_extension {
#define ENTRY(name) X_##name,
    OPENCL_EXTENSIONS_ALL
#undef ENTRY
    OPENCL_EXTENSIONS
};

static struct {
    lp_lock lock;
    int n;
    void *platforms[PLATFORMS_MOST];
    void *functions[PLATFORMS_MOST][OPENCL_EXTENSIONS];
} opencl_more;

/* A platform's function. The program has it from some platform: where this one has none, from another. */
static void *more_of(void *platform, int extension) {
    int i;
    for (i = 0; i < opencl_more.n; i++)
        if (opencl_more.platforms[i] == platform && opencl_more.functions[i][extension]) return opencl_more.functions[i][extension];
    for (i = 0; i < PLATFORMS_MOST - 1 && opencl_more.functions[i][extension] == 0; i++) {}
    return opencl_more.functions[i][extension];
}

static void *more_platform_of_queue(void *queue) {
    uint64_t known = handle_find(&opencl.queues, (uint64_t)(uintptr_t)queue);
    void *device = 0, *platform = 0;
    if (known) return ((const opencl_queue *)(uintptr_t)known)->platform;
    if (queue && opencl_ask(D_clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_, &device, sizeof device) == 0)
        opencl_ask(D_clGetDeviceInfo, device, CL_DEVICE_PLATFORM_, &platform, sizeof platform);
    return platform;
}

static void *more_platform_of_context(void *context) {
    void *devices[CONTEXT_DEVICES_MOST] = {0}, *platform = 0;
    if (context && opencl_ask(D_clGetContextInfo, context, CL_CONTEXT_DEVICES_, devices, sizeof devices) == 0 && devices[0])
        opencl_ask(D_clGetDeviceInfo, devices[0], CL_DEVICE_PLATFORM_, &platform, sizeof platform);
    return platform;
}

static void *more_platform_of_kernel(void *kernel) {
    void *context = 0;
    if (opencl_more.n < 2) return opencl_more.platforms[0];
    return kernel && opencl_ask(D_clGetKernelInfo, kernel, CL_KERNEL_CONTEXT_, &context, sizeof context) == 0 ? more_platform_of_context(context) : 0;
}

#define OF_QUEUE(name) more_of(more_platform_of_queue(queue), X_##name)
#define OF_CONTEXT(name) more_of(more_platform_of_context(context), X_##name)
#define EVENTS uint32_t n, void *const *waits, void **event
#define QUEUE_AT opencl_place_of(ring, queue)

COMMAND_BY(OF_QUEUE(clEnqueueMemcpyINTEL), clEnqueueMemcpyINTEL, (void *queue, uint32_t blocking, void *to, const void *from, size_t size, EVENTS),
           (queue, blocking, to, from, size, n, waits, event), n, opencl_copy(&what, COMMAND_COPY, COPY_UNKNOWN, size, to, from),
           opencl_copied(&proof, blocking))
COMMAND_BY(OF_QUEUE(clEnqueueMemFillINTEL), clEnqueueMemFillINTEL, (void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, EVENTS),
           (queue, to, pattern, pattern_size, size, n, waits, event), n, opencl_copy(&what, COMMAND_FILL, 0, size, to, 0),
           evidence_pattern(&proof, pattern, pattern_size))
CALL_BY(OF_QUEUE(clEnqueueMigrateMemINTEL), clEnqueueMigrateMemINTEL, (void *queue, const void *at, size_t size, uint64_t flags, EVENTS),
        (queue, at, size, flags, n, waits, event), QUEUE_AT, size, opencl_waits(&proof, n, waits, event))
CALL_BY(OF_QUEUE(clEnqueueMemAdviseINTEL), clEnqueueMemAdviseINTEL, (void *queue, const void *at, size_t size, uint32_t advice, EVENTS),
        (queue, at, size, advice, n, waits, event), QUEUE_AT, size, opencl_waits(&proof, n, waits, event))
MAKE_BY(OF_CONTEXT(clHostMemAllocINTEL), clHostMemAllocINTEL, (void *context, const uint64_t *properties, size_t size, uint32_t alignment, int32_t *result),
        (context, properties, size, alignment, result), (void)0, OPENCL_NOWHERE, size, (void)0)
MAKE_BY(OF_CONTEXT(clDeviceMemAllocINTEL), clDeviceMemAllocINTEL,
        (void *context, void *device, const uint64_t *properties, size_t size, uint32_t alignment, int32_t *result),
        (context, device, properties, size, alignment, result), (void)0, OPENCL_NOWHERE, size, (void)0)
MAKE_BY(OF_CONTEXT(clSharedMemAllocINTEL), clSharedMemAllocINTEL,
        (void *context, void *device, const uint64_t *properties, size_t size, uint32_t alignment, int32_t *result),
        (context, device, properties, size, alignment, result), (void)0, OPENCL_NOWHERE, size, (void)0)
CALL_BY(OF_CONTEXT(clMemFreeINTEL), clMemFreeINTEL, (void *context, void *at), (context, at), OPENCL_NOWHERE, 0, (void)0)
CALL_BY(OF_CONTEXT(clMemBlockingFreeINTEL), clMemBlockingFreeINTEL, (void *context, void *at), (context, at), OPENCL_NOWHERE, 0, (void)0)

/* A kernel has no platform that it is asked for at once: its program's context has. */
#define SET_POINTER(name)                                                                                              \
    static int32_t layer_##name(void *kernel, uint32_t index, const void *value) {                                     \
        int32_t code = ((int32_t(*)(void *, uint32_t, const void *))more_of(more_platform_of_kernel(kernel), X_##name))(kernel, index, value); \
        if (code == 0 && options.findings) opencl_argument_set(kernel, index, &value, sizeof value, ARGUMENT_POINTER);  \
        return code;                                                                                                   \
    }
SET_POINTER(clSetKernelArgMemPointerINTEL)
SET_POINTER(clSetKernelArgDevicePointerEXT)
#undef SET_POINTER
#undef EVENTS
#undef QUEUE_AT
#undef OF_QUEUE
#undef OF_CONTEXT

#endif
