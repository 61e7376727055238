/* The functions of OpenCL that are recorded, each once. Included several times, with the macros defined otherwise:

   COMMAND(name, parameters, arguments, n_waits, describe, prove)           on `queue`, with an `event`
   CALL_PROVEN(name, parameters, arguments, place, quantity, prove)         it returns its code
   MAKE_PROVEN(name, parameters, arguments, after, place, quantity, prove)  it returns an object, its code by `result`
   FREE(name, parameters, arguments, place)                                 it returns nothing

   `prove` fills `proof`, what findings are to know of the call. CALL and MAKE have nothing there.

   Functions of extensions, which programs ask for by name, are in extensions.h. */

#define CALL(name, parameters, arguments, where, quantity) CALL_PROVEN(name, parameters, arguments, where, quantity, (void)0)
#define MAKE(name, parameters, arguments, after, where, quantity) MAKE_PROVEN(name, parameters, arguments, after, where, quantity, (void)0)
#define QUEUE_AT opencl_place_of(ring, queue)
#define EVENTS uint32_t n, void *const *waits, void **event
#define EVENTS_GO n, waits, event

COMMAND(clEnqueueNDRangeKernel, (void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global, const size_t *local, EVENTS), (queue, kernel, dimensions, offset, global, local, EVENTS_GO), n, opencl_launch(&what, kernel, dimensions, global, local), opencl_arguments_prove(&proof, kernel))
COMMAND(clEnqueueTask, (void *queue, void *kernel, EVENTS), (queue, kernel, EVENTS_GO), n, opencl_launch(&what, kernel, 0, 0, 0), opencl_arguments_prove(&proof, kernel))
COMMAND(clEnqueueReadBuffer, (void *queue, void *buffer, uint32_t blocking, size_t offset, size_t size, void *to, EVENTS), (queue, buffer, blocking, offset, size, to, EVENTS_GO), n, opencl_copy(&what, COMMAND_COPY, COPY_TO_HOST, size, to, buffer), evidence_received(&proof, host_bytes(to, size), (int)blocking))
COMMAND(clEnqueueWriteBuffer, (void *queue, void *buffer, uint32_t blocking, size_t offset, size_t size, const void *from, EVENTS), (queue, buffer, blocking, offset, size, from, EVENTS_GO), n, opencl_copy(&what, COMMAND_COPY, COPY_TO_DEVICE, size, buffer, from), opencl_sent(&proof, host_bytes(from, size), offset, blocking))
COMMAND(clEnqueueCopyBuffer, (void *queue, void *from, void *to, size_t from_offset, size_t to_offset, size_t size, EVENTS), (queue, from, to, from_offset, to_offset, size, EVENTS_GO), n, opencl_copy(&what, COMMAND_COPY, COPY_ON_DEVICE, size, to, from), (void)0)
COMMAND(clEnqueueReadBufferRect, (void *queue, void *buffer, uint32_t blocking, const size_t *origin, const size_t *host_origin, const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, void *to, EVENTS), (queue, buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, to, EVENTS_GO), n, opencl_rows(&what, COPY_TO_HOST, region, 1, to, buffer), evidence_received(&proof, opencl_box(to, host_origin, region, 1, host_row, host_slice), (int)blocking))
COMMAND(clEnqueueWriteBufferRect, (void *queue, void *buffer, uint32_t blocking, const size_t *origin, const size_t *host_origin, const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, const void *from, EVENTS), (queue, buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, from, EVENTS_GO), n, opencl_rows(&what, COPY_TO_DEVICE, region, 1, buffer, from), opencl_sent(&proof, opencl_box(from, host_origin, region, 1, host_row, host_slice), opencl_place_in(origin, row ^ slice << 32), blocking))
COMMAND(clEnqueueCopyBufferRect, (void *queue, void *from, void *to, const size_t *from_origin, const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice, EVENTS), (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice, EVENTS_GO), n, opencl_rows(&what, COPY_ON_DEVICE, region, 1, to, from), (void)0)
COMMAND(clEnqueueReadImage, (void *queue, void *image, uint32_t blocking, const size_t *origin, const size_t *region, size_t row, size_t slice, void *to, EVENTS), (queue, image, blocking, origin, region, row, slice, to, EVENTS_GO), n, opencl_rows(&what, COPY_TO_HOST, region, opencl_texel(image), to, image), evidence_received(&proof, opencl_box(to, 0, region, opencl_texel(image), row, slice), (int)blocking))
COMMAND(clEnqueueWriteImage, (void *queue, void *image, uint32_t blocking, const size_t *origin, const size_t *region, size_t row, size_t slice, const void *from, EVENTS), (queue, image, blocking, origin, region, row, slice, from, EVENTS_GO), n, opencl_rows(&what, COPY_TO_DEVICE, region, opencl_texel(image), image, from), opencl_sent(&proof, opencl_box(from, 0, region, opencl_texel(image), row, slice), opencl_place_in(origin, 0), blocking))
COMMAND(clEnqueueCopyImage, (void *queue, void *from, void *to, const size_t *from_origin, const size_t *to_origin, const size_t *region, EVENTS), (queue, from, to, from_origin, to_origin, region, EVENTS_GO), n, opencl_rows(&what, COPY_ON_DEVICE, region, opencl_texel(from), to, from), (void)0)
COMMAND(clEnqueueCopyImageToBuffer, (void *queue, void *from, void *to, const size_t *origin, const size_t *region, size_t offset, EVENTS), (queue, from, to, origin, region, offset, EVENTS_GO), n, opencl_rows(&what, COPY_ON_DEVICE, region, opencl_texel(from), to, from), (void)0)
COMMAND(clEnqueueCopyBufferToImage, (void *queue, void *from, void *to, size_t offset, const size_t *origin, const size_t *region, EVENTS), (queue, from, to, offset, origin, region, EVENTS_GO), n, opencl_rows(&what, COPY_ON_DEVICE, region, opencl_texel(to), to, from), (void)0)
COMMAND(clEnqueueFillBuffer, (void *queue, void *buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size, EVENTS), (queue, buffer, pattern, pattern_size, offset, size, EVENTS_GO), n, opencl_copy(&what, COMMAND_FILL, 0, size, buffer, 0), evidence_pattern(&proof, pattern, pattern_size))
COMMAND(clEnqueueFillImage, (void *queue, void *image, const void *color, const size_t *origin, const size_t *region, EVENTS), (queue, image, color, origin, region, EVENTS_GO), n, opencl_fill_image(&what, image, region), (void)0)
COMMAND(clEnqueueSVMMemcpy, (void *queue, uint32_t blocking, void *to, const void *from, size_t size, EVENTS), (queue, blocking, to, from, size, EVENTS_GO), n, opencl_copy(&what, COMMAND_COPY, COPY_UNKNOWN, size, to, from), opencl_copied(&proof, blocking))
COMMAND(clEnqueueSVMMemFill, (void *queue, void *to, const void *pattern, size_t pattern_size, size_t size, EVENTS), (queue, to, pattern, pattern_size, size, EVENTS_GO), n, opencl_copy(&what, COMMAND_FILL, 0, size, to, 0), evidence_pattern(&proof, pattern, pattern_size))

