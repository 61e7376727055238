/* Commands of a kind that the third argument names, each counted, with their results checked. */
#include "opencl.h"
#include <unistd.h>

static const char *add = "__kernel void add(__global float *a) { a[get_global_id(0)] += 1; }";
static int is_intel; /* each library survives some mistakes of programs */
static size_t origin[3], item = 16, items = 64;

static void images(void) {
    void *queue = queue_with(0), *image, *other, *buffer, *mapped;
    uint32_t format[2] = {0x10B5, 0x10DA}; /* RGBA of unsigned bytes */
    struct {
        uint32_t type;
        size_t width, height, depth, layers, row, slice;
        uint32_t levels, samples;
        void *buffer;
    } shape = {0x10F1, 8, 4};
    size_t region[3] = {8, 4, 1}, row, slice, i;
    uint32_t color[4] = {1, 2, 3, 4}, texels[32], back[32];
    for (i = 0; i < 32; i++) texels[i] = (uint32_t)i * 77;
    image = MAKE(clCreateImage, context, (uint64_t)1, format, &shape, NO, NO);
    other = MAKE(clCreateImage, context, (uint64_t)1, format, &shape, NO, NO);
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof texels, NO, NO);
    DO(clEnqueueWriteImage, queue, image, 1, origin, region, ZERO, ZERO, texels, 0, NO, NO);
    DO(clEnqueueCopyImage, queue, image, other, origin, origin, region, 0, NO, NO);
    DO(clEnqueueCopyImageToBuffer, queue, other, buffer, origin, region, ZERO, 0, NO, NO);
    DO(clEnqueueReadBuffer, queue, buffer, 1, ZERO, sizeof back, back, 0, NO, NO);
    EXPECT(memcmp(back, texels, sizeof back) == 0);
    DO(clEnqueueFillImage, queue, image, color, origin, region, 0, NO, NO);
    DO(clEnqueueReadImage, queue, image, 1, origin, region, ZERO, ZERO, back, 0, NO, NO);
    EXPECT(back[31] == 0x04030201);
    DO(clEnqueueCopyBufferToImage, queue, buffer, image, ZERO, origin, region, 0, NO, NO);
    mapped = MAKE(clEnqueueMapImage, queue, image, 1, (uint64_t)1, origin, region, &row, &slice, 0, NO, NO, NO);
    EXPECT(memcmp(mapped, texels, 32) == 0);
    DO(clEnqueueUnmapMemObject, queue, image, mapped, 0, NO, NO);
    EXPECT(is_intel || RAW(clEnqueueFillImage)(queue, image, color, origin, NO, 0, NO, NO) != 0);
    EXPECT(RAW(clEnqueueReadImage)(queue, buffer, 1, origin, region, ZERO, ZERO, back, 0, NO, NO) != 0);
    DO(clFinish, queue);
    DO(clReleaseMemObject, image);
}

static void boxes(void) {
    void *queue = queue_with(0), *buffer, *part, *other, *mapped;
    size_t region[3] = {16, 4, 2}, part_of[2] = {256, 256}, i;
    unsigned char bytes[256], back[256];
    for (i = 0; i < 256; i++) bytes[i] = (unsigned char)i, back[i] = 0;
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, (size_t)512, NO, NO);
    other = MAKE(clCreateBuffer, context, (uint64_t)1, (size_t)512, NO, NO);
    part = MAKE(clCreateSubBuffer, buffer, (uint64_t)1, 0x1220, part_of, NO);
    if (!is_intel) part = buffer; /* PoCL 3.1 copies no box of a part */
    DO(clEnqueueWriteBufferRect, queue, part, 1, origin, origin, region, ZERO, ZERO, ZERO, ZERO, bytes, 0, NO, NO);
    DO(clEnqueueCopyBufferRect, queue, part, other, origin, origin, region, ZERO, ZERO, ZERO, ZERO, 0, NO, NO);
    DO(clEnqueueReadBufferRect, queue, other, 1, origin, origin, region, ZERO, ZERO, ZERO, ZERO, back, 0, NO, NO);
    EXPECT(memcmp(back, bytes, 128) == 0);
    DO(clEnqueueCopyBuffer, queue, part, other, ZERO, (size_t)128, (size_t)64, 0, NO, NO);
    mapped = MAKE(clEnqueueMapBuffer, queue, other, 1, (uint64_t)3, ZERO, (size_t)512, 0, NO, NO, NO);
    EXPECT(memcmp((char *)mapped + 128, bytes, 64) == 0);
    DO(clEnqueueUnmapMemObject, queue, other, mapped, 0, NO, NO);
    DO(clEnqueueMigrateMemObjects, queue, 1, &other, (uint64_t)1, 0, NO, NO);
    EXPECT(!is_intel || RAW(clEnqueueCopyBufferRect)(queue, part, other, origin, origin, NO, ZERO, ZERO, ZERO, ZERO, 0, NO, NO) != 0);
    DO(clFinish, queue);
}

