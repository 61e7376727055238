/* Devices: made-up ones, like an H200 where that matters. */
#include <stdio.h>
#include <string.h>

#include "../core.h"

static const struct {
    int attribute, value;
} VALUES[] = {
    {SI_DEVICE_MAX_THREADS_PER_BLOCK, 1024},
    {SI_DEVICE_MAX_BLOCK_X, 1024},
    {SI_DEVICE_MAX_BLOCK_Y, 1024},
    {SI_DEVICE_MAX_BLOCK_Z, 64},
    {SI_DEVICE_MAX_GRID_X, 2147483647},
    {SI_DEVICE_MAX_GRID_Y, 65535},
    {SI_DEVICE_MAX_GRID_Z, 65535},
    {SI_DEVICE_SHARED_PER_BLOCK, DEVICE_SHARED_DEFAULT},
    {SI_DEVICE_CONSTANT_MEMORY, 65536},
    {SI_DEVICE_WARP_SIZE, 32},
    {SI_DEVICE_REGISTERS_PER_BLOCK, 65536},
    {SI_DEVICE_CLOCK_RATE, 1980000},
    {SI_DEVICE_TEXTURE_ALIGNMENT, 512},
    {SI_DEVICE_MULTIPROCESSORS, DEVICE_MULTIPROCESSORS},
    {SI_DEVICE_INTEGRATED, 0},
    {SI_DEVICE_CAN_MAP_HOST_MEMORY, 1},
    {SI_DEVICE_COMPUTE_MODE, 0},
    {SI_DEVICE_CONCURRENT_KERNELS, 1},
    {SI_DEVICE_PCI_DEVICE, 0},
    {SI_DEVICE_MEMORY_CLOCK_RATE, 3201000},
    {SI_DEVICE_MEMORY_BUS_WIDTH, 6144},
    {SI_DEVICE_L2_CACHE_SIZE, 62914560},
    {SI_DEVICE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {SI_DEVICE_ASYNC_ENGINES, 3},
    {SI_DEVICE_UNIFIED_ADDRESSING, 1},
    {SI_DEVICE_PCI_DOMAIN, 0},
    {SI_DEVICE_STREAM_PRIORITIES, 1},
    {SI_DEVICE_SHARED_PER_MULTIPROCESSOR, 233472},
    {SI_DEVICE_REGISTERS_PER_MULTIPROCESSOR, 65536},
    {SI_DEVICE_COOPERATIVE_LAUNCH, 1},
    {SI_DEVICE_SHARED_OPTIN, DEVICE_SHARED_OPTIN},
    {SI_DEVICE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
    {SI_DEVICE_RESERVED_SHARED, 1024},
    {SI_DEVICE_MEMORY_POOLS, 1},
    {SI_DEVICE_WAIT_VALUE_NOR, 1},
};

int device_capability(int device) {
    (void)device;
    return 90;
}

int device_attribute(int device, int attribute, int *value) {
    if (attribute == SI_DEVICE_PCI_BUS)
        *value = device + 1;
    else if (attribute == SI_DEVICE_CAPABILITY_MAJOR)
        *value = device_capability(device) / 10;
    else if (attribute == SI_DEVICE_CAPABILITY_MINOR)
        *value = device_capability(device) % 10;
    else if (attribute == SI_DEVICE_MANAGED_MEMORY)
        *value = option_managed != 0;
    else if (attribute == SI_DEVICE_CONCURRENT_MANAGED)
        *value = option_managed == 1;
    else {
        for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
            if (VALUES[i].attribute == attribute) {
                *value = VALUES[i].value;
                return SI_SUCCESS;
            }
        return SI_ERROR_INVALID_VALUE;
    }
    return SI_SUCCESS;
}

static bool device_is(CUdevice device) { return device >= 0 && device < standin_devices; }

EXPORT CUresult cuDeviceGetCount(int *count) {
    ENTER(NEEDS_INIT, NULL);
    if (!count) LEAVE(SI_ERROR_INVALID_VALUE);
    *count = standin_devices;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    ENTER(NEEDS_INIT, NULL);
    if (!device) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(ordinal)) LEAVE(SI_ERROR_INVALID_DEVICE);
    *device = ordinal;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!name || size <= 0) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device)) LEAVE(SI_ERROR_INVALID_DEVICE);
    snprintf(name, (size_t)size, "Stand-in GPU %d", device);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!bytes) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device)) LEAVE(SI_ERROR_INVALID_DEVICE);
    *bytes = option_memory;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!value) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device)) LEAVE(SI_ERROR_INVALID_DEVICE);
    snprintf(call.detail, sizeof call.detail, "%d", (int)attribute);
    LEAVE(device_attribute(device, (int)attribute, value));
}

EXPORT CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!id || size < 13) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device)) LEAVE(SI_ERROR_INVALID_DEVICE);
    snprintf(id, (size_t)size, "0000:%02X:00.0", device + 1);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    ENTER(NEEDS_INIT, NULL);
    if (!uuid) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!device_is(device)) LEAVE(SI_ERROR_INVALID_DEVICE);
    memcpy(uuid->bytes, "Stand-in GPU id", sizeof uuid->bytes);
    uuid->bytes[15] = (char)device;
    LEAVE(SI_SUCCESS);
}
