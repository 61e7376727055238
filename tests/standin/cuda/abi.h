/* The part of CUDA's driver interface that the stand-in exports: types, and numbers with a prefix of their own.
 *
 * With STANDIN_CHECK the types come from NVIDIA's header instead, and the compiler compares every function with it.
 * The numbers have another prefix, so that ../layout can hold both and compare them. */
#ifndef STANDIN_ABI_H
#define STANDIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef STANDIN_CHECK
#include <cuda.h>
#else
typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef int CUfunc_cache;
typedef int CUpointer_attribute;
typedef int CUmemPool_attribute;
typedef int CUstreamCaptureStatus;
typedef int CUstreamCaptureMode;
typedef int CUgraphNodeType;
typedef struct CUgraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;
typedef struct {
    int id;
    char pad[4];
    union {
        char pad[64];
        int programmaticStreamSerializationAllowed;
    } value;
} CUlaunchAttribute;
typedef struct {
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;
typedef int CUjit_option;
typedef int CUlimit;
typedef int CUjitInputType;
typedef struct CUlinkState_st *CUlinkState;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef void (*CUhostFn)(void *data);
typedef size_t (*CUoccupancyB2DSize)(int block);
typedef struct {
    char bytes[16];
} CUuuid;
typedef struct {
    int allocType;
    int handleTypes;
    struct {
        int type;
        int id;
    } location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;
typedef struct {
    struct {
        int type;
        int id;
    } location;
    int flags;
} CUmemAccessDesc;
typedef struct {
    size_t srcXInBytes, srcY;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    CUcontext srcContext;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    CUcontext dstContext;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;
typedef struct {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray, *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray, *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;
typedef struct {
    size_t Width, Height, Depth;
    int Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct {
    int resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUdeviceptr devPtr;
            int format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            int format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct {
    int addressMode[3], filterMode;
    unsigned int flags, maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC;
#endif
_Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == 200, "a copy of rows between devices");
_Static_assert(sizeof(CUDA_MEMCPY3D) == 200 && offsetof(CUDA_MEMCPY3D, srcMemoryType) == 32 &&
                   offsetof(CUDA_MEMCPY3D, srcDevice) == 48 && offsetof(CUDA_MEMCPY3D, srcPitch) == 72 &&
                   offsetof(CUDA_MEMCPY3D, dstMemoryType) == 120 && offsetof(CUDA_MEMCPY3D, dstDevice) == 136 &&
                   offsetof(CUDA_MEMCPY3D, dstPitch) == 160 && offsetof(CUDA_MEMCPY3D, WidthInBytes) == 176,
               "a copy node");
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72 && offsetof(CUDA_KERNEL_NODE_PARAMS, gridDimX) == 8 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes) == 32 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams) == 40 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, kern) == 56,
               "a kernel node");
_Static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56 && offsetof(CUlaunchConfig, attrs) == 40 &&
                   sizeof(CUgraphEdgeData) == 8,
               "a launch with attributes, an edge");
_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == 40 && offsetof(CUDA_MEMSET_NODE_PARAMS, pitch) == 8 &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, elementSize) == 20 &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, height) == 32,
               "a fill node");
_Static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40 && offsetof(CUDA_ARRAY3D_DESCRIPTOR, Format) == 24, "an array");
_Static_assert(sizeof(CUDA_RESOURCE_DESC) == 144 && offsetof(CUDA_RESOURCE_DESC, res) == 8 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.format) == 16 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes) == 24,
               "what a texture reads");
_Static_assert(sizeof(CUDA_TEXTURE_DESC) == 104 && offsetof(CUDA_TEXTURE_DESC, flags) == 16, "how it is read");
_Static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == 16 && offsetof(CUDA_HOST_NODE_PARAMS, userData) == 8, "a host node");
_Static_assert(sizeof(CUmemAccessDesc) == 12 && sizeof(CUDA_MEMCPY2D) == 128, "access to a pool, a copy of rows");
_Static_assert(sizeof(CUmemPoolProps) == 88 && offsetof(CUmemPoolProps, location) == 8 &&
                   offsetof(CUmemPoolProps, maxSize) == 24,
               "a pool's properties");

/* Results, and other numbers. Those of NVIDIA's header are the same, see ../layout. */
enum {
#define RESULT(name, number, words) SI_##name = number,
#include "results.h"
#undef RESULT
#define NUMBER(name, number, theirs) SI_##name = number,
#include "numbers.h"
#undef NUMBER
    SI_LARGEST_PITCH = 0x7FFFFFFF,
};

#endif
