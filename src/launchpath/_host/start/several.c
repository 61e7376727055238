/* Functions that ask for several attributes at once. */
#include "start.h"

enum { INVALID_VALUE = 1 };

int hipMemRangeGetAttribute(uint64_t data, uint64_t size, uint32_t attribute, uint64_t pointer, uint64_t count);
int cudaMemRangeGetAttribute(uint64_t data, uint64_t size, uint32_t attribute, uint64_t pointer, uint64_t count);
int hipPointerGetAttribute(uint64_t data, uint32_t attribute, uint64_t pointer);

static int refused(const char *name) {
    const char *const reason = "expected at least one attribute, its number, its place and its size, got none";
    return launchpath_refuse(name, INVALID_VALUE, reason);
}

typedef int of_range(uint64_t data, uint64_t size, uint32_t attribute, uint64_t pointer, uint64_t count);

static int of_ranges(const char *name, of_range *ask, void **data, const size_t *sizes, const uint32_t *attributes,
                     size_t number, uint64_t pointer, uint64_t count) {
    size_t i;
    int code = 0;
    if (data == 0 || sizes == 0 || attributes == 0 || number == 0) return refused(name);
    for (i = 0; i < number && code == 0; ++i)
        code = ask((uintptr_t)data[i], sizes[i], attributes[i], pointer, count);
    return code;
}

int hipMemRangeGetAttributes(void **data, const size_t *sizes, const uint32_t *attributes, size_t number,
                             uint64_t pointer, uint64_t count) {
    return of_ranges("hipMemRangeGetAttributes", hipMemRangeGetAttribute, data, sizes, attributes, number, pointer, count);
}

int cudaMemRangeGetAttributes(void **data, const size_t *sizes, const uint32_t *attributes, size_t number,
                              uint64_t pointer, uint64_t count) {
    return of_ranges("cudaMemRangeGetAttributes", cudaMemRangeGetAttribute, data, sizes, attributes, number, pointer,
                     count);
}

int hipDrvPointerGetAttributes(uint32_t number, const uint32_t *attributes, void **data, uint64_t pointer) {
    uint32_t i;
    int code = 0;
    if (data == 0 || attributes == 0 || number == 0) return refused("hipDrvPointerGetAttributes");
    for (i = 0; i < number && code == 0; ++i)
        code = hipPointerGetAttribute((uintptr_t)data[i], attributes[i], pointer);
    return code;
}
