/* The stand-in of rocprofiler-sdk, as the stand-in of HIP's runtime uses it. */
#ifndef STANDIN_ROCPROFILER_H
#define STANDIN_ROCPROFILER_H

#include <stddef.h>
#include <stdint.h>

enum { ARGUMENTS_SIZE = 128 };

/* Register the runtime, once: tools are found and configured. */
void standin_register(const char *const *names, int n);
/* Call a function as its wrapper does: callbacks before and after, with its arguments and its result. */
int standin_call(int operation, const void *arguments, size_t size, int (*function)(void *data), void *data);
/* Work that this thread submits. It is complete a little later. */
void standin_dispatch(uint64_t kernel, uint32_t shared, const uint32_t group[3], const uint32_t items[3]);
void standin_copy(int direction, uint64_t bytes, uint64_t to, uint64_t source);
void standin_kernel(uint64_t number, const char *name, const void *host_function);
void standin_wait(void); /* until all work is complete */

#endif
