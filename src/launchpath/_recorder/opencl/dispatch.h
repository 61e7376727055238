/* The table of functions that OpenCL's loaders and layers hand one another: `cl_icd_dispatch` of cl_icd.h, in its order. */
#ifndef LAUNCHPATH_RECORDER_OPENCL_DISPATCH_H
#define LAUNCHPATH_RECORDER_OPENCL_DISPATCH_H

#define OPENCL_DISPATCH \
    ENTRY(clGetPlatformIDs) ENTRY(clGetPlatformInfo) ENTRY(clGetDeviceIDs) ENTRY(clGetDeviceInfo) \
    ENTRY(clCreateContext) ENTRY(clCreateContextFromType) ENTRY(clRetainContext) ENTRY(clReleaseContext) \
    ENTRY(clGetContextInfo) ENTRY(clCreateCommandQueue) ENTRY(clRetainCommandQueue) ENTRY(clReleaseCommandQueue) \
    ENTRY(clGetCommandQueueInfo) ENTRY(clSetCommandQueueProperty) ENTRY(clCreateBuffer) ENTRY(clCreateImage2D) \
    ENTRY(clCreateImage3D) ENTRY(clRetainMemObject) ENTRY(clReleaseMemObject) ENTRY(clGetSupportedImageFormats) \
    ENTRY(clGetMemObjectInfo) ENTRY(clGetImageInfo) ENTRY(clCreateSampler) ENTRY(clRetainSampler) \
    ENTRY(clReleaseSampler) ENTRY(clGetSamplerInfo) ENTRY(clCreateProgramWithSource) ENTRY(clCreateProgramWithBinary) \
    ENTRY(clRetainProgram) ENTRY(clReleaseProgram) ENTRY(clBuildProgram) ENTRY(clUnloadCompiler) \
    ENTRY(clGetProgramInfo) ENTRY(clGetProgramBuildInfo) ENTRY(clCreateKernel) ENTRY(clCreateKernelsInProgram) \
    ENTRY(clRetainKernel) ENTRY(clReleaseKernel) ENTRY(clSetKernelArg) ENTRY(clGetKernelInfo) \
    ENTRY(clGetKernelWorkGroupInfo) ENTRY(clWaitForEvents) ENTRY(clGetEventInfo) ENTRY(clRetainEvent) \
    ENTRY(clReleaseEvent) ENTRY(clGetEventProfilingInfo) ENTRY(clFlush) ENTRY(clFinish) ENTRY(clEnqueueReadBuffer) \
    ENTRY(clEnqueueWriteBuffer) ENTRY(clEnqueueCopyBuffer) ENTRY(clEnqueueReadImage) ENTRY(clEnqueueWriteImage) \
    ENTRY(clEnqueueCopyImage) ENTRY(clEnqueueCopyImageToBuffer) ENTRY(clEnqueueCopyBufferToImage) \
    ENTRY(clEnqueueMapBuffer) ENTRY(clEnqueueMapImage) ENTRY(clEnqueueUnmapMemObject) ENTRY(clEnqueueNDRangeKernel) \
    ENTRY(clEnqueueTask) ENTRY(clEnqueueNativeKernel) ENTRY(clEnqueueMarker) ENTRY(clEnqueueWaitForEvents) \
    ENTRY(clEnqueueBarrier) ENTRY(clGetExtensionFunctionAddress) ENTRY(clCreateFromGLBuffer) \
    ENTRY(clCreateFromGLTexture2D) ENTRY(clCreateFromGLTexture3D) ENTRY(clCreateFromGLRenderbuffer) \
    ENTRY(clGetGLObjectInfo) ENTRY(clGetGLTextureInfo) ENTRY(clEnqueueAcquireGLObjects) \
    ENTRY(clEnqueueReleaseGLObjects) ENTRY(clGetGLContextInfoKHR) ENTRY(clGetDeviceIDsFromD3D10KHR) \
    ENTRY(clCreateFromD3D10BufferKHR) ENTRY(clCreateFromD3D10Texture2DKHR) ENTRY(clCreateFromD3D10Texture3DKHR) \
    ENTRY(clEnqueueAcquireD3D10ObjectsKHR) ENTRY(clEnqueueReleaseD3D10ObjectsKHR) ENTRY(clSetEventCallback) \
    ENTRY(clCreateSubBuffer) ENTRY(clSetMemObjectDestructorCallback) ENTRY(clCreateUserEvent) \
    ENTRY(clSetUserEventStatus) ENTRY(clEnqueueReadBufferRect) ENTRY(clEnqueueWriteBufferRect) \
    ENTRY(clEnqueueCopyBufferRect) ENTRY(clCreateSubDevicesEXT) ENTRY(clRetainDeviceEXT) ENTRY(clReleaseDeviceEXT) \
    ENTRY(clCreateEventFromGLsyncKHR) ENTRY(clCreateSubDevices) ENTRY(clRetainDevice) ENTRY(clReleaseDevice) \
    ENTRY(clCreateImage) ENTRY(clCreateProgramWithBuiltInKernels) ENTRY(clCompileProgram) ENTRY(clLinkProgram) \
    ENTRY(clUnloadPlatformCompiler) ENTRY(clGetKernelArgInfo) ENTRY(clEnqueueFillBuffer) ENTRY(clEnqueueFillImage) \
    ENTRY(clEnqueueMigrateMemObjects) ENTRY(clEnqueueMarkerWithWaitList) ENTRY(clEnqueueBarrierWithWaitList) \
    ENTRY(clGetExtensionFunctionAddressForPlatform) ENTRY(clCreateFromGLTexture) ENTRY(clGetDeviceIDsFromD3D11KHR) \
    ENTRY(clCreateFromD3D11BufferKHR) ENTRY(clCreateFromD3D11Texture2DKHR) ENTRY(clCreateFromD3D11Texture3DKHR) \
    ENTRY(clCreateFromDX9MediaSurfaceKHR) ENTRY(clEnqueueAcquireD3D11ObjectsKHR) \
    ENTRY(clEnqueueReleaseD3D11ObjectsKHR) ENTRY(clGetDeviceIDsFromDX9MediaAdapterKHR) \
    ENTRY(clEnqueueAcquireDX9MediaSurfacesKHR) ENTRY(clEnqueueReleaseDX9MediaSurfacesKHR) \
    ENTRY(clCreateFromEGLImageKHR) ENTRY(clEnqueueAcquireEGLObjectsKHR) ENTRY(clEnqueueReleaseEGLObjectsKHR) \
    ENTRY(clCreateEventFromEGLSyncKHR) ENTRY(clCreateCommandQueueWithProperties) ENTRY(clCreatePipe) \
    ENTRY(clGetPipeInfo) ENTRY(clSVMAlloc) ENTRY(clSVMFree) ENTRY(clEnqueueSVMFree) ENTRY(clEnqueueSVMMemcpy) \
    ENTRY(clEnqueueSVMMemFill) ENTRY(clEnqueueSVMMap) ENTRY(clEnqueueSVMUnmap) ENTRY(clCreateSamplerWithProperties) \
    ENTRY(clSetKernelArgSVMPointer) ENTRY(clSetKernelExecInfo) ENTRY(clGetKernelSubGroupInfoKHR) ENTRY(clCloneKernel) \
    ENTRY(clCreateProgramWithIL) ENTRY(clEnqueueSVMMigrateMem) ENTRY(clGetDeviceAndHostTimer) ENTRY(clGetHostTimer) \
    ENTRY(clGetKernelSubGroupInfo) ENTRY(clSetDefaultDeviceCommandQueue) ENTRY(clSetProgramReleaseCallback) \
    ENTRY(clSetProgramSpecializationConstant) ENTRY(clCreateBufferWithProperties) ENTRY(clCreateImageWithProperties) \
    ENTRY(clSetContextDestructorCallback)

enum opencl_place {
#define ENTRY(name) D_##name,
    OPENCL_DISPATCH
#undef ENTRY
    OPENCL_PLACES
};

#endif
