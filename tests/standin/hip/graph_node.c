/* Nodes of graphs, and updates of them. HIP's structs have their members in another order, and its copies and fills
 * run on the current device. */
#include <stdbool.h>
#include <string.h>

#include "forward.h"

#define NODE(node) ((CUgraphNode *)(node))
#define GRAPH(graph) ((CUgraph)(graph))
#define EXEC(exec) ((CUgraphExec)(exec))
#define AFTER(after) ((const CUgraphNode *)(after))
#define EVENT(event) ((CUevent)(event))

static hipError_t change_kernel(const hipKernelNodeParams *from, CUDA_KERNEL_NODE_PARAMS *to, void **extra) {
    if (!from) return HF_ERROR_INVALID_VALUE;
    memset(to, 0, sizeof *to);
    to->func = (CUfunction)from->func;
    to->gridDimX = from->gridDim.x;
    to->gridDimY = from->gridDim.y;
    to->gridDimZ = from->gridDim.z;
    to->blockDimX = from->blockDim.x;
    to->blockDimY = from->blockDim.y;
    to->blockDimZ = from->blockDim.z;
    to->sharedMemBytes = from->sharedMemBytes;
    to->kernelParams = from->kernelParams;
    to->extra = from->extra ? extra : NULL;
    return from->extra ? launch_extra(from->extra, extra) : HF_SUCCESS;
}

/* The kind says which sides are on the host; with the default kind CUDA sees that from the addresses. */
static hipError_t change_kind(hipMemcpyKind kind, CUDA_MEMCPY3D *to) {
    int from_type = SI_MEMORY_UNIFIED, to_type = SI_MEMORY_UNIFIED;
    if ((int)kind < 0 || (int)kind > HF_MEMCPY_DEFAULT) return HF_ERROR_INVALID_VALUE;
    if ((int)kind != HF_MEMCPY_DEFAULT) {
        bool from_host = (int)kind == HF_MEMCPY_HOST_TO_HOST || (int)kind == HF_MEMCPY_HOST_TO_DEVICE;
        bool to_host = (int)kind == HF_MEMCPY_HOST_TO_HOST || (int)kind == HF_MEMCPY_DEVICE_TO_HOST;
        from_type = from_host ? SI_MEMORY_HOST : SI_MEMORY_DEVICE;
        to_type = to_host ? SI_MEMORY_HOST : SI_MEMORY_DEVICE;
    }
    to->srcMemoryType = from_type;
    to->dstMemoryType = to_type;
    return HF_SUCCESS;
}

static void change_ends(void *to, const void *from, CUDA_MEMCPY3D *copy) {
    copy->srcHost = from;
    copy->srcDevice = (CUdeviceptr)(uintptr_t)from;
    copy->dstHost = to;
    copy->dstDevice = (CUdeviceptr)(uintptr_t)to;
}

static hipError_t change_copy(const hipMemcpy3DParms *from, CUDA_MEMCPY3D *to) {
    if (!from || from->srcArray || from->dstArray) return HF_ERROR_INVALID_VALUE; /* arrays, which nobody here uses */
    memset(to, 0, sizeof *to);
    change_ends(from->dstPtr.ptr, from->srcPtr.ptr, to);
    to->srcXInBytes = from->srcPos.x;
    to->srcY = from->srcPos.y;
    to->srcZ = from->srcPos.z;
    to->srcPitch = from->srcPtr.pitch;
    to->srcHeight = from->srcPtr.ysize;
    to->dstXInBytes = from->dstPos.x;
    to->dstY = from->dstPos.y;
    to->dstZ = from->dstPos.z;
    to->dstPitch = from->dstPtr.pitch;
    to->dstHeight = from->dstPtr.ysize;
    to->WidthInBytes = from->extent.width;
    to->Height = from->extent.height;
    to->Depth = from->extent.depth;
    return change_kind(from->kind, to);
}

static hipError_t change_row(void *to, const void *from, size_t size, hipMemcpyKind kind, CUDA_MEMCPY3D *copy) {
    memset(copy, 0, sizeof *copy);
    change_ends(to, from, copy);
    copy->WidthInBytes = size;
    copy->Height = copy->Depth = 1;
    return change_kind(kind, copy);
}

static hipError_t change_fill(const hipMemsetParams *from, CUDA_MEMSET_NODE_PARAMS *to) {
    if (!from) return HF_ERROR_INVALID_VALUE;
    memset(to, 0, sizeof *to);
    to->dst = (CUdeviceptr)(uintptr_t)from->dst;
    to->pitch = from->pitch;
    to->value = from->value;
    to->elementSize = from->elementSize;
    to->width = from->width;
    to->height = from->height;
    return HF_SUCCESS;
}

static hipError_t context_now(CUcontext *context) {
    hipError_t code = enter();
    return code ? code : context_of(current_device(), context);
}

