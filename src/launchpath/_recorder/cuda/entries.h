/* The functions of CUDA's driver that are recorded, each once. Included several times, with the macros defined otherwise:

   CALL_PROVEN(name, parameters, arguments, place, quantity, prove)         a call that is no command; CALL proves nothing
   HOOK(name, parameters, arguments, before, after, place, quantity)        and what the recorder does beside it
   COPY(name, parameters, arguments, stream, per_thread, direction, bytes, to, source)
   BOX(name, parameters, arguments, stream, per_thread, command, shape, prove)  a copy that a struct describes
   FILL(name, parameters, arguments, stream, per_thread, bytes, to)
   LAUNCH(name, parameters, arguments, stream, per_thread, function, grid, block, shared, flags, kernel_parameters, extra)
   OTHER(name)                                                              written out in door.h or graphs.h

   `prove` fills `proof`, what findings are to know of the call. In `after` the call's code is `code`. Names that end in _ptsz and _ptds take the thread's own stream for the default stream. */

#define CALL(name, parameters, arguments, where, quantity) CALL_PROVEN(name, parameters, arguments, where, quantity, (void)0)
#define NOWHERE cuda_nowhere()
#define CONTEXT cuda_context_place(ring)
#define STREAM(stream) cuda_place(ring, stream, 0)
#define STREAM_OWN(stream) cuda_place(ring, stream, 1)

/* Begin and contexts. */
CALL(cuInit, (unsigned int flags), (flags), NOWHERE, 0)
CALL(cuCtxCreate_v2, (void **context, unsigned int flags, int device), (context, flags, device), NOWHERE, 0)
CALL(cuCtxCreate_v3, (void **context, void *affinity, int n, unsigned int flags, int device), (context, affinity, n, flags, device), NOWHERE, 0)
CALL(cuCtxCreate_v4, (void **context, void *parameters, unsigned int flags, int device), (context, parameters, flags, device), NOWHERE, 0)
HOOK(cuCtxDestroy_v2, (void *context), (context), cuda_context_ends(context), (void)0, NOWHERE, 0)
CALL(cuCtxSynchronize, (void), (), CONTEXT, 0)
CALL(cuCtxSynchronize_v2, (void *context), (context), NOWHERE, 0)
CALL(cuDevicePrimaryCtxRetain, (void **context, int device), (context, device), NOWHERE, 0)
HOOK(cuDevicePrimaryCtxRelease_v2, (int device), (device), (void)0, cuda_contexts_end(), NOWHERE, 0)
HOOK(cuDevicePrimaryCtxReset_v2, (int device), (device), (void)0, cuda_contexts_end(), NOWHERE, 0)

/* Modules, libraries and their functions. */
CALL(cuModuleLoad, (void **module, const char *path), (module, path), CONTEXT, 0)
CALL(cuModuleLoadData, (void **module, const void *image), (module, image), CONTEXT, 0)
CALL(cuModuleLoadDataEx, (void **module, const void *image, unsigned int n, int *options, void **values), (module, image, n, options, values), CONTEXT, 0)
CALL(cuModuleLoadFatBinary, (void **module, const void *image), (module, image), CONTEXT, 0)
HOOK(cuModuleUnload, (void *module), (module), cuda_module_ends(module), (void)0, CONTEXT, 0)
HOOK(cuModuleGetFunction, (void **function, void *module, const char *name), (function, module, name), (void)0, if (code == 0) cuda_kernel_named(*function, module, 0, name), CONTEXT, 0)
CALL(cuLibraryLoadData, (void **library, const void *image, int *jit, void **jit_values, unsigned int n_jit, int *options, void **values, unsigned int n), (library, image, jit, jit_values, n_jit, options, values, n), CONTEXT, 0)
CALL(cuLibraryLoadFromFile, (void **library, const char *path, int *jit, void **jit_values, unsigned int n_jit, int *options, void **values, unsigned int n), (library, path, jit, jit_values, n_jit, options, values, n), CONTEXT, 0)
HOOK(cuLibraryUnload, (void *library), (library), cuda_module_ends(library), (void)0, CONTEXT, 0)
HOOK(cuLibraryGetKernel, (void **kernel, void *library, const char *name), (kernel, library, name), (void)0, if (code == 0) cuda_kernel_named(*kernel, 0, library, name), CONTEXT, 0)
HOOK(cuKernelGetFunction, (void **function, void *kernel), (function, kernel), (void)0, if (code == 0) cuda_kernel_same(*function, kernel), CONTEXT, 0)
CALL(cuLinkCreate_v2, (unsigned int n, int *options, void **values, void **state), (n, options, values, state), CONTEXT, 0)
CALL(cuLinkAddData_v2, (void *state, int type, void *data, size_t size, const char *name, unsigned int n, int *options, void **values), (state, type, data, size, name, n, options, values), CONTEXT, size)
CALL(cuLinkAddFile_v2, (void *state, int type, const char *path, unsigned int n, int *options, void **values), (state, type, path, n, options, values), CONTEXT, 0)
CALL(cuLinkComplete, (void *state, void **image, size_t *size), (state, image, size), CONTEXT, 0)
CALL(cuLinkDestroy, (void *state), (state), CONTEXT, 0)

