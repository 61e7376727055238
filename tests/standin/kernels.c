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

/* launchpath_nothing(): by which the recorder measures what CUPTI costs */
int launchpath_nothing(const standin_launch *launch, const unsigned char *bytes) {
    (void)launch, (void)bytes;
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

/* texels(void *out, unsigned long long object): a texture's elements as they are; fails if it was destroyed */
int texels(const standin_launch *launch, const unsigned char *bytes) {
    void *out;
    const standin_texture *texture;
    (void)launch;
    memcpy(&out, bytes, sizeof out);
    memcpy(&texture, bytes + 8, sizeof texture);
    if (!texture->live) return 719;
    memcpy(out, texture->elements, texture->size);
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

/* What follows are the kernels of tests/random/kernels.py, one element a thread. */
static unsigned work_for(int rounds) {
    volatile unsigned s = 1;
    for (int i = 0; i < rounds; i++) s = s * 1664525u + 1013904223u;
    return s;
}

static int elements(const standin_launch *launch, int n) {
    unsigned long long all = threads(launch);
    return n > 0 && all > (unsigned long long)n ? n : (int)all;
}

/* random_affine(unsigned *x, unsigned a, unsigned b, int n, int rounds) */
int random_affine(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        unsigned *x;
        unsigned a, b;
        int n, rounds;
    } a;
    memcpy(&a, bytes, sizeof a);
    work_for(a.rounds);
    for (int i = 0; i < elements(launch, a.n); i++) a.x[i] = a.x[i] * a.a + a.b;
    return 0;
}

/* random_mix(unsigned *x, const unsigned *y, unsigned a, int n, int rounds) */
int random_mix(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        unsigned *x;
        const unsigned *y;
        unsigned a;
        int n, rounds;
    } a;
    memcpy(&a, bytes, 28);
    work_for(a.rounds);
    for (int i = 0; i < elements(launch, a.n); i++)
        a.x[i] = (a.x[i] * a.a) ^ a.y[(unsigned)(((long long)i * 7 + 3) % a.n)];
    return 0;
}

/* random_fields(const Fields *) */
int random_fields(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        unsigned *x;
        const unsigned *y;
        unsigned a, b;
        int n, rounds;
        unsigned t[40];
    } *f;
    memcpy(&f, bytes, sizeof f);
    work_for(f->rounds);
    for (int i = 0; i < elements(launch, f->n); i++)
        f->x[i] = (f->x[i] * f->a + f->b + f->t[i % 40]) ^ f->y[(i * 5 + 1) % f->n];
    return 0;
}

/* random_written(Written *), which it writes to */
int random_written(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        unsigned *x;
        unsigned a;
        int n;
        unsigned scratch;
    } *w;
    memcpy(&w, bytes, sizeof w);
    for (int i = 0; i < elements(launch, w->n); i++) w->x[i] = w->x[i] * w->a + 7;
    w->scratch = 99;
    return 0;
}

/* random_table(Table t, unsigned *x, int n, int rounds): 16 KiB by value, or where they do not travel, their address */
int random_table(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        unsigned t[4096];
        unsigned *x;
        int n, rounds;
    } own;
    const void *at = bytes;
    if (launch->size == sizeof at) memcpy(&at, bytes, sizeof at);
    memcpy(&own, at, sizeof own);
    work_for(own.rounds);
    for (int i = 0; i < elements(launch, own.n); i++) own.x[i] = own.x[i] * 3 + own.t[i * 13 % 4096];
    return 0;
}

/* random_hash(const unsigned *x, int n, unsigned *out, unsigned *outs) */
int random_hash(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        const unsigned *x;
        int n;
        unsigned *out, *outs;
    } a;
    (void)launch;
    memcpy(&a, bytes, sizeof a);
    unsigned hash = *a.out;
    for (int i = 0; i < a.n; i++) hash = hash * 31 + a.x[i];
    *a.out = hash;
    for (unsigned i = 0; i < 8; i++) a.outs[i] += hash * (i + 1);
    return 0;
}

/* random_staged(const unsigned *in, unsigned *out, unsigned *both, unsigned a, int n) */
int random_staged(const standin_launch *launch, const unsigned char *bytes) {
    struct {
        const unsigned *in;
        unsigned *out, *both, a;
        int n;
    } a;
    memcpy(&a, bytes, sizeof a);
    for (int i = 0; i < elements(launch, a.n); i++) {
        a.out[i] = a.in[i] * a.a + 1;
        a.both[i] = a.both[i] * 5 + a.in[i];
    }
    return 0;
}

/* random_count(unsigned *counter, unsigned by) */
int random_count(const standin_launch *launch, const unsigned char *bytes) {
    unsigned *counter, by;
    memcpy(&counter, bytes, sizeof counter);
    memcpy(&by, bytes + 8, sizeof by);
    __atomic_fetch_add(counter, by * (unsigned)threads(launch), __ATOMIC_RELAXED);
    return 0;
}
