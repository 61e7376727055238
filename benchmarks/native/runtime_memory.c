/* What an OpenCL runtime keeps of objects that were released, and needs for live queues: OpenCL alone, without launchpath.
 *
 *   runtime_memory LIBRARY PLATFORM BINARY [NEEDED...]     benchmarks/runtime_memory.py compiles and starts it
 *
 * BINARY is a file with a program of that device's, as launchpath's cache keeps it.
 *
 * Each line: what was done and undone, how often, and how many bytes more the C library's heap has for each. Of live
 * queues: how many bytes more the process has in memory for each, once made, and once each has run a fill. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *library, *platform, *device, *context, *queue, *kernel, *memory;
static unsigned char *binary;
static size_t binary_size;

#define FUNCTION(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(library, #name))
#define CHECK(call)                                                                     \
    do {                                                                                \
        int32_t code_ = (call);                                                         \
        if (code_) fprintf(stderr, "%s: %d (line %d)\n", #call, code_, __LINE__), exit(1); \
    } while (0)

typedef int32_t(fill_function)(void *, void *, const void *, size_t, size_t, uint32_t, void **, void **);
typedef int32_t(copy_function)(void *, uint32_t, void *, const void *, size_t, uint32_t, void **, void **);
static fill_function *fill_memory;
static void *(*shared_allocate)(void *, void *, const intptr_t *, size_t, uint32_t, int32_t *);
static int32_t (*shared_free)(void *, void *);
static copy_function *copy_memory;

static const char SOURCE[] = "__kernel void add(__global uint *x, uint y) { x[get_global_id(0)] += y; }";

static void *build(void *program) {
    CHECK(FUNCTION(int32_t, clBuildProgram, void *, uint32_t, void **, const char *, void *, void *)(program, 1, &device, "",
                                                                                                     NULL, NULL));
    return program;
}

static void *from_binary(void) {
    int32_t code = 0, status = 0;
    const unsigned char *data = binary;
    void *program =
        FUNCTION(void *, clCreateProgramWithBinary, void *, uint32_t, void **, const size_t *, const unsigned char **, int32_t *,
                 int32_t *)(context, 1, &device, &binary_size, &data, &status, &code);
    CHECK(code);
    return build(program);
}

static void *from_source(void) {
    int32_t code = 0;
    const char *text = SOURCE;
    void *program = FUNCTION(void *, clCreateProgramWithSource, void *, uint32_t, const char **, const size_t *,
                             int32_t *)(context, 1, &text, NULL, &code);
    CHECK(code);
    return build(program);
}

static void release_program(void *program) { CHECK(FUNCTION(int32_t, clReleaseProgram, void *)(program)); }

static void *kernel_of(void *program) {
    int32_t code = 0;
    void *made = FUNCTION(void *, clCreateKernel, void *, const char *, int32_t *)(program, "add", &code);
    CHECK(code);
    return made;
}

static void do_source(void) { release_program(from_source()); }

static void do_binary(void) { release_program(from_binary()); }

static void do_binary_and_kernel(void) {
    void *program = from_binary(), *made = kernel_of(program);
    CHECK(FUNCTION(int32_t, clReleaseKernel, void *)(made));
    release_program(program);
}

static void finish(void) { CHECK(FUNCTION(int32_t, clFinish, void *)(queue)); }

static void do_fill(void) {
    unsigned char pattern = 1;
    CHECK(fill_memory(queue, memory, &pattern, 1, 1024, 0, NULL, NULL));
    finish();
}

static void do_copy(void) {
    CHECK(copy_memory(queue, 0, memory, (char *)memory + 2048, 1024, 0, NULL, NULL));
    finish();
}

static void do_launch(void) {
    size_t total = 64, local = 64;
    CHECK(FUNCTION(int32_t, clEnqueueNDRangeKernel, void *, void *, uint32_t, const size_t *, const size_t *, const size_t *,
                   uint32_t, void **, void **)(queue, kernel, 1, NULL, &total, &local, 0, NULL, NULL));
    finish();
}

static void do_marker(void) {
    void *event = NULL;
    CHECK(FUNCTION(int32_t, clEnqueueMarkerWithWaitList, void *, uint32_t, void **, void **)(queue, 0, NULL, &event));
    CHECK(FUNCTION(int32_t, clWaitForEvents, uint32_t, void **)(1, &event));
    CHECK(FUNCTION(int32_t, clReleaseEvent, void *)(event));
}

static void *allocate_memory(size_t size) {
    int32_t code = 0;
    if (!shared_allocate) return FUNCTION(void *, clSVMAlloc, void *, uint64_t, size_t, uint32_t)(context, 1 | 1 << 10, size, 0);
    return shared_allocate(context, device, NULL, size, 0, &code);
}

static void free_memory(void *freed) {
    if (shared_free)
        CHECK(shared_free(context, freed));
    else
        FUNCTION(void, clSVMFree, void *, void *)(context, freed);
}

static void do_allocation(void) { free_memory(allocate_memory(4096)); }

/* As a program of temporaries does it: of many sizes, each filled, and freed once a barrier behind that is complete. */
static void do_temporaries(void) {
    void *all[50], *events[50];
    unsigned char pattern = 1;
    for (int i = 0; i < 50; i++) {
        size_t size = 1 + (size_t)rand() % ((size_t)1 << (4 + rand() % 18));
        all[i] = allocate_memory(size);
        CHECK(fill_memory(queue, all[i], &pattern, 1, size, 0, NULL, NULL));
        CHECK(FUNCTION(int32_t, clEnqueueBarrierWithWaitList, void *, uint32_t, void **, void **)(queue, 0, NULL, &events[i]));
    }
    for (int i = 0; i < 50; i++) {
        CHECK(FUNCTION(int32_t, clWaitForEvents, uint32_t, void **)(1, &events[i]));
        CHECK(FUNCTION(int32_t, clReleaseEvent, void *)(events[i]));
        free_memory(all[i]);
    }
}

