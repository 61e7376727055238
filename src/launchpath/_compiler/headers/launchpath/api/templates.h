// C++ forms of functions that HIP's and CUDA's runtime share but for their first word: over any pointer, kernel or
// variable. See types.h for how it is included. Each calls the function with arguments of the function's own types: with
// others it would call itself.

// -- memory

template <class _T> __LP_INLINE(Malloc)(_T **p, size_t size) { return __LP_API(Malloc)((void **)p, size); }
template <class _T> __LP_INLINE(MallocHost)(_T **p, size_t size, unsigned int flags = 0) {
  return __LP_API(HostAlloc)((void **)p, size, flags);
}
template <class _T> __LP_INLINE(HostAlloc)(_T **p, size_t size, unsigned int flags) {
  return __LP_API(HostAlloc)((void **)p, size, flags);
}
template <class _T> __LP_INLINE(MallocManaged)(_T **p, size_t size, unsigned int flags = 1) {
  return __LP_API(MallocManaged)((void **)p, size, flags);
}
template <class _T> __LP_INLINE(MallocPitch)(_T **p, size_t *pitch, size_t width, size_t height) {
  return __LP_API(MallocPitch)((void **)p, pitch, width, height);
}
template <class _T> __LP_INLINE(MallocAsync)(_T **p, size_t size, __LP_API(Stream_t) stream) {
  return __LP_API(MallocAsync)((void **)p, size, stream);
}
template <class _T> __LP_INLINE(MallocFromPoolAsync)(_T **p, size_t size, __LP_API(MemPool_t) pool,
                                                     __LP_API(Stream_t) stream) {
  return __LP_API(MallocFromPoolAsync)((void **)p, size, pool, stream);
}
template <class _T> __LP_INLINE(MallocAsync)(_T **p, size_t size, __LP_API(MemPool_t) pool, __LP_API(Stream_t) stream) {
  return __LP_API(MallocFromPoolAsync)((void **)p, size, pool, stream);
}
template <class _T> __LP_INLINE(HostGetDevicePointer)(_T **p, void *host, unsigned int flags) {
  return __LP_API(HostGetDevicePointer)((void **)p, host, flags);
}

// -- variables: a variable's address on the host is its name

