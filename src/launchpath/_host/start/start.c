/* What Clang's host code calls: registration, and launches with <<<>>>. */
#include "start.h"

void **__hipRegisterFatBinary(const void *binary) {
    const launchpath_host *host = launchpath_host_find();
    return host == 0 ? 0 : host->register_binary(binary);
}

void __hipUnregisterFatBinary(void **binary) {
    if (binary != 0) launchpath_host_here()->unregister_binary(binary);
}

void __hipRegisterFunction(void **binary, const void *stub, char *name, const char *device_name, unsigned int threads,
                           void *tid, void *bid, void *block, void *grid, int *warp) {
    (void)name, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    if (binary != 0) launchpath_host_here()->register_function(binary, stub, device_name);
}

void __hipRegisterVar(void **binary, void *address, char *name, const char *device_name, int external, size_t size,
                      int constant, int global) {
    (void)name, (void)external, (void)constant, (void)global;
    if (binary != 0) launchpath_host_here()->register_variable(binary, address, device_name, size, LAUNCHPATH_VARIABLE_DEVICE);
}

/* `pointer` is where the host keeps the address of the variable, and `initial` what it has at first. */
void __hipRegisterManagedVar(void **binary, void **pointer, void *initial, const char *name, size_t size,
                             unsigned int alignment) {
    (void)alignment;
    *pointer = initial; /* until the variable is loaded */
    if (binary == 0) return;
    launchpath_host_here()->register_variable(binary, pointer, name, size, LAUNCHPATH_VARIABLE_MANAGED);
    {
        void *const arguments[] = {&pointer};
        launchpath_call("launchpath_place_managed", arguments);
    }
}

void __hipRegisterTexture(void **binary, const void *address, const void **device, const char *name, int type,
                          int normalized, int external) {
    (void)binary, (void)address, (void)device, (void)name, (void)type, (void)normalized, (void)external;
}

void __hipRegisterSurface(void **binary, const void *address, const void **device, const char *name, int type,
                          int external) {
    (void)binary, (void)address, (void)device, (void)name, (void)type, (void)external;
}

typedef struct {
    uint32_t x, y, z;
} extent; /* dim3 */

static inline uint64_t xy(extent of) { return (uint64_t)of.y << 32 | of.x; }

int __hipPushCallConfiguration(extent grid, extent block, size_t shared, void *stream) {
    return launchpath_host_here()->push(xy(grid), grid.z, xy(block), block.z, shared, stream);
}

int __hipPopCallConfiguration(extent *grid, extent *block, size_t *shared, void **stream) {
    return launchpath_host_here()->pop(grid, block, shared, stream);
}

static int launch(const void *kernel, extent grid, extent block, void **arguments, size_t shared, void *stream) {
    const int code =
        launchpath_host_here()->launch(kernel, xy(grid), grid.z, xy(block), block.z, arguments, shared, stream);
    launchpath_works();
    return code;
}

int hipLaunchKernel(const void *kernel, extent grid, extent block, void **arguments, size_t shared, void *stream) {
    return launch(kernel, grid, block, arguments, shared, stream);
}

int cudaLaunchKernel(const void *kernel, extent grid, extent block, void **arguments, size_t shared, void *stream) {
    return launch(kernel, grid, block, arguments, shared, stream);
}

/* Programs ask after each launch: without a failure there is nothing to ask Python for. */
static int last_error(const char *name) {
    const launchpath_host *host = launchpath_host_here();
    return host->has_failed() ? (int)host->call(name, 0) : 0;
}

int hipGetLastError(void) { return last_error("hipGetLastError"); }
int hipPeekAtLastError(void) { return last_error("hipPeekAtLastError"); }
int cudaGetLastError(void) { return last_error("cudaGetLastError"); }
int cudaPeekAtLastError(void) { return last_error("cudaPeekAtLastError"); }