static void *new_queue(void) {
    int32_t code = 0;
    void *made = FUNCTION(void *, clCreateCommandQueueWithProperties, void *, void *, const uint64_t *, int32_t *)(
        context, device, NULL, &code);
    CHECK(code);
    return made;
}

static void do_queue(void) { CHECK(FUNCTION(int32_t, clReleaseCommandQueue, void *)(new_queue())); }

#define QUEUES 10000

static size_t resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) perror("/proc/self/statm"), exit(1);
    fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void measure_live_queues(void) {
    static void *queues[QUEUES];
    unsigned char pattern = 1;
    size_t before = resident();
    for (int i = 0; i < QUEUES; i++) queues[i] = new_queue();
    size_t unused = resident();
    for (int i = 0; i < QUEUES; i++) CHECK(fill_memory(queues[i], memory, &pattern, 1, 1024, 0, NULL, NULL));
    for (int i = 0; i < QUEUES; i++) CHECK(FUNCTION(int32_t, clFinish, void *)(queues[i]));
    size_t used = resident();
    printf("%-40s %6d live,  bytes of each: %.1f, once it was used: %.1f\n", "queues", QUEUES,
           ((double)unused - (double)before) / QUEUES, ((double)used - (double)before) / QUEUES);
    fflush(stdout);
    for (int i = 0; i < QUEUES; i++) CHECK(FUNCTION(int32_t, clReleaseCommandQueue, void *)(queues[i]));
}

