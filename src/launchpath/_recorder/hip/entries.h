/* The functions of HIP's runtime that are recorded, each once. Included several times, with the macros defined otherwise:

   HOOK_PROVEN(name, fields, before, after, place, quantity, prove)     a call that is no command, and what the recorder does
   COMMAND_PROVEN(name, fields, stream, per_thread, describe, prove)
   GRAPH(name, fields, stream, per_thread)                runs a graph

   `fields` are the function's arguments, which are `a`. In `after` the call is `call`, and its code `call->code`. `describe` fills
   `what`; nothing is recorded where it leaves `what->command` 0. Names that end in _spt take the thread's own stream for the
   default stream. */

/* `prove` fills `proof`, what findings are to know of the call. CALL, HOOK and COMMAND prove nothing. */
#define HOOK(name, fields, before, after, where, quantity) HOOK_PROVEN(name, fields, before, after, where, quantity, (void)0)
#define CALL(name, fields, where, quantity) HOOK(name, fields, (void)0, (void)0, where, quantity)
#define CALL_PROVEN(name, fields, where, quantity, prove) HOOK_PROVEN(name, fields, (void)0, (void)0, where, quantity, prove)
#define COMMAND(name, fields, stream, own, describe) COMMAND_PROVEN(name, fields, stream, own, describe, (void)0)
#define HIP_NOWHERE ((place){0, 0})
#define HIP_HERE hip_here_place(call->ring)
#define HIP_ON(stream) hip_place(call->ring, stream, 0)
#define HIP_ON_OWN(stream) hip_place(call->ring, stream, 1)

