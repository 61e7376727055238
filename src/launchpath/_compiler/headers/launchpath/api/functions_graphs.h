// Functions of graphs, as in functions.h.

// capture
__LP_CALL(StreamBeginCapture)(__LP_API(Stream_t) stream, enum __LP_API(StreamCaptureMode) mode);
__LP_CALL(StreamBeginCaptureToGraph)(__LP_API(Stream_t) stream, __LP_API(Graph_t) graph,
                                     const __LP_API(GraphNode_t) *dependencies,
                                     const __LP_API(GraphEdgeData) *dependencyData, size_t numDependencies,
                                     enum __LP_API(StreamCaptureMode) mode);
__LP_CALL(StreamEndCapture)(__LP_API(Stream_t) stream, __LP_API(Graph_t) *pGraph);
__LP_CALL(StreamIsCapturing)(__LP_API(Stream_t) stream, enum __LP_API(StreamCaptureStatus) *pCaptureStatus);
__LP_CALL(StreamGetCaptureInfo)(__LP_API(Stream_t) stream, enum __LP_API(StreamCaptureStatus) *pCaptureStatus,
                                unsigned long long *pId);
__LP_CALL(StreamGetCaptureInfo_v2)(__LP_API(Stream_t) stream, enum __LP_API(StreamCaptureStatus) *captureStatus_out,
                                   unsigned long long *id_out = 0, __LP_API(Graph_t) *graph_out = 0,
                                   const __LP_API(GraphNode_t) **dependencies_out = 0,
                                   size_t *numDependencies_out = 0);
__LP_CALL(StreamUpdateCaptureDependencies)(__LP_API(Stream_t) stream, __LP_API(GraphNode_t) *dependencies,
                                           size_t numDependencies, unsigned int flags);
__LP_CALL(ThreadExchangeStreamCaptureMode)(enum __LP_API(StreamCaptureMode) *mode);

// graphs
__LP_CALL(GraphCreate)(__LP_API(Graph_t) *pGraph, unsigned int flags);
__LP_CALL(GraphDestroy)(__LP_API(Graph_t) graph);
__LP_CALL(GraphAddDependencies)(__LP_API(Graph_t) graph, const __LP_API(GraphNode_t) *from_,
                                const __LP_API(GraphNode_t) *to, size_t numDependencies);
__LP_CALL(GraphRemoveDependencies)(__LP_API(Graph_t) graph, const __LP_API(GraphNode_t) *from_,
                                   const __LP_API(GraphNode_t) *to, size_t numDependencies);
__LP_CALL(GraphGetEdges)(__LP_API(Graph_t) graph, __LP_API(GraphNode_t) *from_, __LP_API(GraphNode_t) *to,
                         size_t *numEdges);
__LP_CALL(GraphGetNodes)(__LP_API(Graph_t) graph, __LP_API(GraphNode_t) *nodes, size_t *numNodes);
__LP_CALL(GraphGetRootNodes)(__LP_API(Graph_t) graph, __LP_API(GraphNode_t) *pRootNodes, size_t *pNumRootNodes);
__LP_CALL(GraphClone)(__LP_API(Graph_t) *pGraphClone, __LP_API(Graph_t) originalGraph);
__LP_CALL(GraphInstantiate)(__LP_API(GraphExec_t) *pGraphExec, __LP_API(Graph_t) graph,
                            __LP_API(GraphNode_t) *pErrorNode, char *pLogBuffer, size_t bufferSize);
__LP_CALL(GraphInstantiateWithFlags)(__LP_API(GraphExec_t) *pGraphExec, __LP_API(Graph_t) graph,
                                     unsigned long long flags);
__LP_CALL(GraphInstantiateWithParams)(__LP_API(GraphExec_t) *pGraphExec, __LP_API(Graph_t) graph,
                                      __LP_API(GraphInstantiateParams) *instantiateParams);
__LP_CALL(GraphLaunch)(__LP_API(GraphExec_t) graphExec, __LP_API(Stream_t) stream);
__LP_CALL(GraphUpload)(__LP_API(GraphExec_t) graphExec, __LP_API(Stream_t) stream);
__LP_CALL(GraphRetainUserObject)(__LP_API(Graph_t) graph, __LP_API(UserObject_t) object, unsigned int count = 1,
                                 unsigned int flags = 0);
__LP_CALL(GraphReleaseUserObject)(__LP_API(Graph_t) graph, __LP_API(UserObject_t) object, unsigned int count = 1);
__LP_CALL(GraphDebugDotPrint)(__LP_API(Graph_t) graph, const char *path, unsigned int flags);