static hipError_t add_copy(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count,
                           const CUDA_MEMCPY3D *copy) {
    CUcontext context = NULL;
    hipError_t code = context_now(&context);
    return code ? code : CALL(cuGraphAddMemcpyNode, NODE(node), GRAPH(graph), AFTER(after), count, copy, context);
}

static hipError_t set_copy(hipGraphExec_t exec, hipGraphNode_t node, const CUDA_MEMCPY3D *copy) {
    CUcontext context = NULL;
    hipError_t code = context_now(&context);
    return code ? code : CALL(cuGraphExecMemcpyNodeSetParams, EXEC(exec), (CUgraphNode)node, copy, context);
}

EXPORT hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags) {
    FORWARD(cuGraphCreate, (CUgraph *)graph, flags);
}
EXPORT hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
    FORWARD(cuGraphUpload, EXEC(exec), (CUstream)stream);
}

EXPORT hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                        size_t count, const hipKernelNodeParams *parameters) {
    CUDA_KERNEL_NODE_PARAMS changed;
    void *extra[5];
    hipError_t code = change_kernel(parameters, &changed, extra);
    if (code) return code;
    FORWARD(cuGraphAddKernelNode_v2, NODE(node), GRAPH(graph), AFTER(after), count, &changed);
}
EXPORT hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                  const hipKernelNodeParams *parameters) {
    CUDA_KERNEL_NODE_PARAMS changed;
    void *extra[5];
    hipError_t code = change_kernel(parameters, &changed, extra);
    if (code) return code;
    FORWARD(cuGraphExecKernelNodeSetParams_v2, EXEC(exec), (CUgraphNode)node, &changed);
}

EXPORT hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                        size_t count, const hipMemcpy3DParms *parameters) {
    CUDA_MEMCPY3D changed;
    hipError_t code = change_copy(parameters, &changed);
    return code ? code : add_copy(node, graph, after, count, &changed);
}
EXPORT hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                          size_t count, void *to, const void *from, size_t size, hipMemcpyKind kind) {
    CUDA_MEMCPY3D changed;
    hipError_t code = change_row(to, from, size, kind, &changed);
    return code ? code : add_copy(node, graph, after, count, &changed);
}
EXPORT hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                  hipMemcpy3DParms *parameters) {
    CUDA_MEMCPY3D changed;
    hipError_t code = change_copy(parameters, &changed);
    return code ? code : set_copy(exec, node, &changed);
}
EXPORT hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void *to,
                                                    const void *from, size_t size, hipMemcpyKind kind) {
    CUDA_MEMCPY3D changed;
    hipError_t code = change_row(to, from, size, kind, &changed);
    return code ? code : set_copy(exec, node, &changed);
}

EXPORT hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                        size_t count, const hipMemsetParams *parameters) {
    CUDA_MEMSET_NODE_PARAMS changed;
    CUcontext context = NULL;
    hipError_t code = change_fill(parameters, &changed);
    if (!code) code = context_now(&context);
    return code ? code : CALL(cuGraphAddMemsetNode, NODE(node), GRAPH(graph), AFTER(after), count, &changed, context);
}
EXPORT hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                  const hipMemsetParams *parameters) {
    CUDA_MEMSET_NODE_PARAMS changed;
    CUcontext context = NULL;
    hipError_t code = change_fill(parameters, &changed);
    if (!code) code = context_now(&context);
    return code ? code : CALL(cuGraphExecMemsetNodeSetParams, EXEC(exec), (CUgraphNode)node, &changed, context);
}

EXPORT hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count,
                                      const hipHostNodeParams *parameters) {
    if (!parameters) return HF_ERROR_INVALID_VALUE;
    CUDA_HOST_NODE_PARAMS changed = {(CUhostFn)parameters->fn, parameters->userData};
    FORWARD(cuGraphAddHostNode, NODE(node), GRAPH(graph), AFTER(after), count, &changed);
}
EXPORT hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                       size_t count) {
    FORWARD(cuGraphAddEmptyNode, NODE(node), GRAPH(graph), AFTER(after), count);
}

EXPORT hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                             size_t count, hipEvent_t event) {
    FORWARD(cuGraphAddEventRecordNode, NODE(node), GRAPH(graph), AFTER(after), count, EVENT(event));
}
EXPORT hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after,
                                           size_t count, hipEvent_t event) {
    FORWARD(cuGraphAddEventWaitNode, NODE(node), GRAPH(graph), AFTER(after), count, EVENT(event));
}
EXPORT hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
    FORWARD(cuGraphExecEventRecordNodeSetEvent, EXEC(exec), (CUgraphNode)node, EVENT(event));
}
EXPORT hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
    FORWARD(cuGraphExecEventWaitNodeSetEvent, EXEC(exec), (CUgraphNode)node, EVENT(event));
}