/* Devices and contexts. */
CALL(hipInit, unsigned int flags;, HIP_NOWHERE, 0)
HOOK(hipSetDevice, int device;, (void)0, if (call->code == 0) hip_here.device = a->device + 1, HIP_NOWHERE, 0)
HOOK(hipSetValidDevices, int *devices; int n;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
HOOK(hipCtxSetCurrent, void *context;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
HOOK(hipCtxPushCurrent, void *context;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
HOOK(hipCtxPopCurrent, void **context;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
HOOK(hipCtxCreate, void **context; unsigned int flags; int device;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
HOOK(hipCtxDestroy, void *context;, (void)0, hip_here.device = 0, HIP_NOWHERE, 0)
CALL(hipDeviceReset, char none;, HIP_HERE, 0)
CALL(hipDeviceSynchronize, char none;, HIP_HERE, 0)
CALL(hipCtxSynchronize, char none;, HIP_HERE, 0)

/* Modules and their functions. */
CALL(hipModuleLoad, void **module; const char *path;, HIP_HERE, 0)
CALL(hipModuleLoadData, void **module; const void *image;, HIP_HERE, 0)
CALL(hipModuleLoadDataEx, void **module; const void *image; unsigned int n; int *options; void **values;, HIP_HERE, 0)
HOOK(hipModuleUnload, void *module;, hip_module_ends(a->module), (void)0, HIP_HERE, 0)
HOOK(hipModuleGetFunction, void **function; void *module; const char *name;, (void)0, if (call->code == 0) hip_kernel_named((uintptr_t)*a->function, a->module, a->name), HIP_HERE, 0)
HOOK(hipGetFuncBySymbol, void **function; const void *symbol;, (void)0, if (call->code == 0) hip_kernel_same((uintptr_t)*a->function, (uintptr_t)a->symbol), HIP_HERE, 0)
CALL(hipLinkCreate, unsigned int n; int *options; void **values; void **state;, HIP_HERE, 0)
CALL(hipLinkAddData, void *state; int type; void *data; size_t size; const char *name; unsigned int n; int *options; void **values;, HIP_HERE, a->size)
CALL(hipLinkAddFile, void *state; int type; const char *path; unsigned int n; int *options; void **values;, HIP_HERE, 0)
CALL(hipLinkComplete, void *state; void **image; size_t *size;, HIP_HERE, 0)
CALL(hipLinkDestroy, void *state;, HIP_HERE, 0)

/* Streams. */
HOOK(hipStreamCreate, void **stream;, (void)0, if (call->code == 0) hip_stream_begins(call->ring, *a->stream), HIP_HERE, 0)
HOOK(hipStreamCreateWithFlags, void **stream; unsigned int flags;, (void)0, if (call->code == 0) hip_stream_begins(call->ring, *a->stream), HIP_HERE, 0)
HOOK(hipStreamCreateWithPriority, void **stream; unsigned int flags; int priority;, (void)0, if (call->code == 0) hip_stream_begins(call->ring, *a->stream), HIP_HERE, 0)
HOOK(hipExtStreamCreateWithCUMask, void **stream; uint32_t n; const uint32_t *mask;, (void)0, if (call->code == 0) hip_stream_begins(call->ring, *a->stream), HIP_HERE, 0)
HOOK(hipStreamDestroy, void *stream;, hip_stream_ends(a->stream), (void)0, HIP_HERE, 0)
CALL(hipStreamSynchronize, void *stream;, HIP_ON(a->stream), 0)
CALL(hipStreamSynchronize_spt, void *stream;, HIP_ON_OWN(a->stream), 0)
CALL(hipStreamQuery, void *stream;, HIP_ON(a->stream), 0)
CALL(hipStreamQuery_spt, void *stream;, HIP_ON_OWN(a->stream), 0)
CALL_PROVEN(hipStreamWaitEvent, void *stream; void *event; unsigned int flags;, HIP_ON(a->stream), 0, evidence_wait(proof, a->event))
CALL_PROVEN(hipStreamWaitEvent_spt, void *stream; void *event; unsigned int flags;, HIP_ON_OWN(a->stream), 0, evidence_wait(proof, a->event))
CALL(hipStreamAddCallback, void *stream; void *function; void *data; unsigned int flags;, HIP_ON(a->stream), 0)
CALL(hipStreamAddCallback_spt, void *stream; void *function; void *data; unsigned int flags;, HIP_ON_OWN(a->stream), 0)
CALL(hipLaunchHostFunc, void *stream; void *function; void *data;, HIP_ON(a->stream), 0)
CALL(hipLaunchHostFunc_spt, void *stream; void *function; void *data;, HIP_ON_OWN(a->stream), 0)
CALL(hipStreamAttachMemAsync, void *stream; void *at; size_t size; unsigned int flags;, HIP_ON(a->stream), a->size)
CALL(hipStreamWaitValue32, void *stream; void *at; uint32_t value; unsigned int flags; uint32_t mask;, HIP_ON(a->stream), 0)
CALL(hipStreamWaitValue64, void *stream; void *at; uint64_t value; unsigned int flags; uint64_t mask;, HIP_ON(a->stream), 0)
CALL(hipStreamWriteValue32, void *stream; void *at; uint32_t value; unsigned int flags;, HIP_ON(a->stream), 0)
CALL(hipStreamWriteValue64, void *stream; void *at; uint64_t value; unsigned int flags;, HIP_ON(a->stream), 0)
CALL(hipStreamBatchMemOp, void *stream; unsigned int n; void *operations; unsigned int flags;, HIP_ON(a->stream), a->n)
HOOK(hipStreamBeginCapture, void *stream; int mode;, (void)0, hip_capture_begins(call->code), HIP_ON(a->stream), 0)
HOOK(hipStreamBeginCapture_spt, void *stream; int mode;, (void)0, hip_capture_begins(call->code), HIP_ON_OWN(a->stream), 0)
HOOK(hipStreamBeginCaptureToGraph, void *stream; void *graph; void *const *nodes; const void *edges; size_t n; int mode;, (void)0, hip_capture_begins(call->code), HIP_ON(a->stream), 0)
HOOK(hipStreamEndCapture, void *stream; void **graph;, (void)0, hip_capture_ends(call->code), HIP_ON(a->stream), 0)
HOOK(hipStreamEndCapture_spt, void *stream; void **graph;, (void)0, hip_capture_ends(call->code), HIP_ON_OWN(a->stream), 0)

/* Events. */
CALL(hipEventCreate, void **event;, HIP_HERE, 0)
CALL(hipEventCreateWithFlags, void **event; unsigned int flags;, HIP_HERE, 0)
CALL(hipEventDestroy, void *event;, HIP_HERE, 0)
CALL_PROVEN(hipEventRecord, void *event; void *stream;, HIP_ON(a->stream), 0, proof->event = (uint64_t)(uintptr_t)a->event)
CALL_PROVEN(hipEventRecord_spt, void *event; void *stream;, HIP_ON_OWN(a->stream), 0, proof->event = (uint64_t)(uintptr_t)a->event)
CALL_PROVEN(hipEventRecordWithFlags, void *event; void *stream; unsigned int flags;, HIP_ON(a->stream), 0, proof->event = (uint64_t)(uintptr_t)a->event)
CALL_PROVEN(hipEventQuery, void *event;, HIP_HERE, 0, evidence_wait(proof, a->event))
CALL_PROVEN(hipEventSynchronize, void *event;, HIP_HERE, 0, evidence_wait(proof, a->event))
CALL(hipEventElapsedTime, float *milliseconds; void *first; void *last;, HIP_HERE, 0)

/* Memory. */
CALL(hipMalloc, void **at; size_t size;, HIP_HERE, a->size)
CALL(hipExtMallocWithFlags, void **at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipMallocPitch, void **at; size_t *pitch; size_t width; size_t height;, HIP_HERE, a->width * a->height)
CALL(hipMemAllocPitch, void **at; size_t *pitch; size_t width; size_t height; unsigned int element;, HIP_HERE, a->width * a->height)
CALL(hipMalloc3D, hip_pitched *at; hip_extent extent;, HIP_HERE, a->extent.width * a->extent.height * a->extent.depth)
CALL(hipMallocManaged, void **at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipMallocHost, void **at; size_t size;, HIP_HERE, a->size)
CALL(hipMemAllocHost, void **at; size_t size;, HIP_HERE, a->size)
CALL(hipHostMalloc, void **at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipHostAlloc, void **at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipExtHostAlloc, void **at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipHostRegister, void *at; size_t size; unsigned int flags;, HIP_HERE, a->size)
CALL(hipHostUnregister, void *at;, HIP_HERE, 0)
CALL(hipHostFree, void *at;, HIP_HERE, 0)
CALL(hipFreeHost, void *at;, HIP_HERE, 0)
CALL(hipFree, void *at;, HIP_HERE, 0)
CALL(hipMallocAsync, void **at; size_t size; void *stream;, HIP_ON(a->stream), a->size)
CALL(hipMallocFromPoolAsync, void **at; size_t size; void *pool; void *stream;, HIP_ON(a->stream), a->size)
CALL(hipFreeAsync, void *at; void *stream;, HIP_ON(a->stream), 0)
CALL(hipMemPoolTrimTo, void *pool; size_t least;, HIP_HERE, a->least)
CALL(hipMemCreate, void **handle; size_t size; const void *properties; unsigned long long flags;, HIP_HERE, a->size)
CALL(hipMemRelease, void *handle;, HIP_HERE, 0)
CALL(hipMemAddressReserve, void **at; size_t size; size_t alignment; void *wanted; unsigned long long flags;, HIP_HERE, a->size)
CALL(hipMemAddressFree, void *at; size_t size;, HIP_HERE, a->size)
CALL(hipMemMap, void *at; size_t size; size_t offset; void *handle; unsigned long long flags;, HIP_HERE, a->size)
CALL(hipMemUnmap, void *at; size_t size;, HIP_HERE, a->size)
CALL(hipMemSetAccess, void *at; size_t size; const void *access; size_t n;, HIP_HERE, a->size)
CALL(hipMemPrefetchAsync, const void *at; size_t size; int device; void *stream;, HIP_ON(a->stream), a->size)
CALL(hipArrayCreate, void **array; const void *shape;, HIP_HERE, 0)
CALL(hipArray3DCreate, void **array; const void *shape;, HIP_HERE, 0)
CALL(hipArrayDestroy, void *array;, HIP_HERE, 0)
CALL(hipMallocArray, void **array; const void *format; size_t width; size_t height; unsigned int flags;, HIP_HERE, 0)
CALL(hipMalloc3DArray, void **array; const void *format; hip_extent extent; unsigned int flags;, HIP_HERE, 0)
CALL(hipFreeArray, void *array;, HIP_HERE, 0)

/* Copies. */
#define COPY(name, fields, stream, own, direction, bytes, to, source) COMMAND_PROVEN(name, fields, stream, own, hip_copy(what, direction, bytes, (uintptr_t)(to), (uintptr_t)(source)), hip_copy_prove(proof, direction, HIP_WAITS(name), bytes, (uintptr_t)(to), (uintptr_t)(source)))
#define ROWS(name, fields, stream, own, direction, to, source) COMMAND(name, fields, stream, own, hip_copy_rows(what, direction, a->width, a->height, (uintptr_t)(to), (uintptr_t)(source)))
#define LINE void *to; const void *source; size_t size; int kind;
#define KIND hip_direction(a->kind)
COPY(hipMemcpy, LINE, 0, 0, KIND, a->size, a->to, a->source)
COPY(hipMemcpy_spt, LINE, 0, 1, KIND, a->size, a->to, a->source)
COPY(hipMemcpyAsync, LINE void *stream;, a->stream, 0, KIND, a->size, a->to, a->source)
COPY(hipMemcpyAsync_spt, LINE void *stream;, a->stream, 1, KIND, a->size, a->to, a->source)
COPY(hipMemcpyWithStream, LINE void *stream;, a->stream, 0, KIND, a->size, a->to, a->source)
#undef LINE
#define LINE void *to; const void *source; size_t size;
COPY(hipMemcpyHtoD, LINE, 0, 0, COPY_TO_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyHtoDAsync, LINE void *stream;, a->stream, 0, COPY_TO_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyDtoH, LINE, 0, 0, COPY_TO_HOST, a->size, a->to, a->source)
COPY(hipMemcpyDtoHAsync, LINE void *stream;, a->stream, 0, COPY_TO_HOST, a->size, a->to, a->source)
COPY(hipMemcpyDtoD, LINE, 0, 0, COPY_ON_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyDtoDAsync, LINE void *stream;, a->stream, 0, COPY_ON_DEVICE, a->size, a->to, a->source)
#undef LINE
#define PEERS void *to; int to_device; const void *source; int source_device; size_t size;
COMMAND(hipMemcpyPeer, PEERS, 0, 0, hip_copy_peer(what, a->size, (uintptr_t)a->to, (uintptr_t)a->source))
COMMAND(hipMemcpyPeerAsync, PEERS void *stream;, a->stream, 0, hip_copy_peer(what, a->size, (uintptr_t)a->to, (uintptr_t)a->source))
#undef PEERS
#define SYMBOL const void *symbol; const void *source; size_t size; size_t offset; int kind;
COPY(hipMemcpyToSymbol, SYMBOL, 0, 0, KIND, a->size, 0, a->source)
COPY(hipMemcpyToSymbol_spt, SYMBOL, 0, 1, KIND, a->size, 0, a->source)
COPY(hipMemcpyToSymbolAsync, SYMBOL void *stream;, a->stream, 0, KIND, a->size, 0, a->source)
COPY(hipMemcpyToSymbolAsync_spt, SYMBOL void *stream;, a->stream, 1, KIND, a->size, 0, a->source)
#undef SYMBOL
#define SYMBOL void *to; const void *symbol; size_t size; size_t offset; int kind;
COPY(hipMemcpyFromSymbol, SYMBOL, 0, 0, KIND, a->size, a->to, 0)
COPY(hipMemcpyFromSymbol_spt, SYMBOL, 0, 1, KIND, a->size, a->to, 0)
COPY(hipMemcpyFromSymbolAsync, SYMBOL void *stream;, a->stream, 0, KIND, a->size, a->to, 0)
COPY(hipMemcpyFromSymbolAsync_spt, SYMBOL void *stream;, a->stream, 1, KIND, a->size, a->to, 0)
#undef SYMBOL
#define TABLE void *to; size_t to_pitch; const void *source; size_t source_pitch; size_t width; size_t height; int kind;
ROWS(hipMemcpy2D, TABLE, 0, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2D_spt, TABLE, 0, 1, KIND, a->to, a->source)
ROWS(hipMemcpy2DAsync, TABLE void *stream;, a->stream, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2DAsync_spt, TABLE void *stream;, a->stream, 1, KIND, a->to, a->source)
#undef TABLE
#define TABLE void *to; size_t x; size_t y; const void *source; size_t pitch; size_t width; size_t height; int kind;
ROWS(hipMemcpy2DToArray, TABLE, 0, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2DToArray_spt, TABLE, 0, 1, KIND, a->to, a->source)
ROWS(hipMemcpy2DToArrayAsync, TABLE void *stream;, a->stream, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2DToArrayAsync_spt, TABLE void *stream;, a->stream, 1, KIND, a->to, a->source)
#undef TABLE
#define TABLE void *to; size_t pitch; const void *source; size_t x; size_t y; size_t width; size_t height; int kind;
ROWS(hipMemcpy2DFromArray, TABLE, 0, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2DFromArray_spt, TABLE, 0, 1, KIND, a->to, a->source)
ROWS(hipMemcpy2DFromArrayAsync, TABLE void *stream;, a->stream, 0, KIND, a->to, a->source)
ROWS(hipMemcpy2DFromArrayAsync_spt, TABLE void *stream;, a->stream, 1, KIND, a->to, a->source)
#undef TABLE
COMMAND(hipMemcpyParam2D, const hip_rows *rows;, 0, 0, hip_copy_table(what, a->rows))
COMMAND(hipMemcpyParam2DAsync, const hip_rows *rows; void *stream;, a->stream, 0, hip_copy_table(what, a->rows))
COMMAND(hipDrvMemcpy2DUnaligned, const hip_rows *rows;, 0, 0, hip_copy_table(what, a->rows))
COMMAND(hipMemcpy3D, const hip_volume *volume;, 0, 0, hip_copy_volume(what, a->volume))
COMMAND(hipMemcpy3D_spt, const hip_volume *volume;, 0, 1, hip_copy_volume(what, a->volume))
COMMAND(hipMemcpy3DAsync, const hip_volume *volume; void *stream;, a->stream, 0, hip_copy_volume(what, a->volume))
COMMAND(hipMemcpy3DAsync_spt, const hip_volume *volume; void *stream;, a->stream, 1, hip_copy_volume(what, a->volume))
COMMAND(hipDrvMemcpy3D, const hip_box *box;, 0, 0, hip_copy_box(what, a->box))
COMMAND(hipDrvMemcpy3DAsync, const hip_box *box; void *stream;, a->stream, 0, hip_copy_box(what, a->box))
#define ARRAY void *to; size_t offset; const void *source; size_t size;
COPY(hipMemcpyHtoA, ARRAY, 0, 0, COPY_TO_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyHtoAAsync, ARRAY void *stream;, a->stream, 0, COPY_TO_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyDtoA, ARRAY, 0, 0, COPY_ON_DEVICE, a->size, a->to, a->source)
#undef ARRAY
#define ARRAY void *to; const void *source; size_t offset; size_t size;
COPY(hipMemcpyAtoH, ARRAY, 0, 0, COPY_TO_HOST, a->size, a->to, a->source)
COPY(hipMemcpyAtoHAsync, ARRAY void *stream;, a->stream, 0, COPY_TO_HOST, a->size, a->to, a->source)
COPY(hipMemcpyAtoD, ARRAY, 0, 0, COPY_ON_DEVICE, a->size, a->to, a->source)
#undef ARRAY
COPY(hipMemcpyAtoA, void *to; size_t to_offset; const void *source; size_t source_offset; size_t size;, 0, 0, COPY_ON_DEVICE, a->size, a->to, a->source)
COPY(hipMemcpyToArray, void *to; size_t x; size_t y; const void *source; size_t size; int kind;, 0, 0, KIND, a->size, a->to, a->source)
COPY(hipMemcpyFromArray, void *to; const void *source; size_t x; size_t y; size_t size; int kind;, 0, 0, KIND, a->size, a->to, a->source)
#undef COPY
#undef ROWS
#undef KIND

/* Fills. */
#define FILL(name, fields, stream, own, bytes) COMMAND_PROVEN(name, fields, stream, own, hip_fill(what, bytes, (uintptr_t)a->to), evidence_fills(proof, (uint64_t)a->value))
#define BYTES void *to; int value; size_t n;
FILL(hipMemset, BYTES, 0, 0, a->n)
FILL(hipMemset_spt, BYTES, 0, 1, a->n)
FILL(hipMemsetAsync, BYTES void *stream;, a->stream, 0, a->n)
FILL(hipMemsetAsync_spt, BYTES void *stream;, a->stream, 1, a->n)
FILL(hipMemsetD32, BYTES, 0, 0, 4 * a->n)
FILL(hipMemsetD32Async, BYTES void *stream;, a->stream, 0, 4 * a->n)
#undef BYTES
FILL(hipMemsetD16, void *to; unsigned short value; size_t n;, 0, 0, 2 * a->n)
FILL(hipMemsetD16Async, void *to; unsigned short value; size_t n; void *stream;, a->stream, 0, 2 * a->n)
FILL(hipMemsetD8, void *to; unsigned char value; size_t n;, 0, 0, a->n)
FILL(hipMemsetD8Async, void *to; unsigned char value; size_t n; void *stream;, a->stream, 0, a->n)
#define TABLE void *to; size_t pitch; int value; size_t width; size_t height;
FILL(hipMemset2D, TABLE, 0, 0, a->width * a->height)
FILL(hipMemset2D_spt, TABLE, 0, 1, a->width * a->height)
FILL(hipMemset2DAsync, TABLE void *stream;, a->stream, 0, a->width * a->height)
FILL(hipMemset2DAsync_spt, TABLE void *stream;, a->stream, 1, a->width * a->height)
#undef TABLE
#undef FILL
#define FILL(name, fields, stream, own) COMMAND_PROVEN(name, fields, stream, own, hip_fill(what, a->extent.width * a->extent.height * a->extent.depth, (uintptr_t)a->to.at), evidence_fills(proof, (uint64_t)a->value))
#define VOLUME hip_pitched to; int value; hip_extent extent;
FILL(hipMemset3D, VOLUME, 0, 0)
FILL(hipMemset3D_spt, VOLUME, 0, 1)
FILL(hipMemset3DAsync, VOLUME void *stream;, a->stream, 0)
FILL(hipMemset3DAsync_spt, VOLUME void *stream;, a->stream, 1)
#undef VOLUME
#undef FILL

/* Launches. */
#define LAUNCH(name, fields, stream, own, function, of_host, grid, block, shared, flags) COMMAND_PROVEN(name, fields, stream, own, hip_launch(call, what, (uintptr_t)(function), of_host, grid, block, (uint32_t)(shared), flags), proof->launch = 1)
#define FUNCTION const void *function; hip_sizes grid; hip_sizes block; void **arguments;
LAUNCH(hipLaunchKernel, FUNCTION size_t shared; void *stream;, a->stream, 0, a->function, 1, a->grid, a->block, a->shared, 0)
LAUNCH(hipLaunchKernel_spt, FUNCTION size_t shared; void *stream;, a->stream, 1, a->function, 1, a->grid, a->block, a->shared, 0)
LAUNCH(hipExtLaunchKernel, FUNCTION size_t shared; void *stream; void *first; void *last; int flags;, a->stream, 0, a->function, 1, a->grid, a->block, a->shared, 0)
LAUNCH(hipLaunchCooperativeKernel, FUNCTION unsigned int shared; void *stream;, a->stream, 0, a->function, 1, a->grid, a->block, a->shared, SLOT_COOPERATIVE)
LAUNCH(hipLaunchCooperativeKernel_spt, FUNCTION uint32_t shared; void *stream;, a->stream, 1, a->function, 1, a->grid, a->block, a->shared, SLOT_COOPERATIVE)
LAUNCH(hipLaunchKernelExC, const hip_launch_config *config; const void *function; void **arguments;, hip_launch_of(a->config)->stream, 0, a->function, 1, hip_launch_of(a->config)->grid, hip_launch_of(a->config)->block, hip_launch_of(a->config)->shared, hip_flags(hip_launch_of(a->config)->attributes, hip_launch_of(a->config)->n_attributes))
#undef FUNCTION
#define MODULE void *function; hip_sizes grid; hip_sizes block;
LAUNCH(hipModuleLaunchKernel, MODULE unsigned int shared; void *stream; void **parameters; void **extra;, a->stream, 0, a->function, 0, a->grid, a->block, a->shared, 0)
LAUNCH(hipModuleLaunchCooperativeKernel, MODULE unsigned int shared; void *stream; void **parameters;, a->stream, 0, a->function, 0, a->grid, a->block, a->shared, SLOT_COOPERATIVE)
LAUNCH(hipExtModuleLaunchKernel, MODULE size_t shared; void *stream; void **parameters; void **extra; void *first; void *last; uint32_t flags;, a->stream, 0, a->function, 0, hip_groups(a->grid, a->block), a->block, a->shared, 0)
LAUNCH(hipHccModuleLaunchKernel, MODULE size_t shared; void *stream; void **parameters; void **extra; void *first; void *last;, a->stream, 0, a->function, 0, hip_groups(a->grid, a->block), a->block, a->shared, 0)
#undef MODULE
LAUNCH(hipDrvLaunchKernelEx, const hip_config *config; void *function; void **parameters; void **extra;, hip_config_of(a->config)->stream, 0, a->function, 0, HIP_SIZES(hip_config_of(a->config)->grid), HIP_SIZES(hip_config_of(a->config)->block), hip_config_of(a->config)->shared, hip_flags(hip_config_of(a->config)->attributes, hip_config_of(a->config)->n_attributes))
#undef LAUNCH

/* Graphs. */
CALL(hipGraphInstantiate, void **executable; void *graph; void **node; char *log; size_t size;, HIP_HERE, 0)
CALL(hipGraphInstantiateWithFlags, void **executable; void *graph; unsigned long long flags;, HIP_HERE, 0)
CALL(hipGraphInstantiateWithParams, void **executable; void *graph; void *parameters;, HIP_HERE, 0)
CALL(hipGraphExecUpdate, void *executable; void *graph; void **node; int *result;, HIP_HERE, 0)
HOOK(hipGraphExecDestroy, void *executable;, hip_graph_ends(a->executable), (void)0, HIP_HERE, 0)
CALL(hipGraphUpload, void *executable; void *stream;, HIP_ON(a->stream), 0)
GRAPH(hipGraphLaunch, void *executable; void *stream;, a->stream, 0)
GRAPH(hipGraphLaunch_spt, void *executable; void *stream;, a->stream, 1)

#undef HIP_NOWHERE
#undef HIP_HERE
#undef HIP_ON
#undef HIP_ON_OWN
#undef CALL
#undef CALL_PROVEN
#undef HOOK
#undef COMMAND
