/* Captures, graphs and what graphs keep: the handles, modes, states and flags are CUDA's. */
#include "forward.h"

#define STREAM(stream) ((CUstream)(stream))

EXPORT hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    FORWARD(cuStreamBeginCapture_v2, STREAM(stream), (int)mode);
}
EXPORT hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
    FORWARD(cuStreamEndCapture, STREAM(stream), (CUgraph *)graph);
}
EXPORT hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
    FORWARD(cuStreamIsCapturing, STREAM(stream), (CUstreamCaptureStatus *)status);
}
EXPORT hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                                             hipGraph_t *graph, const hipGraphNode_t **after, size_t *count) {
    FORWARD(cuStreamGetCaptureInfo_v2, STREAM(stream), (CUstreamCaptureStatus *)status, (cuuint64_t *)id,
            (CUgraph *)graph, (const CUgraphNode **)after, count);
}
EXPORT hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id) {
    return hipStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
}
EXPORT hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) { /* the thread's, of no device */
    hipError_t code = enter_library();
    return code ? code : CALL(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *)mode);
}

EXPORT hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
    FORWARD(cuGraphInstantiateWithFlags, (CUgraphExec *)exec, (CUgraph)graph, flags);
}
EXPORT hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *wrong, char *log,
                                      size_t size) {
    if (wrong) *wrong = NULL;
    if (log && size) log[0] = 0;
    return hipGraphInstantiateWithFlags(exec, graph, 0);
}
EXPORT hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
    FORWARD(cuGraphLaunch, (CUgraphExec)exec, STREAM(stream));
}
EXPORT hipError_t hipGraphExecDestroy(hipGraphExec_t exec) { FORWARD(cuGraphExecDestroy, (CUgraphExec)exec); }
EXPORT hipError_t hipGraphDestroy(hipGraph_t graph) { FORWARD(cuGraphDestroy, (CUgraph)graph); }
EXPORT hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
    FORWARD(cuGraphGetNodes, (CUgraph)graph, (CUgraphNode *)nodes, count);
}

EXPORT hipError_t hipUserObjectCreate(hipUserObject_t *object, void *data, hipHostFn_t destroy, unsigned int count,
                                      unsigned int flags) {
    FORWARD(cuUserObjectCreate, (CUuserObject *)object, data, (CUhostFn)destroy, count, flags);
}
EXPORT hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
    FORWARD(cuUserObjectRetain, (CUuserObject)object, count);
}
EXPORT hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
    FORWARD(cuUserObjectRelease, (CUuserObject)object, count);
}
EXPORT hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count,
                                           unsigned int flags) {
    FORWARD(cuGraphRetainUserObject, (CUgraph)graph, (CUuserObject)object, count, flags);
}
EXPORT hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
    FORWARD(cuGraphReleaseUserObject, (CUgraph)graph, (CUuserObject)object, count);
}
