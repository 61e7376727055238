"""OpenCL C of HIP C++ on PoCL, which has no generic address space, against NumPy."""

import numpy as np
import pytest

import launchpath as lp
from tests.unit.compiler.opencl_c.opencl_c import pocl

pytestmark = pytest.mark.compiles

__all__ = ["pocl"]

SOURCE = r"""
__global__ void narrow(const signed char *a, const signed char *b, signed char *sums, unsigned char *products,
                       unsigned short *shorts) {
    int i = threadIdx.x;
    sums[i] = a[i] + b[i];
    products[i] = (unsigned char)a[i] * (unsigned char)b[i] >> 1;
    shorts[i] = (unsigned short)((unsigned short)(a[i] * 251) * (unsigned short)(b[i] * 249)) / 7;
}

__global__ void divide(const long long *a, const long long *b, long long *quotients, long long *rests) {
    int i = threadIdx.x;
    quotients[i] = a[i] / b[i];
    rests[i] = a[i] % b[i];
}

__global__ void shuffle(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    if (i >= n) return;
    for (int k = 0; k < 4; k++) {
        switch ((in[i] + k) % 9) {
            case 0: r += 1;
            case 1: r *= 3; break;
            case 2: case 5: r ^= in[i]; break;
            case 7: continue;
            case 8: r -= 7; goto done;
            default: r += 100;
        }
        r += k * i;
    }
done:
    out[i] = r;
}

__global__ void smooth(float *x, int n, int rounds) {
    __shared__ float one[64], other[64];
    float *from = one, *to = other;
    int t = threadIdx.x;
    one[t] = x[t];
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        float v = from[t];
        if (t > 0 && t < n - 1) v = .25f * from[t - 1] + .5f * from[t] + .25f * from[t + 1];
        to[t] = v;
        __syncthreads();
        float *swapped = from;
        from = to;
        to = swapped;
    }
    x[t] = from[t];
}

struct Vector { float x, y, z; };
struct Body { Vector at, speed; bool moves; char tag; double mass; };
struct Moved { int steps[3]; Body body; };

__device__ __attribute__((noinline)) Moved move(Body body, int steps) {
    Moved made = {{steps, steps * 2, steps * 3}, body};
    made.body.at.x += body.speed.x;
    return made;
}

__global__ void step(Body *bodies, int *steps) {
    int i = threadIdx.x;
    Moved moved = move(bodies[i], i);
    if (moved.body.moves) moved.body.tag++;
    moved.body.mass *= 2;
    bodies[i] = moved.body;
    steps[i] = moved.steps[i % 3];
}

__global__ void sort(const int *in, int *out) {
    int i = threadIdx.x, values[16];
    for (int j = 0; j < 16; j++) values[j] = in[i * 16 + j];
    for (int j = 1; j < 16; j++) {
        int v = values[j], k = j;
        while (k > 0 && values[k - 1] > v) {
            values[k] = values[k - 1];
            k--;
        }
        values[k] = v;
    }
    int *place = i & 1 ? values : out + i * 16;
    for (int j = 0; j < 16; j++) out[i * 16 + j] = values[j];
    place[2] = -1;
    out[i * 16 + 3] = values[2];
}

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ float offsets[2] = {.5f, .25f};
__global__ void choose(float *out) {
    const int order[8] = {3, 1, 0, 2, 2, 0, 3, 1};
    int i = threadIdx.x;
    const float *from = i % 2 ? weights : offsets;
    out[i] = from[order[i % 8] & 1] + order[i % 8] * 10;
}

__global__ void count(int *bins, unsigned long long *wide, float *sum, int *smallest, const int *in) {
    __shared__ int own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&own[v & 7], 1);
    atomicMax(wide, (unsigned long long)v << 33);
    atomicAdd(sum, .5f);
    atomicMin(smallest, v);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void parts(const float *x, unsigned *bits, float4 *fours, float3 *threes, double *raw, const char *bytes) {
    int i = threadIdx.x;
    bits[i] = __float_as_uint(x[i]) ^ 0x80000000u;
    float4 four = fours[i];
    fours[i] = make_float4(four.w, four.z, four.y, four.x + x[i]);
    float3 three = threes[i];
    three.y *= 2;
    threes[i] = three;
    double d;
    memcpy(&d, bytes + i * 9 + 1, 8);
    raw[i] = d + (x[i] < .5f ? 1 : 0);
}
"""


@pytest.fixture(scope="module")
def random():
    return np.random.default_rng(3)


@pytest.fixture(scope="module")
def program():
    from tests.conftest import present

    device = present().get("pocl")
    if device is None:
        pytest.skip("no PoCL here")
    return lp.compile(SOURCE, device)


@pytest.fixture
def on_device(program):
    def give(values):
        return lp.asarray(np.ascontiguousarray(values), device=program.device)

    return give


@pytest.fixture
def zeros(program):
    def make(shape, dtype):
        return lp.zeros(shape, dtype, program.device)

    return make


