/* The library that ROCP_TOOL_LIBRARIES names. The recorder itself does not export `rocprofiler_configure`: it is in every process
   of a program, and where HIP's runtime sees that name but no rocprofiler-sdk, it ends the process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <stdint.h>

/* NULL: no tool. So it is where the recorder was not loaded, as in programs that run as another user. */
__attribute__((visibility("default"))) void *rocprofiler_configure(uint32_t version, const char *text, uint32_t tools_before, void *client) {
    void *(*configure)(uint32_t, void *, const void *) = (void *(*)(uint32_t, void *, const void *))dlsym(RTLD_DEFAULT, "launchpath_recorder_hip");
    (void)text, (void)tools_before;
    return configure ? configure(version, client, __builtin_return_address(0)) : 0;
}