/* Streams. */
HOOK(cuStreamCreate, (void **stream, unsigned int flags), (stream, flags), (void)0, if (code == 0) cuda_stream_begins(*stream), CONTEXT, 0)
HOOK(cuStreamCreateWithPriority, (void **stream, unsigned int flags, int priority), (stream, flags, priority), (void)0, if (code == 0) cuda_stream_begins(*stream), CONTEXT, 0)
HOOK(cuGreenCtxStreamCreate, (void **stream, void *context, unsigned int flags, int priority), (stream, context, flags, priority), (void)0, if (code == 0) cuda_stream_begins(*stream), CONTEXT, 0)
HOOK(cuStreamDestroy_v2, (void *stream), (stream), cuda_stream_ends(stream), (void)0, CONTEXT, 0)
CALL(cuStreamSynchronize, (void *stream), (stream), STREAM(stream), 0)
CALL(cuStreamSynchronize_ptsz, (void *stream), (stream), STREAM_OWN(stream), 0)
CALL(cuStreamQuery, (void *stream), (stream), STREAM(stream), 0)
CALL(cuStreamQuery_ptsz, (void *stream), (stream), STREAM_OWN(stream), 0)
CALL_PROVEN(cuStreamWaitEvent, (void *stream, void *event, unsigned int flags), (stream, event, flags), STREAM(stream), 0, evidence_wait(&proof, event))
CALL_PROVEN(cuStreamWaitEvent_ptsz, (void *stream, void *event, unsigned int flags), (stream, event, flags), STREAM_OWN(stream), 0, evidence_wait(&proof, event))
CALL(cuStreamAddCallback, (void *stream, void *function, void *data, unsigned int flags), (stream, function, data, flags), STREAM(stream), 0)
CALL(cuStreamAddCallback_ptsz, (void *stream, void *function, void *data, unsigned int flags), (stream, function, data, flags), STREAM_OWN(stream), 0)
CALL(cuStreamAttachMemAsync, (void *stream, cuda_address at, size_t size, unsigned int flags), (stream, at, size, flags), STREAM(stream), size)
CALL(cuStreamAttachMemAsync_ptsz, (void *stream, cuda_address at, size_t size, unsigned int flags), (stream, at, size, flags), STREAM_OWN(stream), size)
CALL(cuStreamWaitValue32, (void *stream, cuda_address at, uint32_t value, unsigned int flags), (stream, at, value, flags), STREAM(stream), 0)
CALL(cuStreamWaitValue32_v2, (void *stream, cuda_address at, uint32_t value, unsigned int flags), (stream, at, value, flags), STREAM(stream), 0)
CALL(cuStreamWaitValue32_v2_ptsz, (void *stream, cuda_address at, uint32_t value, unsigned int flags), (stream, at, value, flags), STREAM_OWN(stream), 0)
CALL(cuStreamWaitValue64_v2, (void *stream, cuda_address at, uint64_t value, unsigned int flags), (stream, at, value, flags), STREAM(stream), 0)
CALL(cuStreamWaitValue64_v2_ptsz, (void *stream, cuda_address at, uint64_t value, unsigned int flags), (stream, at, value, flags), STREAM_OWN(stream), 0)
CALL(cuStreamWriteValue32_v2, (void *stream, cuda_address at, uint32_t value, unsigned int flags), (stream, at, value, flags), STREAM(stream), 0)
CALL(cuStreamWriteValue32_v2_ptsz, (void *stream, cuda_address at, uint32_t value, unsigned int flags), (stream, at, value, flags), STREAM_OWN(stream), 0)
CALL(cuStreamWriteValue64_v2, (void *stream, cuda_address at, uint64_t value, unsigned int flags), (stream, at, value, flags), STREAM(stream), 0)
CALL(cuStreamWriteValue64_v2_ptsz, (void *stream, cuda_address at, uint64_t value, unsigned int flags), (stream, at, value, flags), STREAM_OWN(stream), 0)
CALL(cuStreamBatchMemOp_v2, (void *stream, unsigned int n, void *operations, unsigned int flags), (stream, n, operations, flags), STREAM(stream), n)
CALL(cuStreamBatchMemOp_v2_ptsz, (void *stream, unsigned int n, void *operations, unsigned int flags), (stream, n, operations, flags), STREAM_OWN(stream), n)
HOOK(cuStreamBeginCapture, (void *stream), (stream), (void)0, if (code == 0) cuda_capture_begins(), STREAM(stream), 0)
HOOK(cuStreamBeginCapture_ptsz, (void *stream), (stream), (void)0, if (code == 0) cuda_capture_begins(), STREAM_OWN(stream), 0)
HOOK(cuStreamBeginCapture_v2, (void *stream, int mode), (stream, mode), (void)0, if (code == 0) cuda_capture_begins(), STREAM(stream), 0)
HOOK(cuStreamBeginCapture_v2_ptsz, (void *stream, int mode), (stream, mode), (void)0, if (code == 0) cuda_capture_begins(), STREAM_OWN(stream), 0)
HOOK(cuStreamBeginCaptureToGraph, (void *stream, void *graph, void *const *nodes, const void *edges, size_t n, int mode), (stream, graph, nodes, edges, n, mode), (void)0, if (code == 0) cuda_capture_begins(), STREAM(stream), 0)
HOOK(cuStreamBeginCaptureToGraph_ptsz, (void *stream, void *graph, void *const *nodes, const void *edges, size_t n, int mode), (stream, graph, nodes, edges, n, mode), (void)0, if (code == 0) cuda_capture_begins(), STREAM_OWN(stream), 0)
HOOK(cuStreamEndCapture, (void *stream, void **graph), (stream, graph), (void)0, cuda_capture_ends(code), STREAM(stream), 0)
HOOK(cuStreamEndCapture_ptsz, (void *stream, void **graph), (stream, graph), (void)0, cuda_capture_ends(code), STREAM_OWN(stream), 0)