static void svm(void) {
    void *queue = queue_with(0), *kernel = kernel_of(add, "add"), *pointers[1];
    float one = 1, *at = MAKE(clSVMAlloc, context, (uint64_t)1, (size_t)256, 0), *to = MAKE(clSVMAlloc, context, (uint64_t)1, (size_t)256, 0);
    DO(clEnqueueSVMMemFill, queue, at, &one, sizeof one, (size_t)256, 0, NO, NO);
    EXPECT(RAW(clSetKernelArgSVMPointer)(kernel, 0, at) == 0);
    DO(clEnqueueNDRangeKernel, queue, kernel, 1, NO, &items, &item, 0, NO, NO);
    DO(clEnqueueSVMMemcpy, queue, 1, to, at, (size_t)256, 0, NO, NO);
    DO(clEnqueueSVMMap, queue, 1, (uint64_t)1, to, (size_t)256, 0, NO, NO);
    EXPECT(to[63] == 2);
    DO(clEnqueueSVMUnmap, queue, to, 0, NO, NO);
    pointers[0] = to;
    DO(clEnqueueSVMMigrateMem, queue, 1, pointers, NO, (uint64_t)0, 0, NO, NO);
    DO(clEnqueueSVMFree, queue, 1, pointers, NO, NO, 0, NO, NO);
    DO(clFinish, queue);
    ((void (*)())call_of("clSVMFree"))(context, at);
    counts("clSVMFree", 0);
}

static void usm(void) {
    void *queue = queue_with(0), *kernel = kernel_of(add, "add");
    float one = 1, *at = MAKE(clDeviceMemAllocINTEL, context, device, NO, (size_t)256, 0, NO), back[64];
    float *host = MAKE(clHostMemAllocINTEL, context, NO, (size_t)256, 0, NO), *shared = MAKE(clSharedMemAllocINTEL, context, device, NO, (size_t)256, 0, NO);
    DO(clEnqueueMemFillINTEL, queue, at, &one, sizeof one, (size_t)256, 0, NO, NO);
    EXPECT(RAW(clSetKernelArgMemPointerINTEL)(kernel, 0, at) == 0);
    DO(clEnqueueNDRangeKernel, queue, kernel, 1, NO, &items, &item, 0, NO, NO);
    DO(clEnqueueMemcpyINTEL, queue, 1, back, at, (size_t)256, 0, NO, NO);
    EXPECT(back[63] == 2);
    DO(clEnqueueMemcpyINTEL, queue, 1, shared, at, (size_t)256, 0, NO, NO);
    EXPECT(shared[3] == 2);
    DO(clEnqueueMigrateMemINTEL, queue, shared, (size_t)256, (uint64_t)1, 0, NO, NO);
    RAW(clEnqueueMemAdviseINTEL)(queue, shared, (size_t)256, 0, 0, NO, NO);
    EXPECT(RAW(clEnqueueMemFillINTEL)(queue, NO, &one, sizeof one, (size_t)256, 0, NO, NO) != 0);
    EXPECT(RAW(clEnqueueMemFillINTEL)(NO, at, &one, sizeof one, (size_t)256, 0, NO, NO) != 0);
    DO(clFinish, queue);
    DO(clMemFreeINTEL, context, at);
    DO(clMemFreeINTEL, context, host);
    DO(clMemBlockingFreeINTEL, context, shared);
}

static int native_ran;
static void native(void *values) { native_ran += *(int *)values; }
static void completed(void *event, int status, void *data) { __atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST); }

