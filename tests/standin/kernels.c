/* Kernels that tests launch on the stand-in: each is called once for its whole grid. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "cuda/standin.h"

static void nap(void) {
    struct timespec time = {0, 50000};
    nanosleep(&time, NULL);
}

static unsigned long long threads(const standin_launch *launch) {
    unsigned long long count = 1;
    for (int i = 0; i < 3; i++) count *= (unsigned long long)launch->grid[i] * launch->block[i];
    return count;
}

/* fill(float *data, float value, int count), one element a thread */
int fill(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        float *data;
        float value;
        int count;
    } a;
    memcpy(&a, bytes, sizeof a);
    unsigned long long all = threads(launch);
    for (unsigned long long i = 0; i < all && i < (unsigned long long)a.count; i++) a.data[i] = a.value;
    return 0;
}

/* saxpy(float a, const float *x, float *y, int count) */
int saxpy(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        float a;
        const float *x;
        float *y;
        int count;
    } a;
    memcpy(&a, bytes, sizeof a - 4); /* the last member ends before the struct does */
    unsigned long long all = threads(launch);
    for (unsigned long long i = 0; i < all && i < (unsigned long long)a.count; i++) a.y[i] += a.a * a.x[i];
    return 0;
}

/* add16(int *out, int a1, ..., int a15): the sum */
int add16(const standin_launch *launch, const unsigned char *bytes) {
    int *out, a[15], sum = 0;
    (void)launch;
    memcpy(&out, bytes, sizeof out);
    memcpy(a, bytes + 8, sizeof a);
    for (int i = 0; i < 15; i++) sum += a[i];
    *out = sum;
    return 0;
}

/* increment(int *data, int count) */
int increment(const standin_launch *launch, const unsigned char *bytes) {
    int *data, count;
    memcpy(&data, bytes, sizeof data);
    memcpy(&count, bytes + 8, sizeof count);
    unsigned long long all = threads(launch);
    for (unsigned long long i = 0; i < all && i < (unsigned long long)count; i++) data[i]++;
    return 0;
}

/* spin(const unsigned *word, unsigned value): until the word is that; gives up after a minute */
int spin(const standin_launch *launch, const unsigned char *bytes) {
    const uint32_t *word;
    uint32_t value;
    (void)launch;
    memcpy(&word, bytes, sizeof word);
    memcpy(&value, bytes + 8, sizeof value);
    for (int i = 0; i < 1000000; i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value) return 0;
        nap();
    }
    return 702;
}

/* wait_us(int microseconds) */
int wait_us(const standin_launch *launch, const unsigned char *bytes) {
    int microseconds;
    (void)launch;
    memcpy(&microseconds, bytes, sizeof microseconds);
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&time, NULL);
    return 0;
}

/* deep(): a kernel with local memory, whose first launch waits until its context is idle */
int deep(const standin_launch *launch, const unsigned char *bytes) {
    (void)launch, (void)bytes;
    return 0;
}

/* fails(int code) */
int fails(const standin_launch *launch, const unsigned char *bytes) {
    int code;
    (void)launch;
    memcpy(&code, bytes, sizeof code);
    return code;
}

/* nothing() */
int nothing(const standin_launch *launch, const unsigned char *bytes) {
    (void)launch;
    (void)bytes;
    return 0;
}

/* raw(void *out, ...): all argument bytes, the pointer included, to where it points */
int raw(const standin_launch *launch, const unsigned char *bytes) {
    void *out;
    memcpy(&out, bytes, sizeof out);
    memcpy(out, bytes, launch->size);
    return 0;
}

/* shape(unsigned *out): grid, block, shared memory, cooperative, device: 9 numbers */
int shape(const standin_launch *launch, const unsigned char *bytes) {
    unsigned int *out;
    memcpy(&out, bytes, sizeof out);
    memcpy(out, launch->grid, sizeof launch->grid);
    memcpy(out + 3, launch->block, sizeof launch->block);
    out[6] = launch->shared;
    out[7] = launch->cooperative;
    out[8] = (unsigned int)launch->device;
    return 0;
}