// nodes
__LP_CALL(GraphNodeGetDependencies)(__LP_API(GraphNode_t) node, __LP_API(GraphNode_t) *pDependencies,
                                    size_t *pNumDependencies);
__LP_CALL(GraphNodeGetDependentNodes)(__LP_API(GraphNode_t) node, __LP_API(GraphNode_t) *pDependentNodes,
                                      size_t *pNumDependentNodes);
__LP_CALL(GraphNodeGetType)(__LP_API(GraphNode_t) node, enum __LP_API(GraphNodeType) *pType);
__LP_CALL(GraphDestroyNode)(__LP_API(GraphNode_t) node);
__LP_CALL(GraphNodeFindInClone)(__LP_API(GraphNode_t) *pNode, __LP_API(GraphNode_t) originalNode,
                                __LP_API(Graph_t) clonedGraph);
__LP_CALL(GraphAddNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                        const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                        __LP_API(GraphNodeParams) *nodeParams);
__LP_CALL(GraphNodeSetParams)(__LP_API(GraphNode_t) node, __LP_API(GraphNodeParams) *nodeParams);
__LP_CALL(GraphAddKernelNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                              const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                              const __LP_API(KernelNodeParams) *pNodeParams);
__LP_CALL(GraphKernelNodeGetParams)(__LP_API(GraphNode_t) node, __LP_API(KernelNodeParams) *pNodeParams);
__LP_CALL(GraphKernelNodeSetParams)(__LP_API(GraphNode_t) node, const __LP_API(KernelNodeParams) *pNodeParams);
__LP_CALL(GraphAddMemcpyNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                              const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                              const __LP_API(Memcpy3DParms) *pCopyParams);
__LP_CALL(GraphMemcpyNodeGetParams)(__LP_API(GraphNode_t) node, __LP_API(Memcpy3DParms) *pNodeParams);
__LP_CALL(GraphMemcpyNodeSetParams)(__LP_API(GraphNode_t) node, const __LP_API(Memcpy3DParms) *pNodeParams);
__LP_CALL(GraphKernelNodeSetAttribute)(__LP_API(GraphNode_t) hNode, __LP_API(LaunchAttributeID) attr,
                                       const __LP_API(LaunchAttributeValue) *value);
__LP_CALL(GraphKernelNodeGetAttribute)(__LP_API(GraphNode_t) hNode, __LP_API(LaunchAttributeID) attr,
                                       __LP_API(LaunchAttributeValue) *value);
__LP_CALL(GraphAddMemcpyNode1D)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies, void *dst,
                                const void *src, size_t count, enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphMemcpyNodeSetParams1D)(__LP_API(GraphNode_t) node, void *dst, const void *src, size_t count,
                                      enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphAddMemcpyNodeFromSymbol)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                        const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies, void *dst,
                                        const void *symbol, size_t count, size_t offset,
                                        enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphMemcpyNodeSetParamsFromSymbol)(__LP_API(GraphNode_t) node, void *dst, const void *symbol, size_t count,
                                              size_t offset, enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphAddMemcpyNodeToSymbol)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                      const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                                      const void *symbol, const void *src, size_t count, size_t offset,
                                      enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphMemcpyNodeSetParamsToSymbol)(__LP_API(GraphNode_t) node, const void *symbol, const void *src,
                                            size_t count, size_t offset, enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphAddMemsetNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                              const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                              const __LP_API(MemsetParams) *pMemsetParams);
__LP_CALL(GraphMemsetNodeGetParams)(__LP_API(GraphNode_t) node, __LP_API(MemsetParams) *pNodeParams);
__LP_CALL(GraphMemsetNodeSetParams)(__LP_API(GraphNode_t) node, const __LP_API(MemsetParams) *pNodeParams);
__LP_CALL(GraphAddHostNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                            const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                            const __LP_API(HostNodeParams) *pNodeParams);
__LP_CALL(GraphHostNodeGetParams)(__LP_API(GraphNode_t) node, __LP_API(HostNodeParams) *pNodeParams);
__LP_CALL(GraphHostNodeSetParams)(__LP_API(GraphNode_t) node, const __LP_API(HostNodeParams) *pNodeParams);
__LP_CALL(GraphAddChildGraphNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                  const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                                  __LP_API(Graph_t) childGraph);
__LP_CALL(GraphChildGraphNodeGetGraph)(__LP_API(GraphNode_t) node, __LP_API(Graph_t) *pGraph);
__LP_CALL(GraphAddEmptyNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                             const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies);
__LP_CALL(GraphAddEventRecordNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                   const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                                   __LP_API(Event_t) event);
__LP_CALL(GraphEventRecordNodeGetEvent)(__LP_API(GraphNode_t) node, __LP_API(Event_t) *event_out);
__LP_CALL(GraphEventRecordNodeSetEvent)(__LP_API(GraphNode_t) node, __LP_API(Event_t) event);
__LP_CALL(GraphAddEventWaitNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                 const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                                 __LP_API(Event_t) event);
__LP_CALL(GraphEventWaitNodeGetEvent)(__LP_API(GraphNode_t) node, __LP_API(Event_t) *event_out);
__LP_CALL(GraphEventWaitNodeSetEvent)(__LP_API(GraphNode_t) node, __LP_API(Event_t) event);
__LP_CALL(GraphAddMemAllocNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                                const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies,
                                __LP_API(MemAllocNodeParams) *pNodeParams);