static void events(void) {
    void *queue = queue_with(1), *in_order = queue_with(2), *kernel = kernel_of(add, "add"), *buffer, *gate, *event[8], *mine;
    float values[64] = {0};
    int status = 9, called = 0, one = 1, i;
    uint64_t times[4];
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof values, NO, NO);
    EXPECT(RAW(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer) == 0);
    DO(clEnqueueWriteBuffer, in_order, buffer, 1, ZERO, sizeof values, values, 0, NO, NO);
    gate = ((void *(*)())call_of("clCreateUserEvent"))(context, NO);
    DO(clEnqueueNDRangeKernel, queue, kernel, 1, NO, &items, &item, 1, &gate, &event[0]);
    for (i = 1; i < 8; i++) DO(clEnqueueNDRangeKernel, queue, kernel, 1, NO, &items, &item, 1, &event[i - 1], &event[i]);
    DO(clSetEventCallback, event[7], 0, completed, &called);
    DO(clFlush, queue);
    usleep(3000);
    RAW(clGetEventInfo)(event[0], 0x11D3, sizeof status, &status, NO);
    EXPECT(status > 0 && called == 0);
    EXPECT(RAW(clSetUserEventStatus)(gate, 0) == 0);
    DO(clWaitForEvents, 8, event);
    DO(clEnqueueMarkerWithWaitList, queue, 8, event, NO);
    DO(clEnqueueBarrierWithWaitList, queue, 0, NO, NO);
    DO(clFinish, queue);
    for (i = 0; i < 1000 && !__atomic_load_n(&called, __ATOMIC_SEQ_CST); i++) usleep(1000);
    EXPECT(called == 1);
    /* This queue was made without profiling. */
    EXPECT(RAW(clGetEventProfilingInfo)(event[0], 0x1282, sizeof times[0], times, NO) == -7);
    DO(clEnqueueNDRangeKernel, in_order, kernel, 1, NO, &items, &item, 1, event, &mine);
    DO(clEnqueueReadBuffer, in_order, buffer, 1, ZERO, sizeof values, values, 0, NO, NO);
    for (i = 0; i < 4; i++) EXPECT(RAW(clGetEventProfilingInfo)(mine, 0x1280 + i, sizeof times[i], &times[i], NO) == 0);
    EXPECT(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    EXPECT(values[5] == 9);
    DO(clEnqueueNativeKernel, in_order, native, &one, sizeof one, 0, NO, NO, 0, NO, NO);
    DO(clFinish, in_order);
    EXPECT(native_ran == 1);
    EXPECT(RAW(clWaitForEvents)(1, NO) != 0);
    EXPECT(RAW(clEnqueueNDRangeKernel)(NO, kernel, 1, NO, &items, &item, 0, NO, NO) != 0);
    EXPECT(!is_intel || RAW(clEnqueueNDRangeKernel)(queue, NO, 1, NO, &items, &item, 0, NO, NO) != 0);
    for (i = 0; i < 8; i++) RAW(clReleaseEvent)(event[i]);
    DO(clReleaseCommandQueue, queue);
}

/* Command buffers have a parameter for properties in each function since version 0.9.5. */
static unsigned version(const char *extension) {
    static struct {
        unsigned version;
        char name[64];
    } all[300];
    size_t size = 0, i;
    RAW(clGetDeviceInfo)(device, 0x1060, sizeof all, all, &size);
    for (i = 0; i < size / sizeof *all; i++)
        if (strcmp(all[i].name, extension) == 0) return all[i].version;
    return 0;
}

#define COMMAND(name, ...) \
    EXPECT((with_properties ? RAW(name)(commands, NO, NO, __VA_ARGS__, 0, NO, NO, NO) : RAW(name)(commands, NO, __VA_ARGS__, 0, NO, NO, NO)) == 0)

static void buffers(void) {
    void *queue = queue_with(0), *kernel = kernel_of(add, "add"), *buffer, *other, *commands, *event;
    int with_properties = version("cl_khr_command_buffer") >= (9 << 12 | 5), i;
    size_t region[3] = {16, 4, 1};
    float zero = 0, back[64];
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof back, NO, NO);
    other = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof back, NO, NO);
    EXPECT(RAW(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer) == 0);
    commands = MAKE(clCreateCommandBufferKHR, 1, &queue, NO, NO);
    COMMAND(clCommandFillBufferKHR, buffer, &zero, sizeof zero, ZERO, sizeof back);
    for (i = 0; i < 3; i++) EXPECT(RAW(clCommandNDRangeKernelKHR)(commands, NO, NO, kernel, 1, NO, &items, &item, 0, NO, NO, NO) == 0);
    if (with_properties) EXPECT(RAW(clCommandBarrierWithWaitListKHR)(commands, NO, NO, 0, NO, NO, NO) == 0);
    else EXPECT(RAW(clCommandBarrierWithWaitListKHR)(commands, NO, 0, NO, NO, NO) == 0);
    COMMAND(clCommandCopyBufferKHR, buffer, other, ZERO, (size_t)128, (size_t)128);
    COMMAND(clCommandCopyBufferRectKHR, buffer, other, origin, origin, region, ZERO, ZERO, ZERO, ZERO);
    EXPECT(RAW(clFinalizeCommandBufferKHR)(commands) == 0);
    for (i = 0; i < 5; i++) {
        DO(clEnqueueCommandBufferKHR, 0, NO, commands, 0, NO, &event);
        DO(clWaitForEvents, 1, &event);
    }
    DO(clEnqueueReadBuffer, queue, other, 1, ZERO, sizeof back, back, 0, NO, NO);
    EXPECT(back[32] == 3 && back[0] == 3);
    EXPECT(RAW(clEnqueueCommandBufferKHR)(0, NO, NO, 0, NO, NO) != 0);
    EXPECT(RAW(clReleaseCommandBufferKHR)(commands) == 0);
}

