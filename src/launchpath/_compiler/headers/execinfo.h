// glibc's lists of calls, for the device side of sources: only their host code asks for them.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int backtrace(void **addresses, int size);
char **backtrace_symbols(void *const *addresses, int size);
void backtrace_symbols_fd(void *const *addresses, int size, int file);
#ifdef __cplusplus
}
#endif
