"""Lanes of a warp that share volatile memory without a barrier: they run in step, or the user is told."""

import warnings

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
__device__ void last(volatile float* s, int t) {
  s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
__global__ void sum(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void turn(int* d) {
  volatile __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  FENCE
  d[t] = s[t / 8 * 8 + 7 - t % 8];
}
__global__ void with_barriers(int* d) {
  volatile __shared__ int s[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 3; i++) {
    s[y][x] = d[y * 16 + x];
    s[y][x] += 1;
    __syncthreads();
    d[y * 16 + x] = s[x][y];
    __syncthreads();
  }
}
"""


def compiled(device, fence: str) -> lp.Program:
    return lp.compile(SOURCE, device, defines={"FENCE": fence})


def check(program: lp.Program, device) -> None:
    x = np.arange(8 * 128, dtype="float32")
    out = lp.zeros(8, "float32", device)
    program.sum[8, 128](lp.asarray(x, device=device), out)
    assert (out.to_numpy() == x.reshape(8, 128).sum(1)).all()
    for threads in (8, 40, 64, 72, 128):  # a block's last warp need not be whole
        d = lp.asarray(np.arange(threads, dtype="int32") + threads, device=device)
        program.turn[1, threads](d)
        t = np.arange(threads)
        assert (d.to_numpy() == t // 8 * 8 + 7 - t % 8 + threads).all()


def check_barriers(program: lp.Program, device) -> None:
    d = lp.asarray(np.arange(256, dtype="int32"), device=device)
    program.with_barriers[1, (16, 16)](d)  # its rows are no warps, and it does not count on any
    assert (d.to_numpy() == np.arange(256).reshape(16, 16).T.ravel() + 3).all()


def test_volatile_shared_memory(device):
    if device.info["kind"] != "cpu":
        pytest.skip("warps of a GPU are its own")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        program = compiled(device, "")
    check_barriers(program, device)
    if device.info["dialect"] == "spirv":
        assert not warned
        check(program, device)
    else:
        (warning,) = warned
        assert issubclass(warning.category, RuntimeWarning)
        assert "kernel 'sum': threads exchange values through shared memory" in str(warning.message)
        assert "kernel 'turn': threads" in str(warning.message)
        assert "with_barriers" not in str(warning.message)


def test_a_fence_of_a_warp(device):
    if device.info["dialect"] != "spirv" or device.info["kind"] != "cpu":
        pytest.skip("about Intel's runtime, which runs a warp that is not whole in step only if it is made to")
    check(compiled(device, "__syncwarp();"), device)


EXCHANGES = """
#define HEAD __shared__ int s[1024]; __shared__ int flag; int t = threadIdx.x; volatile int* v = s; if (t == 0) flag = 0;
__global__ void plain_write(int* d) { HEAD s[t] = d[t]; d[t] = v[t ^ 1]; }
__global__ void plain_write_after(int* d) { HEAD v[t] = d[t]; __syncthreads(); int x = v[t ^ 1]; s[t] = x; d[t] = s[t]; }
__global__ void fence(int* d) { HEAD s[t] = d[t]; __threadfence_block(); d[t] = s[t ^ 1]; }
__global__ void last_lane(int* d) {
  HEAD
  int x = d[t], end = t / 32 * 32 + 31, last = end < blockDim.x ? end : blockDim.x - 1;
  if (t == last) v[t / 32] = x;
  d[t] = v[t / 32];
}
__global__ void scan(int* d) {
  HEAD
  int lane = t & 31;
  v[t] = d[t];
  for (int i = 1; i < 32; i <<= 1) {
    int x = lane >= i ? v[t - i] : 0;
    v[t] += x;
  }
  d[t] = v[t];
}
__global__ void rows(int* d) {
  volatile __shared__ int s[1024];
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  s[t] = d[t];
  for (int i = 0; i < 3; i++) s[t] = s[t ^ 31] + 1;
  d[t] = s[t];
}
__device__ __attribute__((noinline)) void fold(volatile int* v, int t) { v[t] += v[t + 2]; v[t] += v[t + 1]; }
__global__ void folded(int* d) {
  HEAD
  s[t] = d[t];
  __syncthreads();
  if (t % 4 < 2) fold(v, t);
  d[t] = v[t / 4 * 4];
}
__global__ void own(int* d) { HEAD if (d[t] & 1) v[t] = d[t]; else v[t] = 1; d[t] = v[t] * 2 + (v[t] & 1); }
__global__ void others(int* d) { HEAD v[t] = d[t]; __syncthreads(); flag = 1; d[t] = v[t ^ 1]; }
"""
WANTED = {
    "plain_write": lambda d, t, end: d[t ^ 1],
    "plain_write_after": lambda d, t, end: d[t ^ 1],
    "fence": lambda d, t, end: d[t ^ 1],
    "last_lane": lambda d, t, end: d[end],
    "scan": lambda d, t, end: np.concatenate([np.cumsum(part) for part in np.split(d, range(32, len(d), 32))]),
    "folded": lambda d, t, end: d.reshape(-1, 4).sum(1)[t // 4],
    "own": lambda d, t, end: np.where(d & 1, d, 1) * 2 + 1,
    "others": lambda d, t, end: d[t ^ 1],
}
BLOCKS = [(32, 1), (32, 4), (32, 32), (64, 2), (96, 3), (32, 2, 3), (128, 1, 2)]
NO_EXCHANGE = ("own", "others")


@pytest.fixture(scope="module")
def exchanges(device):
    if device.info["kind"] != "cpu":
        pytest.skip("warps of a GPU are its own")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        program = lp.compile(EXCHANGES, device, name="exchanges.cu")
    return program, [str(warning.message) for warning in warned if warning.category is RuntimeWarning]


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.sample(2)
def test_other_ways_to_exchange_values(device, exchanges, name):
    program, _ = exchanges
    if device.info["dialect"] != "spirv" and name not in NO_EXCHANGE:
        return
    random = np.random.default_rng(0)
    for threads in (4, 8, 32, 36, 60, 64, 100, 128, 192, 256, 500, 512, 1000, 1024):
        d = random.integers(0, 1000, threads).astype("int32")
        t = np.arange(threads)
        wanted = WANTED[name](d, t, np.minimum(t // 32 * 32 + 31, threads - 1))
        for _ in range(3):
            array = lp.asarray(d, device=device)
            program[name][1, threads](array)
            assert (array.to_numpy() == wanted).all(), threads


def test_blocks_of_several_dimensions(device, exchanges):
    program, _ = exchanges
    if device.info["dialect"] != "spirv":
        pytest.skip("its lanes do not run in step, which is told")
    for block in BLOCKS:
        d = np.arange(np.prod(block), dtype="int32")
        for _ in range(3):
            array = lp.asarray(d, device=device)
            program.rows[1, block](array)
            assert (array.to_numpy() == (d ^ 31) + 3).all(), block
    array = lp.zeros(64, "int32", device)
    with pytest.raises(lp.ConfigurationError, match="a multiple of 32 threads in x"):
        program.rows[1, (16, 4)](array)


def test_exchanges_of_lanes_that_are_not_in_step_warn(device, exchanges):
    program, messages = exchanges
    for name in WANTED:
        says = f"kernel '{name}': threads exchange values through shared memory without a barrier"
        expected = device.info["dialect"] != "spirv" and name not in NO_EXCHANGE
        assert (says in program.log) == expected, name
        assert any(says in message for message in messages) == expected, name
    assert len(messages) <= 1
    assert all("exchanges.cu:" in message for message in messages)


UNFENCED = """
__device__ void last(float* s, int t) {
  s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
__global__ void sum(float* d) { __shared__ float p[64]; int t = threadIdx.x; p[t] = d[t]; __syncthreads();
  if (t < 32) last(p, t);
  __syncthreads();
  if (t < 32)
    for (int n = 16; n > 0; n >>= 1) p[t] += p[t + n];
  d[t] = p[0]; }
"""


@pytest.mark.opencl_only("about what Clang compiles")
def test_steps_that_nothing_keeps_in_order_warn(device):
    with pytest.warns(RuntimeWarning) as warned:
        program = lp.compile(UNFENCED, device, name="sum.cu")
    text = str(warned[0].message)
    assert "sum.cu:3:3: warning: 's': threads read elements that other threads of the warp write" in text
    assert "sum.cu:9:38: warning: 'p': threads read elements" in text
    assert "declare it volatile, or put __syncwarp() or __syncthreads() between" in program.log