/* Events. */
CALL(cuEventCreate, (void **event, unsigned int flags), (event, flags), CONTEXT, 0)
CALL(cuEventDestroy_v2, (void *event), (event), CONTEXT, 0)
CALL_PROVEN(cuEventRecord, (void *event, void *stream), (event, stream), STREAM(stream), 0, proof.event = (uint64_t)(uintptr_t)event)
CALL_PROVEN(cuEventRecord_ptsz, (void *event, void *stream), (event, stream), STREAM_OWN(stream), 0, proof.event = (uint64_t)(uintptr_t)event)
CALL_PROVEN(cuEventRecordWithFlags, (void *event, void *stream, unsigned int flags), (event, stream, flags), STREAM(stream), 0, proof.event = (uint64_t)(uintptr_t)event)
CALL_PROVEN(cuEventRecordWithFlags_ptsz, (void *event, void *stream, unsigned int flags), (event, stream, flags), STREAM_OWN(stream), 0, proof.event = (uint64_t)(uintptr_t)event)
CALL_PROVEN(cuEventQuery, (void *event), (event), CONTEXT, 0, evidence_wait(&proof, event))
CALL_PROVEN(cuEventSynchronize, (void *event), (event), CONTEXT, 0, evidence_wait(&proof, event))
CALL(cuEventElapsedTime, (float *milliseconds, void *first, void *last), (milliseconds, first, last), CONTEXT, 0)
CALL(cuEventElapsedTime_v2, (float *milliseconds, void *first, void *last), (milliseconds, first, last), CONTEXT, 0)

