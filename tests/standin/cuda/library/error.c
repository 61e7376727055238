/* Names and words of results. */
#include "../core.h"

static const struct {
    int code;
    const char *name, *words;
} RESULTS[] = {
#define RESULT(name, number, words) {number, "CUDA_" #name, words},
#include "../results.h"
};

static int find(int code) {
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++)
        if (RESULTS[i].code == code) return (int)i;
    return -1;
}

EXPORT CUresult cuGetErrorName(CUresult code, const char **text) {
    ENTER(NEEDS_NOTHING, NULL);
    int at = find((int)code);
    if (text) *text = at < 0 ? NULL : RESULTS[at].name;
    LEAVE(at < 0 || !text ? SI_ERROR_INVALID_VALUE : SI_SUCCESS);
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
    if (standin_forked && text && find((int)code) >= 0) { /* needs no driver: libraries print it */
        *text = RESULTS[find((int)code)].words;
        return SI_SUCCESS;
    }
    ENTER(NEEDS_NOTHING, NULL);
    int at = find((int)code);
    if (text) *text = at < 0 ? NULL : RESULTS[at].words;
    LEAVE(at < 0 || !text ? SI_ERROR_INVALID_VALUE : SI_SUCCESS);
}
