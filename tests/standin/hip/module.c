/* Modules, kernels and launches. */
#include "forward.h"

#define FUNCTION(function) ((CUfunction)(function))

EXPORT hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int count, hipJitOption *options,
                                      void **values) {
    FORWARD(cuModuleLoadDataEx, (CUmodule *)module, image, count, (CUjit_option *)options, values);
}
EXPORT hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    FORWARD(cuModuleLoadDataEx, (CUmodule *)module, image, 0, NULL, NULL);
}
EXPORT hipError_t hipModuleUnload(hipModule_t module) { FORWARD(cuModuleUnload, (CUmodule)module); }
EXPORT hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    FORWARD(cuModuleGetFunction, (CUfunction *)function, (CUmodule)module, name);
}
EXPORT hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *size, hipModule_t module, const char *name) {
    FORWARD(cuModuleGetGlobal_v2, (CUdeviceptr *)address, size, (CUmodule)module, name);
}
EXPORT hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute which, hipFunction_t function) {
    FORWARD(cuFuncGetAttribute, value, (int)which, FUNCTION(function));
}
EXPORT hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute which, int value) {
    if ((int)which != HF_FUNCTION_MAX_DYNAMIC_SHARED && (int)which != HF_FUNCTION_CARVEOUT)
        return HF_ERROR_INVALID_VALUE;
    FORWARD(cuFuncSetAttribute, FUNCTION(function), (int)which, value);
}

/* The list of packed arguments ends with another number. */
hipError_t launch_extra(void **extra, void **translated) {
    int at = 0;
    for (; extra[at] != (void *)HF_LAUNCH_PARAM_END; at += 2) {
        uintptr_t what = (uintptr_t)extra[at];
        if (at == 4 || (what != HF_LAUNCH_PARAM_BUFFER_POINTER && what != HF_LAUNCH_PARAM_BUFFER_SIZE))
            return HF_ERROR_INVALID_VALUE;
        translated[at] = extra[at];
        translated[at + 1] = extra[at + 1];
    }
    translated[at] = (void *)SI_LAUNCH_PARAM_END;
    return HF_SUCCESS;
}

EXPORT hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                        unsigned int block_z, unsigned int shared, hipStream_t stream,
                                        void **parameters, void **extra) {
    void *translated[5];
    hipError_t code = extra ? launch_extra(extra, translated) : HF_SUCCESS;
    if (code) return code;
    FORWARD(cuLaunchKernel, FUNCTION(function), grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
            (CUstream)stream, parameters, extra ? translated : NULL);
}

EXPORT hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                                   unsigned int block_z, unsigned int shared, hipStream_t stream,
                                                   void **parameters) {
    FORWARD(cuLaunchCooperativeKernel, FUNCTION(function), grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
            (CUstream)stream, parameters);
}

EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t function, int block,
                                                                     size_t shared) {
    FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessor, blocks, FUNCTION(function), block, shared);
}
EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t function, size_t shared,
                                                          int limit) {
    FORWARD(cuOccupancyMaxPotentialBlockSize, grid, block, FUNCTION(function), NULL, shared, limit);
}