/* Memory. */
CALL(cuMemAlloc_v2, (cuda_address *at, size_t size), (at, size), CONTEXT, size)
CALL(cuMemAllocPitch_v2, (cuda_address *at, size_t *pitch, size_t width, size_t height, unsigned int element), (at, pitch, width, height, element), CONTEXT, width * height)
CALL(cuMemAllocManaged, (cuda_address *at, size_t size, unsigned int flags), (at, size, flags), CONTEXT, size)
CALL(cuMemAllocHost_v2, (void **at, size_t size), (at, size), CONTEXT, size)
CALL(cuMemHostAlloc, (void **at, size_t size, unsigned int flags), (at, size, flags), CONTEXT, size)
CALL(cuMemHostRegister_v2, (void *at, size_t size, unsigned int flags), (at, size, flags), CONTEXT, size)
CALL(cuMemHostUnregister, (void *at), (at), CONTEXT, 0)
CALL(cuMemFreeHost, (void *at), (at), CONTEXT, 0)
CALL(cuMemFree_v2, (cuda_address at), (at), CONTEXT, 0)
CALL(cuMemAllocAsync, (cuda_address *at, size_t size, void *stream), (at, size, stream), STREAM(stream), size)
CALL(cuMemAllocAsync_ptsz, (cuda_address *at, size_t size, void *stream), (at, size, stream), STREAM_OWN(stream), size)
CALL(cuMemAllocFromPoolAsync, (cuda_address *at, size_t size, void *pool, void *stream), (at, size, pool, stream), STREAM(stream), size)
CALL(cuMemAllocFromPoolAsync_ptsz, (cuda_address *at, size_t size, void *pool, void *stream), (at, size, pool, stream), STREAM_OWN(stream), size)
CALL(cuMemFreeAsync, (cuda_address at, void *stream), (at, stream), STREAM(stream), 0)
CALL(cuMemFreeAsync_ptsz, (cuda_address at, void *stream), (at, stream), STREAM_OWN(stream), 0)
CALL(cuMemPoolTrimTo, (void *pool, size_t least), (pool, least), CONTEXT, least)
CALL(cuMemCreate, (uint64_t *handle, size_t size, const void *properties, unsigned long long flags), (handle, size, properties, flags), CONTEXT, size)
CALL(cuMemRelease, (uint64_t handle), (handle), CONTEXT, 0)
CALL(cuMemAddressReserve, (cuda_address *at, size_t size, size_t alignment, cuda_address wanted, unsigned long long flags), (at, size, alignment, wanted, flags), CONTEXT, size)
CALL(cuMemAddressFree, (cuda_address at, size_t size), (at, size), CONTEXT, size)
CALL(cuMemMap, (cuda_address at, size_t size, size_t offset, uint64_t handle, unsigned long long flags), (at, size, offset, handle, flags), CONTEXT, size)
CALL(cuMemUnmap, (cuda_address at, size_t size), (at, size), CONTEXT, size)
CALL(cuMemSetAccess, (cuda_address at, size_t size, const void *access, size_t n), (at, size, access, n), CONTEXT, size)
CALL(cuMemPrefetchAsync, (cuda_address at, size_t size, int device, void *stream), (at, size, device, stream), STREAM(stream), size)
CALL(cuMemPrefetchAsync_ptsz, (cuda_address at, size_t size, int device, void *stream), (at, size, device, stream), STREAM_OWN(stream), size)
CALL(cuMemPrefetchAsync_v2, (cuda_address at, size_t size, uint64_t location, unsigned int flags, void *stream), (at, size, location, flags, stream), STREAM(stream), size)
CALL(cuMemPrefetchAsync_v2_ptsz, (cuda_address at, size_t size, uint64_t location, unsigned int flags, void *stream), (at, size, location, flags, stream), STREAM_OWN(stream), size)
CALL(cuArrayCreate_v2, (void **array, const void *shape), (array, shape), CONTEXT, 0)
CALL(cuArray3DCreate_v2, (void **array, const void *shape), (array, shape), CONTEXT, 0)
CALL(cuArrayDestroy, (void *array), (array), CONTEXT, 0)

/* Copies. */
#define COPY_BOTH(name, own, parameters, arguments, stream, direction, bytes, to, source)                              \
    COPY(name, parameters, arguments, stream, 0, direction, bytes, to, source)                                         \
    COPY(own, parameters, arguments, stream, 1, direction, bytes, to, source)