template <class _S> inline const void *__LP_API(__lp_symbol)(const _S &symbol) {
  return (const void *)__builtin_addressof(symbol);
}
template <class _S> __LP_INLINE(GetSymbolAddress)(void **p, const _S &symbol) {
  return __LP_API(GetSymbolAddress)(p, __LP_API(__lp_symbol)(symbol));
}
template <class _T, class _S> __LP_INLINE(GetSymbolAddress)(_T **p, const _S &symbol) {
  return __LP_API(GetSymbolAddress)((void **)p, __LP_API(__lp_symbol)(symbol));
}
template <class _S> __LP_INLINE(GetSymbolSize)(size_t *size, const _S &symbol) {
  return __LP_API(GetSymbolSize)(size, __LP_API(__lp_symbol)(symbol));
}
template <class _S>
__LP_INLINE(MemcpyToSymbol)(const _S &symbol, const void *src, size_t size, size_t offset = 0,
                            enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyHostToDevice)) {
  return __LP_API(MemcpyToSymbol)(__LP_API(__lp_symbol)(symbol), src, size, offset, kind);
}
template <class _S>
__LP_INLINE(MemcpyToSymbolAsync)(const _S &symbol, const void *src, size_t size, size_t offset = 0,
                                 enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyHostToDevice),
                                 __LP_API(Stream_t) stream = 0) {
  return __LP_API(MemcpyToSymbolAsync)(__LP_API(__lp_symbol)(symbol), src, size, offset, kind, stream);
}
template <class _S>
__LP_INLINE(MemcpyFromSymbol)(void *dst, const _S &symbol, size_t size, size_t offset = 0,
                              enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyDeviceToHost)) {
  return __LP_API(MemcpyFromSymbol)(dst, __LP_API(__lp_symbol)(symbol), size, offset, kind);
}
template <class _S>
__LP_INLINE(MemcpyFromSymbolAsync)(void *dst, const _S &symbol, size_t size, size_t offset = 0,
                                   enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyDeviceToHost),
                                   __LP_API(Stream_t) stream = 0) {
  return __LP_API(MemcpyFromSymbolAsync)(dst, __LP_API(__lp_symbol)(symbol), size, offset, kind, stream);
}
#ifdef __LP_CUDA__  // HIP has the form with the address alone, whose own address programs take
template <class _S>
__LP_INLINE(GraphAddMemcpyNodeToSymbol)(__LP_API(GraphNode_t) *node, __LP_API(Graph_t) graph,
                                        const __LP_API(GraphNode_t) *dependencies, size_t n, const _S &symbol,
                                        const void *src, size_t count, size_t offset, enum __LP_API(MemcpyKind) kind) {
  return __LP_API(GraphAddMemcpyNodeToSymbol)(node, graph, dependencies, n, __LP_API(__lp_symbol)(symbol), src, count,
                                              offset, kind);
}
template <class _S>
__LP_INLINE(GraphAddMemcpyNodeFromSymbol)(__LP_API(GraphNode_t) *node, __LP_API(Graph_t) graph,
                                          const __LP_API(GraphNode_t) *dependencies, size_t n, void *dst,
                                          const _S &symbol, size_t count, size_t offset,
                                          enum __LP_API(MemcpyKind) kind) {
  return __LP_API(GraphAddMemcpyNodeFromSymbol)(node, graph, dependencies, n, dst, __LP_API(__lp_symbol)(symbol), count,
                                                offset, kind);
}
#endif

// -- kernels