/* Other entries of queues. */
CALL_PROVEN(clEnqueueNativeKernel, (void *queue, void *function, void *values, size_t size, uint32_t n_objects, void *const *objects, const void **places, EVENTS), (queue, function, values, size, n_objects, objects, places, EVENTS_GO), QUEUE_AT, 0, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueMigrateMemObjects, (void *queue, uint32_t n_objects, void *const *objects, uint64_t flags, EVENTS), (queue, n_objects, objects, flags, EVENTS_GO), QUEUE_AT, n_objects, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueUnmapMemObject, (void *queue, void *object, void *mapped, EVENTS), (queue, object, mapped, EVENTS_GO), QUEUE_AT, 0, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueSVMMap, (void *queue, uint32_t blocking, uint64_t flags, void *at, size_t size, EVENTS), (queue, blocking, flags, at, size, EVENTS_GO), QUEUE_AT, size, (opencl_copied(&proof, blocking), opencl_waits(&proof, n, waits, event)))
CALL_PROVEN(clEnqueueSVMUnmap, (void *queue, void *at, EVENTS), (queue, at, EVENTS_GO), QUEUE_AT, 0, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueSVMFree, (void *queue, uint32_t n_pointers, void **pointers, void *function, void *data, EVENTS), (queue, n_pointers, pointers, function, data, EVENTS_GO), QUEUE_AT, n_pointers, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueSVMMigrateMem, (void *queue, uint32_t n_pointers, const void **pointers, const size_t *sizes, uint64_t flags, EVENTS), (queue, n_pointers, pointers, sizes, flags, EVENTS_GO), QUEUE_AT, n_pointers, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueMarker, (void *queue, void **event), (queue, event), QUEUE_AT, 0, opencl_waits(&proof, 0, 0, event))
CALL(clEnqueueBarrier, (void *queue), (queue), QUEUE_AT, 0)
CALL_PROVEN(clEnqueueWaitForEvents, (void *queue, uint32_t n, void *const *events), (queue, n, events), QUEUE_AT, n, opencl_waits(&proof, n, events, 0))
CALL_PROVEN(clEnqueueMarkerWithWaitList, (void *queue, EVENTS), (queue, EVENTS_GO), QUEUE_AT, n, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueBarrierWithWaitList, (void *queue, EVENTS), (queue, EVENTS_GO), QUEUE_AT, n, opencl_waits(&proof, n, waits, event))
MAKE_PROVEN(clEnqueueMapBuffer, (void *queue, void *buffer, uint32_t blocking, uint64_t flags, size_t offset, size_t size, EVENTS, int32_t *result), (queue, buffer, blocking, flags, offset, size, EVENTS_GO, result), (void)0, QUEUE_AT, size, (opencl_copied(&proof, blocking), opencl_waits(&proof, n, waits, event)))
MAKE_PROVEN(clEnqueueMapImage, (void *queue, void *image, uint32_t blocking, uint64_t flags, const size_t *origin, const size_t *region, size_t *row, size_t *slice, EVENTS, int32_t *result), (queue, image, blocking, flags, origin, region, row, slice, EVENTS_GO, result), (void)0, QUEUE_AT, 0, (opencl_copied(&proof, blocking), opencl_waits(&proof, n, waits, event)))

