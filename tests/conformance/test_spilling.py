"""Kernels that take more by value than the device takes with a launch: they work all the same, their source unchanged."""

import numpy as np
import pytest

import launchpath as lp

SIZES = (65_535, 65_536, 127 * 1024 - 16, 256 * 1024)

READS = """
struct Big {{ unsigned char bytes[{size}]; }};
__global__ void at(Big big, const int *where, int *out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = big.bytes[where[i]];
}}
"""


def _bytes(size, seed=1):
    return np.random.default_rng(seed).integers(0, 256, size, np.uint8)


def _read(device, size):
    program = lp.compile(READS.format(size=size), device)
    content = _bytes(size)
    where = np.array([0, 1, size // 2, size - 2, size - 1] * 60, np.int32)
    out = lp.zeros(len(where), "int32", device)
    for data in (content, content[::-1].copy(), content):
        program.at[2, 256](data.tobytes(), lp.asarray(where, device=device), out, len(where))
        assert (out.to_numpy() == data[where]).all()
    return program.at.signature


@pytest.mark.parametrize("size", SIZES)
def test_sizes(device, size):
    assert _read(device, size).block


@pytest.mark.parametrize("more", (-1, 0, 1))
def test_around_the_limit(device, native, more):
    limit = device.info["parameter_bytes"]
    # Behind the struct come two pointers and an int; an OpenCL kernel's block is padded to 8 bytes.
    size = limit - 24 if not native else limit - 20
    size = size // 8 * 8 + more
    signature = _read(device, size)
    taken = signature.parameters[-1].offset + 4 if native else signature.size
    assert signature.block == (taken > limit)


MIXED = """
struct Odd {{ char tag; double weight; short codes[5]; float *into; }};
struct alignas(16) Wide {{ float x[{count}]; }};
enum class Mode : short {{ ONE = 1, TWO }};
__global__ void mixed(char c, Odd odd, const double *a, Wide wide, bool flag, Mode mode, float3 f, long long l,
                      Wide second, int at, double *out) {{
  if (threadIdx.x) return;
  out[0] = c; out[1] = odd.tag; out[2] = odd.weight; out[3] = odd.codes[at & 3]; out[4] = a[1]; out[5] = wide.x[at];
  out[6] = flag; out[7] = int(mode); out[8] = f.y; out[9] = double(l); out[10] = second.x[at + 1];
  odd.into[0] = second.x[{count} - 1];
}}
"""


def test_structs_scalars_and_arrays(device):
    count = 10_000
    odd = np.dtype(
        [("tag", "i1"), ("weight", "f8"), ("codes", "i2", 5), ("into", "u8")], align=True
    )  # fmt: skip
    program = lp.compile(MIXED.format(count=count), device)
    signature = program.mixed.signature
    assert signature.block
    assert signature.size > 80_000
    into = lp.zeros(1, "float32", device)
    record = np.zeros((), odd)
    record["tag"], record["weight"], record["codes"], record["into"] = 3, 2.5, [1, 2, 3, 4, 5], into.pointer
    wide, second = np.arange(count, dtype=np.float32), np.arange(count, dtype=np.float32) * 2
    out = lp.zeros(11, "float64", device)
    array = lp.asarray([7.0, 8.0], "float64", device)
    vector = np.array([1, 2, 3], np.float32)
    program.mixed[1, 64](
        -4, record, array, wide.tobytes(), True, 2, vector.tobytes(), -(1 << 40), second.tobytes(), 4321, out
    )  # fmt: skip
    results = out.to_numpy()
    assert list(results) == [-4, 3, 2.5, 2, 8, 4321, 1, 2, 2, -float(1 << 40), 8644]
    assert into.to_numpy()[0] == 2 * (count - 1)


WRITES = """
struct Big { int values[10000]; int n; };
__device__ int sum(Big big) { int s = 0; for (int i = 0; i < 4; i++) { s += big.values[i]; big.values[i] = -1; } return s; }
__device__ int last(const Big &big, int i) { return big.values[i]; }
__global__ void writes(Big big, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j <= i % 7; j++) big.values[(i + j) % 10000] += i + 1;
  big.n += big.values[i % 10000];
  out[i] = big.n;
}
__global__ void calls(Big big, int *out) {
  int i = threadIdx.x;
  out[i] = sum(big) + sum(big) * 1000 + last(big, i);
}
"""


def _big():
    dtype = np.dtype([("values", "i4", 10_000), ("n", "i4")])  # more than any device takes with a launch
    big = np.zeros((), dtype)
    big["values"], big["n"] = np.arange(10_000) + 1, 5
    return big


def test_writing_is_each_threads_own(device):
    program, big, n = lp.compile(WRITES, device), _big(), 32
    assert program.writes.signature.block
    wanted = [5 + (i + 1) + (i + 1) for i in range(n)]
    for _ in range(3):  # the next launch sees nothing of it either
        out = lp.zeros(n, "int32", device)
        program.writes[2, 16](big, out, n)
        assert list(out.to_numpy()) == wanted


def test_a_device_function_gets_a_copy(device):
    program, big = lp.compile(WRITES, device), _big()
    out = lp.zeros(16, "int32", device)
    program.calls[1, 16](big, out)
    assert list(out.to_numpy()) == [10 + 10_000 + i + 1 for i in range(16)]


BESIDE = """
struct Big { float values[20000]; };
__device__ int counter;
__constant__ float factors[4] = {1, 2, 3, 4};
__global__ void all(Big big, float *out) {
  extern __shared__ float shared[];
  __shared__ float fixed[64];
  int t = threadIdx.x;
  shared[t] = big.values[t * 300] * factors[t % 4];
  fixed[t] = big.values[t];
  __syncthreads();
  if (t >= 32) return;
  out[t] = shared[63 - t] + fixed[t + 1];
  __syncthreads();
  atomicAdd(&counter, 1);
}
template <class T, int N> __global__ void scaled(T big, float *out) { out[threadIdx.x] = big.values[threadIdx.x] * N; }
"""


def test_globals_and_shared_memory_besides(device):
    program = lp.compile(BESIDE, device, names=["scaled<Big, 3>"])
    values = np.random.default_rng(2).random(20_000, np.float32)
    out = lp.zeros(32, "float32", device)
    program.all[1, 64, None, 64 * 4](values.tobytes(), out)
    t = np.arange(64)
    shared = values[t * 300] * (t % 4 + 1).astype(np.float32)
    assert np.allclose(out.to_numpy(), shared[63 - t[:32]] + values[t[:32] + 1])
    assert program.symbol("counter").to_numpy() == 32
    program["scaled<Big, 3>"][1, 32](values.tobytes(), out)
    assert np.allclose(out.to_numpy(), values[:32] * 3)


def test_an_instance_that_is_looked_up_later(device):
    program = lp.compile(BESIDE.replace("__device__ int counter;", "").replace("atomicAdd(&counter, 1);", "")
                         .replace("__constant__ float factors[4] = {1, 2, 3, 4};", "").replace("* factors[t % 4]", ""),
                         device)  # fmt: skip
    values = np.random.default_rng(3).random(20_000, np.float32)
    out = lp.zeros(32, "float32", device)
    program["scaled<Big, 5>"][1, 32](values.tobytes(), out)
    assert np.allclose(out.to_numpy(), values[:32] * 5)


def test_a_saved_program(device, tmp_path):
    program = lp.compile(WRITES, device)
    program.save(tmp_path / "program.lp")
    loaded = lp.load(tmp_path / "program.lp", device)
    assert loaded.writes.signature == program.writes.signature
    out = lp.zeros(8, "int32", device)
    loaded.writes[1, 8](_big(), out, 8)
    assert list(out.to_numpy()) == [5 + 2 * (i + 1) for i in range(8)]


def test_many_threads_that_write(device):
    """What does not fit is refused, and no driver dies of it."""
    text = WRITES.replace("10000", "16000")
    program = lp.compile(text, device)
    big = np.zeros((), np.dtype([("values", "i4", 16_000), ("n", "i4")]))
    out = lp.zeros(256, "int32", device)
    try:
        program.writes[1, 256](big, out, 256)
    except (lp.ConfigurationError, lp.DriverError) as error:
        assert "got 256" in str(error) or isinstance(error, lp.DriverError)
        return
    assert list(out.to_numpy()[:8]) == [i + 1 for i in range(8)]
