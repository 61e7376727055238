"""The kernels that random programs launch. ``tests/standin/kernels.c`` has the same ones for the stand-in."""

import launchpath as lp

TABLE = 4096  # elements of the table that is passed by value
FIELDS = 40
VARIANTS = 3  # of the source, which differ in a comment: each is compiled by itself

SOURCE = r"""
__device__ unsigned work_for(int rounds) {
    unsigned s = 1;
    for (int i = 0; i < rounds; i++) s = s * 1664525u + 1013904223u;
    return s;
}
extern "C" __global__ void random_affine(unsigned* x, unsigned a, unsigned b, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (work_for(rounds) == 12345u && rounds < 0) a++;
    if (i < n) x[i] = x[i] * a + b;
}
extern "C" __global__ void random_mix(unsigned* x, const unsigned* y, unsigned a, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (work_for(rounds) == 12345u && rounds < 0) a++;
    if (i < n) x[i] = x[i] * a ^ y[(i * 7 + 3) % n];
}
struct Fields { unsigned* x; const unsigned* y; unsigned a; unsigned b; int n; int rounds; unsigned t[40]; };
extern "C" __global__ void random_fields(const Fields* f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned b = f->b;
    if (work_for(f->rounds) == 12345u && f->rounds < 0) b++;
    if (i < f->n) f->x[i] = (f->x[i] * f->a + b + f->t[i % 40]) ^ f->y[(i * 5 + 1) % f->n];
}
struct Written { unsigned* x; unsigned a; int n; unsigned scratch; };
extern "C" __global__ void random_written(Written* w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w->n) w->x[i] = w->x[i] * w->a + 7u;
    if (i == 0) w->scratch = 99u;
}
struct Table { unsigned v[4096]; };
extern "C" __global__ void random_table(Table t, unsigned* x, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned b = work_for(rounds) == 12345u && rounds < 0;
    if (i < n) x[i] = x[i] * 3u + t.v[(i * 13) % 4096] + b;
}
extern "C" __global__ void random_hash(const unsigned* x, int n, unsigned* out, unsigned* outs) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned h = *out;
        for (int i = 0; i < n; i++) h = h * 31u + x[i];
        *out = h;
        for (int i = 0; i < 8; i++) outs[i] += h * (i + 1);
    }
}
extern "C" __global__ void random_staged(const unsigned* in, unsigned* out, unsigned* both, unsigned a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] * a + 1u;
        both[i] = both[i] * 5u + in[i];
    }
}
extern "C" __global__ void random_count(unsigned* counter, unsigned by) { atomicAdd(counter, by); }
"""


class Kernels:
    """A compiled program, and the forms of its kernels that are launched."""

    loaded = 0  # how many there have been

    def __init__(self, device: lp.Device, variant: int) -> None:
        Kernels.loaded += 1
        program = lp.compile(f"{SOURCE}// variant {variant}\n", device)
        self.affine, self.mix = program.random_affine, program.random_mix
        # where kernels wait at their entry for the kernel before them, one that does not
        waits = self.mix.waits_at_entry
        self.plain_mix = lp.compile(SOURCE, device, dependent=False).random_mix if waits else self.mix
        self.fields, self.written = program.random_fields.by_fields, program.random_written.by_fields
        self.table, self.staged, self.count = program.random_table, program.random_staged, program.random_count
        self.hash = program.random_hash.returning("out", outs=8, zero=True)
