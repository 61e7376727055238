/* The functions of OpenCL that launchpath uses, each once: OPENCL_FUNCTION(result, name, whether a library without it is
   refused, parameters). Objects are `void *`. Those that are not needed are NULL where the library lacks them. */
#ifndef LAUNCHPATH_OPENCL_FUNCTIONS_H
#define LAUNCHPATH_OPENCL_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef void (*cl_event_function)(void *event, int32_t status, void *data);

#define OPENCL_FUNCTIONS \
    OPENCL_FUNCTION(int32_t, clGetPlatformIDs, 1, (uint32_t, void **, uint32_t *)) \
    OPENCL_FUNCTION(int32_t, clGetPlatformInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetDeviceIDs, 1, (void *, uint64_t, uint32_t, void **, uint32_t *)) \
    OPENCL_FUNCTION(int32_t, clGetDeviceInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(void *, clGetExtensionFunctionAddressForPlatform, 1, (void *, const char *)) \
    OPENCL_FUNCTION(void *, clCreateContext, 1, (const intptr_t *, uint32_t, void **, void *, void *, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseContext, 1, (void *)) \
    OPENCL_FUNCTION(void *, clCreateCommandQueueWithProperties, 1, (void *, void *, const uint64_t *, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseCommandQueue, 1, (void *)) \
    OPENCL_FUNCTION(int32_t, clFlush, 1, (void *)) \
    OPENCL_FUNCTION(int32_t, clFinish, 1, (void *)) \
    OPENCL_FUNCTION(void *, clCreateProgramWithSource, 1, \
                    (void *, uint32_t, const char **, const size_t *, int32_t *)) \
    OPENCL_FUNCTION(void *, clCreateProgramWithBinary, 1, \
                    (void *, uint32_t, void **, const size_t *, const unsigned char **, int32_t *, int32_t *)) \
    OPENCL_FUNCTION(void *, clCreateProgramWithIL, 0, (void *, const void *, size_t, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseProgram, 1, (void *)) \
    OPENCL_FUNCTION(int32_t, clBuildProgram, 1, (void *, uint32_t, void **, const char *, void *, void *)) \
    OPENCL_FUNCTION(int32_t, clGetProgramInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetProgramBuildInfo, 1, (void *, void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(void *, clCreateKernel, 1, (void *, const char *, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseKernel, 1, (void *)) \
    OPENCL_FUNCTION(int32_t, clSetKernelArg, 1, (void *, uint32_t, size_t, const void *)) \
    OPENCL_FUNCTION(int32_t, clSetKernelArgSVMPointer, 1, (void *, uint32_t, const void *)) \
    OPENCL_FUNCTION(int32_t, clSetKernelExecInfo, 1, (void *, uint32_t, size_t, const void *)) \
    OPENCL_FUNCTION(int32_t, clGetKernelInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetKernelArgInfo, 1, (void *, uint32_t, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetKernelWorkGroupInfo, 1, (void *, void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clEnqueueNDRangeKernel, 1, \
                    (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void **, void **)) \
    OPENCL_FUNCTION(int32_t, clEnqueueMarkerWithWaitList, 1, (void *, uint32_t, void **, void **)) \
    OPENCL_FUNCTION(int32_t, clEnqueueBarrierWithWaitList, 1, (void *, uint32_t, void **, void **)) \
    OPENCL_FUNCTION(int32_t, clWaitForEvents, 1, (uint32_t, void **)) \
    OPENCL_FUNCTION(int32_t, clGetEventInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetEventProfilingInfo, 1, (void *, uint32_t, size_t, void *, size_t *)) \
    OPENCL_FUNCTION(int32_t, clGetDeviceAndHostTimer, 0, (void *, uint64_t *, uint64_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseEvent, 1, (void *)) \
    OPENCL_FUNCTION(int32_t, clSetEventCallback, 1, (void *, int32_t, cl_event_function, void *)) \
    OPENCL_FUNCTION(void *, clCreateUserEvent, 1, (void *, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clSetUserEventStatus, 1, (void *, int32_t)) \
    OPENCL_FUNCTION(void *, clSVMAlloc, 1, (void *, uint64_t, size_t, uint32_t)) \
    OPENCL_FUNCTION(void, clSVMFree, 1, (void *, void *)) \
    OPENCL_FUNCTION(int32_t, clEnqueueSVMMemcpy, 1, \
                    (void *, uint32_t, void *, const void *, size_t, uint32_t, void **, void **)) \
    OPENCL_FUNCTION(int32_t, clEnqueueSVMMemFill, 1, \
                    (void *, void *, const void *, size_t, size_t, uint32_t, void **, void **)) \
    OPENCL_FUNCTION(void *, clCreateBuffer, 1, (void *, uint64_t, size_t, void *, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clReleaseMemObject, 1, (void *)) \
    OPENCL_FUNCTION(void *, clEnqueueMapBuffer, 1, \
                    (void *, void *, uint32_t, uint64_t, size_t, size_t, uint32_t, void **, void **, int32_t *)) \
    OPENCL_FUNCTION(int32_t, clEnqueueUnmapMemObject, 1, (void *, void *, void *, uint32_t, void **, void **))

#define OPENCL_FUNCTION(result, name, needed, parameters) result(*name) parameters;
typedef struct {
    OPENCL_FUNCTIONS
} cl_functions;
#undef OPENCL_FUNCTION

#define OPENCL_FUNCTION(result, name, needed, parameters) #name,
static const char *const opencl_names[] = {OPENCL_FUNCTIONS};
#undef OPENCL_FUNCTION

#define OPENCL_FUNCTION(result, name, needed, parameters) needed,
static const unsigned char opencl_needed[] = {OPENCL_FUNCTIONS};
#undef OPENCL_FUNCTION

#define OPENCL_N_FUNCTIONS (sizeof opencl_names / sizeof *opencl_names)

#endif