__LP_CALL(GraphMemAllocNodeGetParams)(__LP_API(GraphNode_t) node, __LP_API(MemAllocNodeParams) *pNodeParams);
__LP_CALL(GraphAddMemFreeNode)(__LP_API(GraphNode_t) *pGraphNode, __LP_API(Graph_t) graph,
                               const __LP_API(GraphNode_t) *pDependencies, size_t numDependencies, void *dev_ptr);
__LP_CALL(GraphMemFreeNodeGetParams)(__LP_API(GraphNode_t) node, void *dev_ptr);
__LP_CALL(GraphKernelNodeCopyAttributes)(__LP_API(GraphNode_t) hSrc, __LP_API(GraphNode_t) hDst);
__LP_CALL(GraphNodeSetEnabled)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) hNode, unsigned int isEnabled);
__LP_CALL(GraphNodeGetEnabled)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) hNode, unsigned int *isEnabled);

// executable graphs
__LP_CALL(GraphExecGetFlags)(__LP_API(GraphExec_t) graphExec, unsigned long long *flags);
__LP_CALL(GraphExecNodeSetParams)(__LP_API(GraphExec_t) graphExec, __LP_API(GraphNode_t) node,
                                  __LP_API(GraphNodeParams) *nodeParams);
__LP_CALL(GraphExecDestroy)(__LP_API(GraphExec_t) graphExec);
__LP_CALL(GraphExecUpdate)(__LP_API(GraphExec_t) hGraphExec, __LP_API(Graph_t) hGraph,
                           __LP_API(GraphNode_t) *hErrorNode_out,
                           enum __LP_API(GraphExecUpdateResult) *updateResult_out);
__LP_CALL(GraphExecKernelNodeSetParams)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                        const __LP_API(KernelNodeParams) *pNodeParams);
__LP_CALL(GraphExecMemcpyNodeSetParams)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                        __LP_API(Memcpy3DParms) *pNodeParams);
__LP_CALL(GraphExecMemcpyNodeSetParams1D)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node, void *dst,
                                          const void *src, size_t count, enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphExecMemcpyNodeSetParamsFromSymbol)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                                  void *dst, const void *symbol, size_t count, size_t offset,
                                                  enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphExecMemcpyNodeSetParamsToSymbol)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                                const void *symbol, const void *src, size_t count, size_t offset,
                                                enum __LP_API(MemcpyKind) kind);
__LP_CALL(GraphExecMemsetNodeSetParams)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                        const __LP_API(MemsetParams) *pNodeParams);
__LP_CALL(GraphExecHostNodeSetParams)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                      const __LP_API(HostNodeParams) *pNodeParams);
__LP_CALL(GraphExecChildGraphNodeSetParams)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) node,
                                            __LP_API(Graph_t) childGraph);
__LP_CALL(GraphExecEventRecordNodeSetEvent)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) hNode,
                                            __LP_API(Event_t) event);
__LP_CALL(GraphExecEventWaitNodeSetEvent)(__LP_API(GraphExec_t) hGraphExec, __LP_API(GraphNode_t) hNode,
                                          __LP_API(Event_t) event);

// their memory and objects
__LP_CALL(DeviceGraphMemTrim)(int device);
__LP_CALL(DeviceGetGraphMemAttribute)(int device, enum __LP_API(GraphMemAttributeType) attr, void *value);
__LP_CALL(DeviceSetGraphMemAttribute)(int device, enum __LP_API(GraphMemAttributeType) attr, void *value);
__LP_CALL(UserObjectCreate)(__LP_API(UserObject_t) *object_out, void *ptr, __LP_API(HostFn_t) destroy,
                            unsigned int initialRefcount, unsigned int flags);
__LP_CALL(UserObjectRelease)(__LP_API(UserObject_t) object, unsigned int count = 1);
__LP_CALL(UserObjectRetain)(__LP_API(UserObject_t) object, unsigned int count = 1);
