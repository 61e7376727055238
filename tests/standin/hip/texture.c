/* Arrays and textures. HIP's structs are CUDA's, but that of copies: ../layout compares them through the driver's own. */
#include <string.h>

#include "forward.h"

#define ARRAY(array) ((CUarray)(void *)(array))

EXPORT hipError_t hipArray3DCreate(hipArray **array, const HIP_ARRAY3D_DESCRIPTOR *wanted) {
    FORWARD(cuArray3DCreate_v2, (CUarray *)array, (const CUDA_ARRAY3D_DESCRIPTOR *)wanted);
}
EXPORT hipError_t hipArrayDestroy(hipArray *array) { FORWARD(cuArrayDestroy, ARRAY(array)); }

static size_t element_size(const CUDA_ARRAY3D_DESCRIPTOR *is) {
    switch ((int)is->Format) {
    case SI_FORMAT_UINT8:
    case SI_FORMAT_INT8: return is->NumChannels;
    case SI_FORMAT_UINT16:
    case SI_FORMAT_INT16:
    case SI_FORMAT_HALF: return 2 * is->NumChannels;
    default: return 4 * is->NumChannels;
    }
}

/* From memory of the device to a whole array: HIP counts its elements, CUDA the bytes. */
EXPORT hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *copy, hipStream_t stream) {
    CUDA_ARRAY3D_DESCRIPTOR is;
    CUDA_MEMCPY3D command;
    if (!copy || copy->srcArray || !copy->dstArray || (int)copy->kind != HF_MEMCPY_DEVICE_TO_DEVICE)
        return HF_ERROR_INVALID_VALUE;
    hipError_t code = enter();
    if (!code) code = CALL(cuArray3DGetDescriptor_v2, &is, ARRAY(copy->dstArray));
    if (code) return code;
    memset(&command, 0, sizeof command);
    command.srcMemoryType = SI_MEMORY_DEVICE;
    command.srcDevice = (CUdeviceptr)(uintptr_t)copy->srcPtr.ptr;
    command.srcPitch = copy->srcPtr.pitch;
    command.srcHeight = copy->srcPtr.ysize;
    command.dstMemoryType = SI_MEMORY_ARRAY;
    command.dstArray = (void *)copy->dstArray;
    command.WidthInBytes = copy->extent.width * element_size(&is);
    command.Height = copy->extent.height;
    command.Depth = copy->extent.depth;
    return CALL(cuMemcpy3DAsync_v2, &command, (CUstream)stream);
}

EXPORT hipError_t hipTexObjectCreate(hipTextureObject_t *object, const HIP_RESOURCE_DESC *of,
                                     const HIP_TEXTURE_DESC *reads, const HIP_RESOURCE_VIEW_DESC *view) {
    FORWARD(cuTexObjectCreate, (CUtexObject *)object, (const CUDA_RESOURCE_DESC *)of, (const CUDA_TEXTURE_DESC *)reads,
            (const CUDA_RESOURCE_VIEW_DESC *)view);
}
EXPORT hipError_t hipTexObjectDestroy(hipTextureObject_t object) {
    FORWARD(cuTexObjectDestroy, (CUtexObject)(uintptr_t)object);
}