/* A launch that is changed between two runs. */
static void changed(void) {
    void *queue = queue_with(0), *kernel = kernel_of(add, "add"), *buffer, *commands, *event, *command = 0;
    uint64_t mutable[3] = {0x1293, 2, 0}, fields[3] = {0x12B1, 2, 0};
    struct {
        void *command;
        unsigned n_arguments, n_svm, n_infos, dimensions;
        const void *arguments, *svm, *infos;
        const size_t *offset, *global, *local;
    } change = {0};
    const void *changes[1] = {&change};
    unsigned type = 0;
    size_t fewer = 32;
    float zero = 0, back[64];
    if (version("cl_khr_command_buffer_mutable_dispatch") < (9 << 12 | 3)) exit(7);
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof back, NO, NO);
    DO(clEnqueueFillBuffer, queue, buffer, &zero, sizeof zero, ZERO, sizeof back, 0, NO, NO);
    EXPECT(RAW(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer) == 0);
    commands = MAKE(clCreateCommandBufferKHR, 1, &queue, mutable, NO);
    EXPECT(RAW(clCommandNDRangeKernelKHR)(commands, NO, fields, kernel, 1, NO, &items, &item, 0, NO, NO, &command) == 0);
    EXPECT(RAW(clFinalizeCommandBufferKHR)(commands) == 0);
    DO(clEnqueueCommandBufferKHR, 0, NO, commands, 0, NO, &event);
    DO(clWaitForEvents, 1, &event);
    change.command = command, change.dimensions = 1, change.global = &fewer;
    EXPECT(RAW(clUpdateMutableCommandsKHR)(commands, 1, &type, changes) == 0);
    DO(clEnqueueCommandBufferKHR, 0, NO, commands, 0, NO, &event);
    DO(clWaitForEvents, 1, &event);
    DO(clEnqueueReadBuffer, queue, buffer, 1, ZERO, sizeof back, back, 0, NO, NO);
    EXPECT(back[0] == 2 && back[63] == 1);
}

static void *shared_queue;
static void *thread(void *mine) {
    void *own = queue_with(0), *kernel = kernel_of(add, "add"), *buffer, *event;
    float values[64] = {0};
    int i;
    buffer = MAKE(clCreateBuffer, context, (uint64_t)1, sizeof values, NO, NO);
    EXPECT(RAW(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer) == 0);
    DO(clEnqueueWriteBuffer, own, buffer, 1, ZERO, sizeof values, values, 0, NO, NO);
    for (i = 0; i < 200; i++) {
        DO(clEnqueueNDRangeKernel, i % 2 ? own : shared_queue, kernel, 1, NO, &items, &item, 0, NO, &event);
        if (i % 10 == 0) DO(clWaitForEvents, 1, &event);
        RAW(clReleaseEvent)(event);
    }
    DO(clFinish, own);
    DO(clFinish, shared_queue);
    return 0;
}
static void threads(void) {
    pthread_t other[4];
    int i;
    shared_queue = queue_with(0);
    for (i = 0; i < 4; i++) pthread_create(&other[i], 0, thread, 0);
    for (i = 0; i < 4; i++) pthread_join(other[i], 0);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*function)(void);
    } all[] = {{"images", images}, {"boxes", boxes}, {"svm", svm}, {"usm", usm}, {"events", events}, {"buffers", buffers}, {"changed", changed}, {"threads", threads}};
    size_t i;
    int code = begin(argv[1], argv[2]);
    (void)argc;
    if (code) return code;
    is_intel = strcmp(argv[2], "Intel") == 0;
    for (i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, argv[3]) == 0) all[i].function();
    return ended();
}