static size_t heap(void) {
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void measure(const char *name, void (*work)(void), int times) {
    for (int i = 0; i < times / 4; i++) work();
    size_t before = heap();
    for (int i = 0; i < times; i++) work();
    printf("%-40s %6d times, bytes kept each: %.1f\n", name, times, ((double)heap() - (double)before) / times);
    fflush(stdout);
}

static void open_device(const char *wanted) {
    void *platforms[16];
    uint32_t count = 0;
    CHECK(FUNCTION(int32_t, clGetPlatformIDs, uint32_t, void **, uint32_t *)(16, platforms, &count));
    for (uint32_t i = 0; i < count; i++) {
        char name[128] = "";
        FUNCTION(int32_t, clGetPlatformInfo, void *, uint32_t, size_t, void *, size_t *)
        (platforms[i], 0x0902, sizeof name, name, NULL);
        if (strstr(name, wanted)) platform = platforms[i];
    }
    if (!platform) fprintf(stderr, "no platform %s\n", wanted), exit(1);
    CHECK(FUNCTION(int32_t, clGetDeviceIDs, void *, uint64_t, uint32_t, void **, uint32_t *)(platform, 0xFFFFFFFF, 1, &device,
                                                                                             NULL));
    int32_t code = 0;
    context = FUNCTION(void *, clCreateContext, const intptr_t *, uint32_t, void **, void *, void *, int32_t *)(
        NULL, 1, &device, NULL, NULL, &code);
    CHECK(code);
    queue = new_queue();
    void *(*extension)(void *, const char *) = FUNCTION(void *, clGetExtensionFunctionAddressForPlatform, void *, const char *);
    *(void **)&shared_allocate = extension(platform, "clSharedMemAllocINTEL");
    *(void **)&shared_free = extension(platform, "clMemFreeINTEL");
    memory = allocate_memory(4096);
    if (shared_allocate) {
        fill_memory = (fill_function *)extension(platform, "clEnqueueMemFillINTEL");
        copy_memory = (copy_function *)extension(platform, "clEnqueueMemcpyINTEL");
    } else {
        fill_memory = (fill_function *)dlsym(library, "clEnqueueSVMMemFill");
        copy_memory = (copy_function *)dlsym(library, "clEnqueueSVMMemcpy");
    }
}

int main(int count, char **arguments) {
    if (count < 4) return fprintf(stderr, "usage: runtime_memory LIBRARY PLATFORM BINARY [NEEDED...]\n"), 2;
    for (int i = 4; i < count; i++) dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    open_device(arguments[2]);
    void *program = from_source();
    int32_t (*ask)(void *, uint32_t, size_t, void *, size_t *) =
        FUNCTION(int32_t, clGetProgramInfo, void *, uint32_t, size_t, void *, size_t *);
    CHECK(ask(program, 0x1165, sizeof binary_size, &binary_size, NULL));
    binary = malloc(binary_size);
    CHECK(ask(program, 0x1166, sizeof binary, &binary, NULL));
    kernel = kernel_of(program);
    uint32_t one = 1;
    int32_t (*set)(void *, uint32_t, size_t, const void *) =
        FUNCTION(int32_t, clSetKernelArg, void *, uint32_t, size_t, const void *);
    int32_t code = 0;
    void *buffer = FUNCTION(void *, clCreateBuffer, void *, uint64_t, size_t, void *, int32_t *)(context, 1, 4096, NULL, &code);
    CHECK(set(kernel, 0, sizeof buffer, &buffer));
    CHECK(set(kernel, 1, sizeof one, &one));
    measure("a queue", do_queue, 2000);
    measure("a marker and its event", do_marker, 20000);
    measure("a launch", do_launch, 20000);
    measure("a fill", do_fill, 20000);
    measure("a copy", do_copy, 20000);
    measure("4 KiB of memory", do_allocation, 20000);
    measure("50 temporaries, each filled", do_temporaries, 200);
    measure("a program from a binary", do_binary, 400);
    measure("a program from a binary, and a kernel", do_binary_and_kernel, 400);
    measure("a program from source", do_source, 20);
    FILE *file = fopen(arguments[3], "rb");
    if (!file || fseek(file, 0, SEEK_END) || (binary_size = (size_t)ftell(file)) == 0) return perror(arguments[3]), 1;
    rewind(file);
    binary = realloc(binary, binary_size);
    if (fread(binary, 1, binary_size, file) != binary_size) return perror(arguments[3]), 1;
    measure("launchpath's program of eight kernels", do_binary, 400);
    measure_live_queues();
    return 0;
}
