/* Counts its own calls of OpenCL's commands, of the platform whose name has the first argument in it. Prints the counts. */
#define CL_TARGET_OPENCL_VERSION 300
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GET(type, name) type (*name)() = (type(*)())dlsym(library, #name)
#define CHECK(call) if (call) return fprintf(stderr, "failed: %s\n", #call), 2

int main(int argc, char **argv) {
    void *library = dlopen(argv[1], RTLD_NOW), *platforms[16], *device = 0, *event = 0, *queue, *context, *program, *kernel, *buffer;
    unsigned n = 0, i;
    int code = 0, launches = 0;
    char name[256];
    uint64_t properties = 0;
    size_t items = 64;
    float values[64] = {0};
    const char *source = "__kernel void add(__global float *a) { a[get_global_id(0)] += 1; }";
    (void)argc;
    if (library == 0) return 3;
    GET(int, clGetPlatformIDs); GET(int, clGetPlatformInfo); GET(int, clGetDeviceIDs); GET(void *, clCreateContext);
    GET(void *, clCreateCommandQueue); GET(void *, clCreateProgramWithSource); GET(int, clBuildProgram); GET(void *, clCreateKernel);
    GET(void *, clCreateBuffer); GET(int, clSetKernelArg); GET(int, clEnqueueNDRangeKernel); GET(int, clEnqueueReadBuffer);
    GET(int, clEnqueueWriteBuffer); GET(int, clEnqueueFillBuffer); GET(int, clFinish); GET(int, clReleaseEvent);
    GET(int, clGetCommandQueueInfo);
    CHECK(clGetPlatformIDs(16, platforms, &n));
    for (i = 0; i < n && device == 0; i++) {
        clGetPlatformInfo(platforms[i], 0x902, sizeof name, name, (size_t *)0);
        if (strstr(name, argv[2])) CHECK(clGetDeviceIDs(platforms[i], (uint64_t)0xFFFFFFFF, 1, &device, &n));
    }
    if (device == 0) return 4;
    context = clCreateContext((void *)0, 1, &device, (void *)0, (void *)0, &code);
    queue = clCreateCommandQueue(context, device, (uint64_t)0, &code);
    program = clCreateProgramWithSource(context, 1, &source, (size_t *)0, &code);
    CHECK(clBuildProgram(program, 1, &device, "", (void *)0, (void *)0));
    kernel = clCreateKernel(program, "add", &code);
    buffer = clCreateBuffer(context, (uint64_t)1, sizeof values, (void *)0, &code);
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clEnqueueWriteBuffer(queue, buffer, 1, (size_t)0, sizeof values, values, 0, (void *)0, (void *)0));
    for (i = 0; i < 500; i++, launches++) {
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, (size_t *)0, &items, (size_t *)0, 0, (void *)0, i % 2 ? (void *)&event : (void *)0));
        if (i % 2) clReleaseEvent(event);
    }
    items = 0;
    clEnqueueNDRangeKernel(queue, kernel, 9, (size_t *)0, &items, (size_t *)0, 0, (void *)0, (void *)0); /* refused */
    CHECK(clEnqueueReadBuffer(queue, buffer, 1, (size_t)0, sizeof values, values, 0, (void *)0, (void *)0));
    CHECK(clEnqueueFillBuffer(queue, buffer, values, sizeof(float), (size_t)0, sizeof values, 0, (void *)0, (void *)0));
    CHECK(clFinish(queue));
    CHECK(clGetCommandQueueInfo(queue, 0x1093, sizeof properties, &properties, (size_t *)0));
    printf("%d %g %d\n", launches, values[5], (int)properties);
    return 0;
}
