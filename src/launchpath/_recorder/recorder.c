/* The recorder: traces of any program, without Python. `launchpath trace` has it loaded into each process, where it stands in
   front of CUDA's driver and of OpenCL's loaders, and is a tool of HIP's runtime. It writes `.lptrace` by the code that
   launchpath's core uses.

   Its only needs are libc and threads. It is one translation unit, as the core is. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cuda/door.h"
#include "cupti/attach.h"
#include "opencl/layer.h"
#include "hip/tool.h"

__attribute__((constructor)) static void recorder_init(void) {
    process_init();
    cuda_init();
    cupti_init();
    opencl_init();
    hip_init();
}