CALL_PROVEN(clEnqueueAcquireGLObjects, (void *queue, uint32_t n_objects, void *const *objects, EVENTS), (queue, n_objects, objects, EVENTS_GO), QUEUE_AT, n_objects, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueReleaseGLObjects, (void *queue, uint32_t n_objects, void *const *objects, EVENTS), (queue, n_objects, objects, EVENTS_GO), QUEUE_AT, n_objects, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueAcquireEGLObjectsKHR, (void *queue, uint32_t n_objects, void *const *objects, EVENTS), (queue, n_objects, objects, EVENTS_GO), QUEUE_AT, n_objects, opencl_waits(&proof, n, waits, event))
CALL_PROVEN(clEnqueueReleaseEGLObjectsKHR, (void *queue, uint32_t n_objects, void *const *objects, EVENTS), (queue, n_objects, objects, EVENTS_GO), QUEUE_AT, n_objects, opencl_waits(&proof, n, waits, event))

/* Waits. */
CALL(clFlush, (void *queue), (queue), QUEUE_AT, 0)
CALL(clFinish, (void *queue), (queue), QUEUE_AT, 0)
CALL_PROVEN(clWaitForEvents, (uint32_t n, void *const *events), (n, events), opencl_event_place(ring, n && events ? events[0] : 0), n, opencl_waits(&proof, n, events, 0))
CALL(clSetEventCallback, (void *event, int32_t status, void *function, void *data), (event, status, function, data), opencl_event_place(ring, event), 0)