COPY_BOTH(cuMemcpy, cuMemcpy_ptds, (cuda_address to, cuda_address from, size_t size), (to, from, size), 0, COPY_UNKNOWN, size, to, from)
COPY_BOTH(cuMemcpyAsync, cuMemcpyAsync_ptsz, (cuda_address to, cuda_address from, size_t size, void *stream), (to, from, size, stream), stream, COPY_UNKNOWN, size, to, from)
COPY_BOTH(cuMemcpyPeer, cuMemcpyPeer_ptds, (cuda_address to, void *there, cuda_address from, void *here, size_t size), (to, there, from, here, size), 0, COPY_ON_DEVICE, size, to, from)
COPY_BOTH(cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz, (cuda_address to, void *there, cuda_address from, void *here, size_t size, void *stream), (to, there, from, here, size, stream), stream, COPY_ON_DEVICE, size, to, from)
COPY_BOTH(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds, (cuda_address to, const void *from, size_t size), (to, from, size), 0, COPY_TO_DEVICE, size, to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz, (cuda_address to, const void *from, size_t size, void *stream), (to, from, size, stream), stream, COPY_TO_DEVICE, size, to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, (void *to, cuda_address from, size_t size), (to, from, size), 0, COPY_TO_HOST, size, (uint64_t)(uintptr_t)to, from)
COPY_BOTH(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz, (void *to, cuda_address from, size_t size, void *stream), (to, from, size, stream), stream, COPY_TO_HOST, size, (uint64_t)(uintptr_t)to, from)
COPY_BOTH(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, (cuda_address to, cuda_address from, size_t size), (to, from, size), 0, COPY_ON_DEVICE, size, to, from)
COPY_BOTH(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz, (cuda_address to, cuda_address from, size_t size, void *stream), (to, from, size, stream), stream, COPY_ON_DEVICE, size, to, from)
COPY_BOTH(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds, (void *to, size_t offset, cuda_address from, size_t size), (to, offset, from, size), 0, COPY_ON_DEVICE, size, (uint64_t)(uintptr_t)to, from)
COPY_BOTH(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds, (cuda_address to, void *from, size_t offset, size_t size), (to, from, offset, size), 0, COPY_ON_DEVICE, size, to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds, (void *to, size_t offset, const void *from, size_t size), (to, offset, from, size), 0, COPY_TO_DEVICE, size, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz, (void *to, size_t offset, const void *from, size_t size, void *stream), (to, offset, from, size, stream), stream, COPY_TO_DEVICE, size, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds, (void *to, void *from, size_t offset, size_t size), (to, from, offset, size), 0, COPY_TO_HOST, size, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz, (void *to, void *from, size_t offset, size_t size, void *stream), (to, from, offset, size, stream), stream, COPY_TO_HOST, size, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from)
COPY_BOTH(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds, (void *to, size_t to_offset, void *from, size_t offset, size_t size), (to, to_offset, from, offset, size), 0, COPY_ON_DEVICE, size, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from)
#undef COPY_BOTH
#define BOX_BOTH(name, own, parameters, arguments, stream, command, shape)                                             \
    BOX(name, parameters, arguments, stream, 0, command, shape##_payload(&what, described), shape##_prove(&proof, described, CUDA_WAITS(name))) \
    BOX(own, parameters, arguments, stream, 1, command, shape##_payload(&what, described), shape##_prove(&proof, described, CUDA_WAITS(name)))
BOX_BOTH(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds, (const cuda_rows *described), (described), 0, COMMAND_ROWS, cuda_rows)
BOX_BOTH(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2_ptds, (const cuda_rows *described), (described), 0, COMMAND_ROWS, cuda_rows)
BOX_BOTH(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz, (const cuda_rows *described, void *stream), (described, stream), stream, COMMAND_ROWS, cuda_rows)
BOX_BOTH(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds, (const cuda_box *described), (described), 0, COMMAND_ROWS, cuda_box)
BOX_BOTH(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz, (const cuda_box *described, void *stream), (described, stream), stream, COMMAND_ROWS, cuda_box)
BOX_BOTH(cuMemcpy3DPeer, cuMemcpy3DPeer_ptds, (const cuda_box *described), (described), 0, COMMAND_PEER, cuda_box)
BOX_BOTH(cuMemcpy3DPeerAsync, cuMemcpy3DPeerAsync_ptsz, (const cuda_box *described, void *stream), (described, stream), stream, COMMAND_PEER, cuda_box)
#undef BOX_BOTH

/* Fills. */
#define FILL_BOTH(name, own, parameters, arguments, stream, bytes)                                                     \
    FILL(name, parameters, arguments, stream, 0, bytes, to)                                                            \
    FILL(own, parameters, arguments, stream, 1, bytes, to)
FILL_BOTH(cuMemsetD8_v2, cuMemsetD8_v2_ptds, (cuda_address to, unsigned char value, size_t n), (to, value, n), 0, n)
FILL_BOTH(cuMemsetD16_v2, cuMemsetD16_v2_ptds, (cuda_address to, unsigned short value, size_t n), (to, value, n), 0, 2 * n)
FILL_BOTH(cuMemsetD32_v2, cuMemsetD32_v2_ptds, (cuda_address to, unsigned int value, size_t n), (to, value, n), 0, 4 * n)
FILL_BOTH(cuMemsetD2D8_v2, cuMemsetD2D8_v2_ptds, (cuda_address to, size_t pitch, unsigned char value, size_t width, size_t height), (to, pitch, value, width, height), 0, width * height)
FILL_BOTH(cuMemsetD2D16_v2, cuMemsetD2D16_v2_ptds, (cuda_address to, size_t pitch, unsigned short value, size_t width, size_t height), (to, pitch, value, width, height), 0, 2 * width * height)
FILL_BOTH(cuMemsetD2D32_v2, cuMemsetD2D32_v2_ptds, (cuda_address to, size_t pitch, unsigned int value, size_t width, size_t height), (to, pitch, value, width, height), 0, 4 * width * height)
FILL_BOTH(cuMemsetD8Async, cuMemsetD8Async_ptsz, (cuda_address to, unsigned char value, size_t n, void *stream), (to, value, n, stream), stream, n)
FILL_BOTH(cuMemsetD16Async, cuMemsetD16Async_ptsz, (cuda_address to, unsigned short value, size_t n, void *stream), (to, value, n, stream), stream, 2 * n)
FILL_BOTH(cuMemsetD32Async, cuMemsetD32Async_ptsz, (cuda_address to, unsigned int value, size_t n, void *stream), (to, value, n, stream), stream, 4 * n)
FILL_BOTH(cuMemsetD2D8Async, cuMemsetD2D8Async_ptsz, (cuda_address to, size_t pitch, unsigned char value, size_t width, size_t height, void *stream), (to, pitch, value, width, height, stream), stream, width * height)
FILL_BOTH(cuMemsetD2D16Async, cuMemsetD2D16Async_ptsz, (cuda_address to, size_t pitch, unsigned short value, size_t width, size_t height, void *stream), (to, pitch, value, width, height, stream), stream, 2 * width * height)
FILL_BOTH(cuMemsetD2D32Async, cuMemsetD2D32Async_ptsz, (cuda_address to, size_t pitch, unsigned int value, size_t width, size_t height, void *stream), (to, pitch, value, width, height, stream), stream, 4 * width * height)
#undef FILL_BOTH

/* Launches. */
#define CUDA_SIZES unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared
#define CUDA_GRID {gx, gy, gz}
#define CUDA_BLOCK {bx, by, bz}
LAUNCH(cuLaunchKernel, (void *f, CUDA_SIZES, void *stream, void **parameters, void **extra), (f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra), stream, 0, f, CUDA_GRID, CUDA_BLOCK, shared, 0, parameters, extra)
LAUNCH(cuLaunchKernel_ptsz, (void *f, CUDA_SIZES, void *stream, void **parameters, void **extra), (f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra), stream, 1, f, CUDA_GRID, CUDA_BLOCK, shared, 0, parameters, extra)
LAUNCH(cuLaunchCooperativeKernel, (void *f, CUDA_SIZES, void *stream, void **parameters), (f, gx, gy, gz, bx, by, bz, shared, stream, parameters), stream, 0, f, CUDA_GRID, CUDA_BLOCK, shared, SLOT_COOPERATIVE, parameters, 0)
LAUNCH(cuLaunchCooperativeKernel_ptsz, (void *f, CUDA_SIZES, void *stream, void **parameters), (f, gx, gy, gz, bx, by, bz, shared, stream, parameters), stream, 1, f, CUDA_GRID, CUDA_BLOCK, shared, SLOT_COOPERATIVE, parameters, 0)
#define CUDA_OF(part) {config->part[0], config->part[1], config->part[2]}
LAUNCH(cuLaunchKernelEx, (const cuda_config *config, void *f, void **parameters, void **extra), (config, f, parameters, extra), config->stream, 0, f, CUDA_OF(grid), CUDA_OF(block), config->shared, cuda_config_flags(config), parameters, extra)
LAUNCH(cuLaunchKernelEx_ptsz, (const cuda_config *config, void *f, void **parameters, void **extra), (config, f, parameters, extra), config->stream, 1, f, CUDA_OF(grid), CUDA_OF(block), config->shared, cuda_config_flags(config), parameters, extra)
#undef CUDA_SIZES
#undef CUDA_GRID
#undef CUDA_BLOCK
#undef CUDA_OF
CALL(cuLaunchHostFunc, (void *stream, void *function, void *data), (stream, function, data), STREAM(stream), 0)
CALL(cuLaunchHostFunc_ptsz, (void *stream, void *function, void *data), (stream, function, data), STREAM_OWN(stream), 0)

/* Graphs. */
HOOK(cuGraphInstantiate, (void **executable, void *graph, void **node, char *log, size_t size), (executable, graph, node, log, size), clones_begin(), if (code == 0) cuda_graph_begins(*executable, graph); else clones_end(), CONTEXT, 0)
HOOK(cuGraphInstantiate_v2, (void **executable, void *graph, void **node, char *log, size_t size), (executable, graph, node, log, size), clones_begin(), if (code == 0) cuda_graph_begins(*executable, graph); else clones_end(), CONTEXT, 0)
HOOK(cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags), (executable, graph, flags), clones_begin(), if (code == 0) cuda_graph_begins(*executable, graph); else clones_end(), CONTEXT, 0)
HOOK(cuGraphInstantiateWithParams, (void **executable, void *graph, void *parameters), (executable, graph, parameters), clones_begin(), if (code == 0) cuda_graph_begins(*executable, graph); else clones_end(), CONTEXT, 0)
HOOK(cuGraphInstantiateWithParams_ptsz, (void **executable, void *graph, void *parameters), (executable, graph, parameters), clones_begin(), if (code == 0) cuda_graph_begins(*executable, graph); else clones_end(), CONTEXT, 0)
HOOK(cuGraphExecUpdate, (void *executable, void *graph, void **node, int *result), (executable, graph, node, result), (void)0, if (code == 0) cuda_graph_begins(executable, graph), CONTEXT, 0)
HOOK(cuGraphExecUpdate_v2, (void *executable, void *graph, void *result), (executable, graph, result), (void)0, if (code == 0) cuda_graph_begins(executable, graph), CONTEXT, 0)
HOOK(cuGraphExecDestroy, (void *executable), (executable), cuda_graph_ends(executable), (void)0, CONTEXT, 0)
HOOK(cuGraphExecKernelNodeSetParams, (void *executable, void *node, const cuda_kernel_node *values), (executable, node, values), (void)0, if (code == 0) cuda_graph_kernel(executable, node, values, 0), CONTEXT, 0)
HOOK(cuGraphExecKernelNodeSetParams_v2, (void *executable, void *node, const cuda_kernel_node *values), (executable, node, values), (void)0, if (code == 0) cuda_graph_kernel(executable, node, values, 1), CONTEXT, 0)
HOOK(cuGraphExecMemcpyNodeSetParams, (void *executable, void *node, const cuda_box *box, void *context), (executable, node, box, context), (void)0, if (code == 0) cuda_graph_copy(executable, node, box), CONTEXT, 0)
HOOK(cuGraphExecMemsetNodeSetParams, (void *executable, void *node, const cuda_fill_node *fill, void *context), (executable, node, fill, context), (void)0, if (code == 0) cuda_graph_fill(executable, node, fill), CONTEXT, 0)
HOOK(cuGraphExecChildGraphNodeSetParams, (void *executable, void *node, void *graph), (executable, node, graph), (void)0, if (code == 0) cuda_graph_unknown(executable), CONTEXT, 0)
HOOK(cuGraphExecNodeSetParams, (void *executable, void *node, void *values), (executable, node, values), (void)0, if (code == 0) cuda_graph_unknown(executable), CONTEXT, 0)
HOOK(cuGraphNodeSetEnabled, (void *executable, void *node, unsigned int enabled), (executable, node, enabled), (void)0, if (code == 0) cuda_graph_enable(executable, node, enabled), CONTEXT, 0)
CALL(cuGraphUpload, (void *executable, void *stream), (executable, stream), STREAM(stream), 0)
CALL(cuGraphUpload_ptsz, (void *executable, void *stream), (executable, stream), STREAM_OWN(stream), 0)
OTHER(cuGraphLaunch)
OTHER(cuGraphLaunch_ptsz)

/* How programs come by the others. */
OTHER(cuGetProcAddress)
OTHER(cuGetProcAddress_v2)
#undef CALL
