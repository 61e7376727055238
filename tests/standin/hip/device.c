/* Devices: HIP numbers their attributes otherwise, and has a struct of properties. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forward.h"

static int attribute(int device, int hip) {
    static const struct {
        int hip, cuda;
    } NUMBERS[] = {
#define ROW(name, hip, cuda) {hip, cuda},
        HF_ATTRIBUTES(ROW)
#undef ROW
    };
    int value = -1;
    if (hip == HF_DEVICE_CAN_USE_WAIT_VALUE) return cuda.cuStreamWaitValue32_v2 != NULL;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (NUMBERS[i].hip == hip && CALL(cuDeviceGetAttribute, &value, NUMBERS[i].cuda, device)) return -1;
    return value;
}

/* What hiprtc compiles for: the name that HIP_FORWARD_ARCH gives, or CUDA's for the device, "sm_90". */
hipError_t architecture_of(int device, char *name, size_t size) {
    const char *given = getenv("HIP_FORWARD_ARCH");
    hipError_t code = enter_library();
    if (given && *given)
        snprintf(name, size, "%s", given);
    else if (code)
        return code;
    else
        snprintf(name, size, "sm_%d%d", attribute(device, 23), attribute(device, 61));
    return HF_SUCCESS;
}

EXPORT hipError_t hipGetDeviceCount(int *count) {
    hipError_t code = enter_library();
    if (code && count) *count = 0;
    return code ? code : CALL(cuDeviceGetCount, count);
}

EXPORT hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDeviceGet, device, ordinal);
}

EXPORT hipError_t hipDeviceGetName(char *name, int size, hipDevice_t device) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDeviceGetName, name, size, device);
}

EXPORT hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDeviceTotalMem_v2, bytes, device);
}

EXPORT hipError_t hipDeviceGetPCIBusId(char *id, int size, int device) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDeviceGetPCIBusId, id, size, device);
}

EXPORT hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which, int device) {
    int count, found;
    hipError_t code = enter_library();
    if (!code) code = CALL(cuDeviceGetCount, &count);
    if (code) return code;
    if (!value) return HF_ERROR_INVALID_VALUE;
    if (device < 0 || device >= count) return HF_ERROR_INVALID_DEVICE;
    found = attribute(device, (int)which);
    if (found == -1) return HF_ERROR_INVALID_VALUE;
    *value = found;
    return HF_SUCCESS;
}

EXPORT hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
    hipDeviceProp_t p;
    size_t total = 0;
    memset(&p, 0, sizeof p);
    if (!properties) return HF_ERROR_INVALID_VALUE;
    hipError_t code = hipDeviceGetName(p.name, sizeof p.name, device);
    if (!code) code = hipDeviceTotalMem(&total, device);
    if (!code) code = architecture_of(device, p.gcnArchName, sizeof p.gcnArchName);
    if (code) return code;
    p.totalGlobalMem = total;
    p.sharedMemPerBlock = (size_t)attribute(device, 74);
    p.regsPerBlock = attribute(device, 71);
    p.warpSize = attribute(device, 87);
    p.maxThreadsPerBlock = attribute(device, 56);
    for (int i = 0; i < 3; i++) {
        p.maxThreadsDim[i] = attribute(device, 26 + i);
        p.maxGridSize[i] = attribute(device, 29 + i);
    }
    p.major = attribute(device, 23);
    p.minor = attribute(device, 61);
    p.multiProcessorCount = attribute(device, 63);
    p.maxThreadsPerMultiProcessor = attribute(device, 57);
    p.pciBusID = attribute(device, 67);
    p.cooperativeLaunch = attribute(device, 10);
    *properties = p;
    return HF_SUCCESS;
}

EXPORT hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
    hipError_t code = enter_library();
    return code ? code : CALL(cuDeviceCanAccessPeer, can, device, peer);
}

EXPORT hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CUcontext context = NULL;
    hipError_t code = enter();
    if (!code) code = context_of(peer, &context);
    return code ? code : CALL(cuCtxEnablePeerAccess, context, flags);
}

EXPORT hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
    FORWARD(cuCtxGetStreamPriorityRange, least, greatest);
}
