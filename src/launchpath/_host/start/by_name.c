/* Functions of HIP's that a program asks for by their names. A program that does not ask has none of this. */
#include <stdio.h>
#include <string.h>
#include "by_name.h"
#include "start.h"

enum { SUCCESS = 0, NO_SYMBOL = 1 }; /* hipDriverProcAddressQueryResult's numbers */
enum { PER_THREAD = 2, INVALID_VALUE = 1 };

static void *function_of(const char *name) {
    size_t low = 0, high = launchpath_all_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(name, launchpath_all[middle].name);
        if (order == 0) return launchpath_all[middle].function;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

static int find(const char *asker, const char *name, void **function, uint64_t flags, int *status) {
    char text[128];
    void *found = 0;
    if (name != 0 && *name != 0 && function != 0 && flags <= PER_THREAD) {
        if (flags == PER_THREAD && snprintf(text, sizeof text, "%s_spt", name) < (int)sizeof text)
            found = function_of(text);
        if (found == 0) found = function_of(name);
        *function = found;
        if (status != 0) *status = found == 0 ? NO_SYMBOL : SUCCESS;
    }
    if (found != 0) return 0;
    return launchpath_refuse(asker, INVALID_VALUE, "expected the name of a function of HIP's, a place, and flags of 0 to 2");
}

int hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags, int *status) {
    (void)version; /* there is one form of each function */
    return find("hipGetProcAddress", symbol, function, flags, status);
}

int hipGetDriverEntryPoint(const char *symbol, void **function, uint64_t flags, int *status) {
    return find("hipGetDriverEntryPoint", symbol, function, flags, status);
}