def test_narrow_integers_wrap(program, on_device, zeros, random):
    a, b = (random.integers(-128, 128, 256).astype("int8") for _ in range(2))
    sums, products, shorts = zeros(256, "int8"), zeros(256, "uint8"), zeros(256, "uint16")
    program.narrow[1, 256](on_device(a), on_device(b), sums, products, shorts)
    wide, other = a.astype("int32"), b.astype("int32")
    assert (sums.to_numpy() == (wide + other).astype("int8")).all()
    product = wide.astype("uint8").astype("int32") * other.astype("uint8") >> 1
    assert (products.to_numpy() == product.astype("uint8")).all()
    short = ((wide * 251).astype("uint16").astype("uint32") * (other * 249).astype("uint16")).astype("uint16")
    assert (shorts.to_numpy() == short // 7).all()


def test_division_rounds_towards_zero(program, on_device, zeros, random):
    a, b = random.integers(-(2**63), 2**63 - 1, 64), random.integers(1, 1000, 64) * random.choice([-1, 1], 64)
    quotients, rests = zeros(64, "int64"), zeros(64, "int64")
    program.divide[1, 64](on_device(a), on_device(b), quotients, rests)
    expected = [abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)]
    assert quotients.to_numpy().tolist() == expected
    assert rests.to_numpy().tolist() == [int(x) - q * int(y) for x, y, q in zip(a, b, expected, strict=True)]


def test_switch_that_falls_through_in_a_loop(program, on_device, zeros, random):
    def expected(value, i):
        r = 0
        for k in range(4):
            case = (value + k) % 9
            if case in (0, 1):
                r = (r + (case == 0)) * 3
            elif case in (2, 5):
                r ^= value
            elif case == 7:
                continue
            elif case == 8:
                return r - 7
            else:
                r += 100
            r += k * i
        return r

    values, out = random.integers(0, 1000, 300).astype("int32"), zeros(300, "int32")
    program.shuffle[3, 128](on_device(values), out, 300)
    assert out.to_numpy().tolist() == [expected(int(value), i) for i, value in enumerate(values)]


def test_barriers_in_a_loop_over_swapped_pointers(program, on_device, random):
    x = random.random(64).astype("float32")
    out, expected = on_device(x), x.astype("float64")
    program.smooth[1, 64](out, 64, 9)
    for _ in range(9):
        middle = 0.25 * expected[:-2] + 0.5 * expected[1:-1] + 0.25 * expected[2:]
        expected = np.concatenate([expected[:1], middle, expected[-1:]])
    assert np.allclose(out.to_numpy(), expected, rtol=1e-5)


def test_structures_by_value(program, on_device, zeros, random):
    fields = [("at", "f4", 3), ("speed", "f4", 3), ("moves", "?"), ("tag", "i1"), ("mass", "f8")]
    bodies = np.zeros(64, np.dtype(fields, align=True))
    bodies["at"], bodies["speed"] = random.random((2, 64, 3))
    bodies["moves"], bodies["tag"], bodies["mass"] = np.arange(64) % 3 == 0, np.arange(64), random.random(64)
    raw, steps = on_device(bodies.view("uint8")), zeros(64, "int32")
    program.step[1, 64](raw, steps)
    got = raw.to_numpy().view(bodies.dtype)
    i = np.arange(64)
    assert (steps.to_numpy() == i * (i % 3 + 1)).all()
    assert (got["tag"] == bodies["tag"] + bodies["moves"]).all() and (got["mass"] == bodies["mass"] * 2).all()
    assert (got["at"][:, 0] == bodies["at"][:, 0] + bodies["speed"][:, 0]).all()
    assert (got["at"][:, 1:] == bodies["at"][:, 1:]).all()


def test_local_arrays_and_pointers_to_several_address_spaces(program, on_device, zeros, random):
    values, out = random.integers(0, 1000, (64, 16)).astype("int32"), zeros((64, 16), "int32")
    program.sort[1, 64](on_device(values), out)
    expected = np.sort(values, 1)
    expected[:, 3] = np.where(np.arange(64) % 2, -1, expected[:, 2])
    expected[::2, 2] = -1
    assert (out.to_numpy() == expected).all()


def test_globals_and_tables(program, zeros):
    out = zeros(16, "float32")
    program.choose[1, 16](out)
    order = np.array([3, 1, 0, 2, 2, 0, 3, 1] * 2)
    first = np.where(np.arange(16) % 2, [[1], [2]], [[0.5], [0.25]])
    assert (out.to_numpy() == first[order & 1, np.arange(16)] + order * 10).all()


def test_atomics(program, on_device, zeros, random):
    values = random.integers(5, 1 << 20, 256).astype("int32")
    bins, wide, total, smallest = (
        zeros(8, "int32"),
        zeros(1, "uint64"),
        zeros(1, "float32"),
        on_device([np.int32(1 << 30)]),
    )
    program.count[4, 64](bins, wide, total, smallest, on_device(values))
    assert (bins.to_numpy() == np.bincount(values & 7, minlength=8)).all()
    assert wide.to_numpy()[0] == int(values.max()) << 33
    assert total.to_numpy()[0] == 128 and smallest.to_numpy()[0] == values.min()


def test_bits_vectors_and_unaligned_memory(program, on_device, zeros, random):
    x, raw = random.random(32).astype("float32"), random.random(32)
    fours, threes = random.random((32, 4)).astype("float32"), random.random((32, 3)).astype("float32")
    bytes_ = np.zeros(32 * 9 + 1, "uint8")
    for i, value in enumerate(raw):
        bytes_[i * 9 + 1 : i * 9 + 9] = np.frombuffer(value.tobytes(), "uint8")
    bits, four, three, doubles = zeros(32, "uint32"), on_device(fours), on_device(threes), zeros(32, "float64")
    program.parts[1, 32](on_device(x), bits, four, three, doubles, on_device(bytes_.view("int8")))
    assert (bits.to_numpy() == x.view("uint32") ^ 0x80000000).all()
    reversed_ = fours[:, ::-1].copy()
    reversed_[:, 3] += x
    assert (four.to_numpy() == reversed_).all()
    assert (three.to_numpy() == threes * np.array([1, 2, 1], "float32")).all()
    assert (doubles.to_numpy() == raw + (x < 0.5)).all()