/* Memory. */
MAKE(clCreateBuffer, (void *context, uint64_t flags, size_t size, void *host, int32_t *result), (context, flags, size, host, result), (void)0, OPENCL_NOWHERE, size)
MAKE(clCreateBufferWithProperties, (void *context, const uint64_t *properties, uint64_t flags, size_t size, void *host, int32_t *result), (context, properties, flags, size, host, result), (void)0, OPENCL_NOWHERE, size)
MAKE(clCreateSubBuffer, (void *buffer, uint64_t flags, uint32_t type, const void *info, int32_t *result), (buffer, flags, type, info, result), (void)0, OPENCL_NOWHERE, opencl_part_size(type, info))
MAKE(clCreateImage, (void *context, uint64_t flags, const void *format, const void *shape, void *host, int32_t *result), (context, flags, format, shape, host, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateImage2D, (void *context, uint64_t flags, const void *format, size_t width, size_t height, size_t row, void *host, int32_t *result), (context, flags, format, width, height, row, host, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateImage3D, (void *context, uint64_t flags, const void *format, size_t width, size_t height, size_t depth, size_t row, size_t slice, void *host, int32_t *result), (context, flags, format, width, height, depth, row, slice, host, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateImageWithProperties, (void *context, const uint64_t *properties, uint64_t flags, const void *format, const void *shape, void *host, int32_t *result), (context, properties, flags, format, shape, host, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreatePipe, (void *context, uint64_t flags, uint32_t size, uint32_t most, const intptr_t *properties, int32_t *result), (context, flags, size, most, properties, result), (void)0, OPENCL_NOWHERE, (uint64_t)size * most)
CALL(clReleaseMemObject, (void *object), (object), OPENCL_NOWHERE, 0)
FREE(clSVMFree, (void *context, void *at), (context, at), OPENCL_NOWHERE)

/* Programs and kernels. */
MAKE(clCreateProgramWithSource, (void *context, uint32_t n, const char **texts, const size_t *sizes, int32_t *result), (context, n, texts, sizes, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateProgramWithBinary, (void *context, uint32_t n, void *const *devices, const size_t *sizes, const unsigned char **binaries, int32_t *states, int32_t *result), (context, n, devices, sizes, binaries, states, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateProgramWithIL, (void *context, const void *code, size_t size, int32_t *result), (context, code, size, result), (void)0, OPENCL_NOWHERE, size)
CALL(clBuildProgram, (void *program, uint32_t n, void *const *devices, const char *text, void *function, void *data), (program, n, devices, text, function, data), OPENCL_NOWHERE, 0)
CALL(clCompileProgram, (void *program, uint32_t n, void *const *devices, const char *text, uint32_t n_headers, void *const *headers, const char **names, void *function, void *data), (program, n, devices, text, n_headers, headers, names, function, data), OPENCL_NOWHERE, 0)
MAKE(clLinkProgram, (void *context, uint32_t n, void *const *devices, const char *text, uint32_t n_programs, void *const *programs, void *function, void *data, int32_t *result), (context, n, devices, text, n_programs, programs, function, data, result), (void)0, OPENCL_NOWHERE, 0)
MAKE(clCreateKernel, (void *program, const char *name, int32_t *result), (program, name, result), opencl_kernel_named(object, name), OPENCL_NOWHERE, 0)
MAKE(clCloneKernel, (void *kernel, int32_t *result), (kernel, result), opencl_kernel_cloned(object, kernel), OPENCL_NOWHERE, 0)

#undef QUEUE_AT
#undef CALL
#undef MAKE
#undef EVENTS
#undef EVENTS_GO