template <class _F>
__LP_INLINE(LaunchKernel)(_F *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                          __LP_API(Stream_t) stream = 0) {
  return __LP_API(LaunchKernel)((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class _F>
__LP_INLINE(LaunchCooperativeKernel)(_F *kernel, dim3 grid, dim3 block, void **arguments, unsigned int shared = 0,
                                     __LP_API(Stream_t) stream = 0) {
  return __LP_API(LaunchCooperativeKernel)((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class _F> __LP_INLINE(FuncGetAttributes)(struct __LP_API(FuncAttributes) *attributes, _F *kernel) {
  return __LP_API(FuncGetAttributes)(attributes, (const void *)kernel);
}
template <class _F> __LP_INLINE(FuncSetAttribute)(_F *kernel, enum __LP_API(FuncAttribute) attribute, int value) {
  return __LP_API(FuncSetAttribute)((const void *)kernel, attribute, value);
}
template <class _F> __LP_INLINE(FuncSetCacheConfig)(_F *kernel, __LP_API_CACHE config) {
  return __LP_API(FuncSetCacheConfig)((const void *)kernel, config);
}
template <class _F> __LP_INLINE(FuncSetSharedMemConfig)(_F *kernel, enum __LP_API(SharedMemConfig) config) {
  return __LP_API(FuncSetSharedMemConfig)((const void *)kernel, config);
}
template <class _F> __LP_INLINE(GetFuncBySymbol)(__LP_API(Function_t) *function, _F *kernel) {
  return __LP_API(GetFuncBySymbol)(function, (const void *)kernel);
}
template <class _F>
__LP_INLINE(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, _F kernel, int threads, size_t shared) {
  return __LP_API(OccupancyMaxActiveBlocksPerMultiprocessor)(blocks, (const void *)kernel, threads, shared);
}
template <class _F>
__LP_INLINE(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *blocks, _F kernel, int threads, size_t shared,
                                                                unsigned int flags) {
  return __LP_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(blocks, (const void *)kernel, threads, shared,
                                                                      flags);
}
template <class _F>
__LP_INLINE(OccupancyMaxPotentialBlockSize)(int *grid, int *block, _F kernel, size_t shared = 0, int limit = 0) {
  return __LP_API(OccupancyMaxPotentialBlockSize)(grid, block, (const void *)kernel, shared, limit);
}
template <class _F>
__LP_INLINE(OccupancyMaxPotentialBlockSizeWithFlags)(int *grid, int *block, _F kernel, size_t shared = 0, int limit = 0,
                                                     unsigned int flags = 0) {
  return __LP_API(OccupancyMaxPotentialBlockSize)(grid, block, (const void *)kernel, shared, limit);
}
// With the shared memory of each size of a block: the size that has most threads at once, the largest of these.
template <class _S, class _F>
__LP_INLINE(OccupancyMaxPotentialBlockSizeVariableSMem)(int *grid, int *block, _F kernel, _S shared, int limit = 0) {
  struct __LP_API(FuncAttributes) attributes;
  struct __LP_API_PROPERTIES properties;
  int device = 0, most = 0;
  __LP_API(Error_t) error = __LP_API(GetDevice)(&device);
  if (error == __LP_API(Success)) error = __LP_API(GetDeviceProperties)(&properties, device);
  if (error == __LP_API(Success)) error = __LP_API(FuncGetAttributes)(&attributes, (const void *)kernel);
  if (error != __LP_API(Success)) return error;
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0; size = (size - 1) / properties.warpSize * properties.warpSize) {
    int blocks = 0;
    error = __LP_API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, (const void *)kernel, size,
                                                                (size_t)shared(size));
    if (error != __LP_API(Success)) return error;
    if (blocks * size <= most) continue;
    most = blocks * size, *block = size, *grid = blocks * properties.multiProcessorCount;
  }
  return __LP_API(Success);
}
template <class _S, class _F>
__LP_INLINE(OccupancyMaxPotentialBlockSizeVariableSMemWithFlags)(int *grid, int *block, _F kernel, _S shared,
                                                                 int limit = 0, unsigned int flags = 0) {
  return __LP_API(OccupancyMaxPotentialBlockSizeVariableSMem)(grid, block, kernel, shared, limit);
}
template <class _F>
__LP_INLINE(OccupancyAvailableDynamicSMemPerBlock)(size_t *size, _F *kernel, int blocks, int threads) {
  return __LP_API(OccupancyAvailableDynamicSMemPerBlock)(size, (const void *)kernel, blocks, threads);
}
template <class _F>
__LP_INLINE(OccupancyMaxActiveClusters)(int *clusters, _F *kernel, const __LP_API(LaunchConfig_t) *config) {
  return __LP_API(OccupancyMaxActiveClusters)(clusters, (const void *)kernel, config);
}
template <class _F>
__LP_INLINE(OccupancyMaxPotentialClusterSize)(int *size, _F *kernel, const __LP_API(LaunchConfig_t) *config) {
  return __LP_API(OccupancyMaxPotentialClusterSize)(size, (const void *)kernel, config);
}
template <class... _P>
inline __LP_API(Error_t) __LP_API(__lp_launch_ex)(const __LP_API(LaunchConfig_t) *config, void (*kernel)(_P...),
                                                  _P... values) {
  void *arguments[] = {(void *)__builtin_addressof(values)..., nullptr};
  return __LP_API(LaunchKernelExC)(config, (const void *)kernel, arguments);
}
template <class... _P, class... _A>
__LP_INLINE(LaunchKernelEx)(const __LP_API(LaunchConfig_t) *config, void (*kernel)(_P...), _A &&...arguments) {
  return __LP_API(__lp_launch_ex)<_P...>(config, kernel, static_cast<_A &&>(arguments)...);
}

// -- graphs

__LP_INLINE(GraphInstantiate)(__LP_API(GraphExec_t) *executable, __LP_API(Graph_t) graph,
                              unsigned long long flags = 0) {
  return __LP_API(GraphInstantiateWithFlags)(executable, graph, flags);
}
