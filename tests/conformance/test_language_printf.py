"""printf, assert and what ends a thread; clocks; memory functions."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest

import launchpath as lp
from tests.patience import PATIENCE


@pytest.fixture
def printed(device, capfd):
    """Launch a kernel; return the lines that it printed."""

    def run(source, *arguments, grid=1, block=1, **options):
        program = lp.compile(source, device, **options)
        capfd.readouterr()
        program.k[grid, block](*arguments)
        device.synchronize()
        ctypes.CDLL(None).fflush(None)
        return capfd.readouterr().out.splitlines()

    return run


def _needs_precisions_from_arguments(device):
    if device.info["driver"] == "cuda":
        pytest.skip("CUDA's printf takes widths from arguments, and no precisions")


def test_conversions(printed):
    source = r"""
    __global__ void k(int i, float f, double d, long long wide) {
        printf("%d %u %x|%5d|%-5d|%05d\n", i, 4000000000u, 255, i, i, i);
        printf("%f %.3f %e %g\n", f, d, d, f);
        printf("%lld %llu %ld %c %% %s\n", wide, 1ull << 63, (long)wide, 'x', "text");
        printf("no arguments\n");
    }
    """
    lines = printed(source, -42, 1.5, 2.0 / 3, -(2**40))
    assert lines[0] == "-42 4000000000 ff|  -42|-42  |-0042"
    assert lines[1] == "1.500000 0.667 6.666667e-01 1.5"
    assert lines[2] == f"{-(2**40)} {2**63} {-(2**40)} x % text"
    assert lines[3:] == ["no arguments"]


@pytest.mark.parametrize("include", ["", "#include <stdio.h>", "#include <cstdio>"])
def test_each_thread_prints_its_line(printed, include):
    call = "std::printf" if include == "#include <cstdio>" else "printf"
    source = f"""{include}
    template <class T> __device__ void tell(const char* name, T value) {{
        {call}("%s %d %d\\n", name, (int)threadIdx.x, (int)value);
    }}
    __global__ void k() {{ if (threadIdx.x % 2) tell("thread", blockIdx.x * 10 + 0.5); }}
    """
    lines = printed(source, grid=2, block=6)
    assert sorted(lines) == sorted(f"thread {t} {10 * b}" for b in range(2) for t in (1, 3, 5))


def test_widths_and_precisions_from_arguments(printed, device):
    """As C has them: a negative width is a minus flag, a negative precision is none."""
    _needs_precisions_from_arguments(device)
    source = r"""
    __global__ void k(int w, int p, int n, long long wide, double d) {
        printf("[%*d][%-*d][%0*d] %d\n", 6, 42, 6, 42, 6, 42, 7);
        printf("[%.*f][%*.*f][%*.2f] %d\n", 2, d, 8, 2, d, -8, d, 7);
        printf("[%*s]|[%.*s] %d%%\n", 8, "abc", 2, "abcdef", 7);
        printf("[%*d][%-*d][%0*d][%*lld] %d\n", w, n, w, n, w, n, w, wide, 7);
        printf("[%.*f][%*.*f] %d\n", p, d, w, p, d, 7);
        printf("[%*s]|[%.*s] %d%%\n", w, "abc", p, "abcdef", 7);
        printf("[%*d]\n", (int)wide, n);
    }
    """

    def wanted(w, p, wide):
        given = {"w": w, "p": p, "n": 42, "wide": wide, "d": 2.71828}
        lines = [("[%*d][%-*d][%0*d] %d", (6, 42, 6, 42, 6, 42, 7)), ("[%.*f][%*.*f][%*.2f] %d", (2, "d", 8, 2, "d", -8, "d", 7)),
                 ("[%*s]|[%.*s] %d%%", (8, b"abc", 2, b"abcdef", 7)),
                 ("[%*d][%-*d][%0*d][%*lld] %d", ("w", "n", "w", "n", "w", "n", "w", "wide", 7)),
                 ("[%.*f][%*.*f] %d", ("p", "d", "w", "p", "d", 7)),
                 ("[%*s]|[%.*s] %d%%", ("w", b"abc", "p", b"abcdef", 7)), ("[%*d]", (wide, "n"))]  # fmt: skip
        return [_formatted(line, *(given.get(value, value) for value in values)) for line, values in lines]

    for w, p, wide in ((5, 3, 12), (0, 0, 1), (-9, -2, -12), (12, 1, 100)):
        assert printed(source, w, p, 42, wide, 2.71828) == wanted(w, p, wide)


def _formatted(form, *values):
    """What C's own printf makes of it."""
    kinds = {int: ctypes.c_longlong, float: ctypes.c_double, bytes: ctypes.c_char_p}
    memory = ctypes.create_string_buffer(200)
    ctypes.CDLL(None).snprintf(memory, 200, form.encode(), *(kinds[type(value)](value) for value in values))
    return memory.value.decode()


def test_widths_differ_between_threads(printed, device):
    _needs_precisions_from_arguments(device)
    source = r"""
    __global__ void k() {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i % 3) printf("%*d|%-*d|%.*f\n", i, i, 40 - i, i, i % 4, i * 0.5);
    }
    """
    lines = printed(source, grid=2, block=16)
    wanted = [_formatted("%*d|%-*d|%.*f", i, i, 40 - i, i, i % 4, i * 0.5) for i in range(32) if i % 3]
    assert sorted(lines) == sorted(wanted)


def test_strings_that_are_not_literals(printed, device):
    _needs_precisions_from_arguments(device)
    source = r"""
    __device__ const char *word(int i) { return i & 1 ? "odd" : "even"; }
    __device__ const char *const names[2] = {"zero", "one"};
    __constant__ char text[] = "some text";
    __global__ void k(int i, const char *s) {
        const char *chosen = i & 1 ? "first" : "second", *table[2] = {"e", "o"};
        char own[4] = {65, 66, (char)(66 + i), 0};
        __shared__ char shared[4];
        shared[0] = own[2]; shared[1] = 0;
        printf("%s %s %s %s\n", chosen, word(i), table[i & 1], names[i & 1]);
        printf("%s %s %s %s\n", text, own, s, shared);
        printf("[%*s] [%.*s]\n", 5 + i, own, i, s);
    }
    """
    hello = lp.asarray(np.frombuffer(b"hello\0", "int8"), device=device)
    assert printed(source, 1, hello) == ["first odd o one", "some text ABC hello C", "[   ABC] [h]"]


def test_a_format_that_is_not_a_literal(printed, device):
    source = r"""__global__ void k(int i) { printf(i ? "%d a\n" : "%d b\n", i + 2); }"""
    if device.platform.startswith("Portable"):  # OpenCL C takes literals only, and PoCL reads a format when it compiles
        with pytest.raises(lp.CompileError, match="printf with a format that is not a string literal"):
            printed(source, 1)
        return
    assert printed(source, 1) == ["3 a"]


ENDS_THE_CONTEXT = "a false assertion ends CUDA's context, so it has a process of its own: see the next test"


@pytest.mark.opencl_only(ENDS_THE_CONTEXT)
def test_a_false_assertion_says_where(printed, device):
    source = r"""
    __global__ void k(int* out) {
        assert(out[threadIdx.x] >= 0 && "below zero");
        out[threadIdx.x] += 10;
    }
    """
    lines = printed(source, lp.asarray([1, -2, 3], "int32", device), block=3, name="check.hip")
    assert len(lines) == 1
    assert "check.hip:3: " in lines[0]
    assert 'block: [0,0,0], thread: [1,0,0] Assertion `out[threadIdx.x] >= 0 && "below zero"` failed.' in lines[0]


FALSE = r"""
import sys
import launchpath as lp
device = [d for d in lp.devices() if d.info["platform"] == sys.argv[1]][int(sys.argv[2])]
one = '__device__ void one(int* out) { assert(out[threadIdx.x] >= 0 && "below zero"); }'
source = '#include "one.h"\n__global__ void k(int* out) { one(out); out[threadIdx.x] += 10; }'
program = lp.compile(source, device, name="check.hip", headers={"one.h": one})
program.k[1, 3](lp.asarray([1, -2, 3], "int32", device))
try:
    device.synchronize()
except lp.AsynchronousError as error:
    print("failed", error)
"""


def test_a_false_assertion_is_an_error_of_its_device(device, native):
    if not native:
        pytest.skip("OpenCL devices print the message and go on")
    alike = [other for other in lp.devices() if other.info["platform"] == device.info["platform"]]
    command = [sys.executable, "-c", FALSE, device.info["platform"], str(alike.index(device))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.startswith("failed") and "k (" in done.stdout, done.stderr
    lines = [line for line in done.stderr.splitlines() if "Assertion" in line]
    assert len(lines) == 1 and "one.h:1: " in lines[0]
    assert 'block: [0,0,0], thread: [1,0,0] Assertion `out[threadIdx.x] >= 0 && "below zero"` failed.' in lines[0]


@pytest.mark.opencl_only(ENDS_THE_CONTEXT)
@pytest.mark.parametrize("name", [None, "check.hip", "src/check.hip"])
def test_assertions_name_the_files_as_messages_do(printed, device, name):
    source = '#include "one.h"\n__global__ void k(int* out) { one(out); assert(!out); }'
    header = "__device__ void one(int* out) { assert(out == nullptr); }"
    lines = printed(source, lp.zeros(1, device=device, dtype="int32"), name=name, headers={"one.h": header})
    assert [line.split(": ")[0] for line in lines] == ["one.h:1", f"{name or '<source>'}:2"]


@pytest.mark.parametrize("include", ["", "#include <cassert>\n", "#include <assert.h>\n"])
def test_assertions_can_be_off(printed, device, native, include):
    source = include + "__global__ void k(int* out) { assert(*out == 5); *out = 7; }"
    out = lp.asarray([1], "int32", device)
    assert printed(source, out, defines={"NDEBUG": None}) == []
    assert out.to_numpy()[0] == 7
    out = lp.asarray([5], "int32", device)
    assert printed(source, out) == []
    assert out.to_numpy()[0] == 7
    if native:
        return  # a false one ends the context
    failed = printed(source, lp.asarray([4], "int32", device))
    assert len(failed) == 1
    assert "Assertion `*out == 5` failed" in failed[0]


def test_clocks_go_on(device):
    if "cl_khr_kernel_clock" not in device.info.get("extensions", ()) and device.info["driver"] == "opencl":
        with pytest.raises(lp.CompileError, match=r"mine\.cu:2.*no clock that kernels can read"):
            lp.compile("__global__ void k(long long* out) {\n    *out = clock64();\n}\n", device, name="mine.cu")
        return
    source = r"""
    #include <ctime>
    __global__ void k(long long* out, int n) {
        long long start = clock64();
        clock_t narrow = clock();
        unsigned x = 1;
        for (int i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;
        out[2] = x;
        narrow = clock() - narrow;
        out[0] = clock64() - start;
        out[1] = narrow;
        out[3] = wall_clock64() > 0;
    }
    """
    out = lp.zeros(4, "int64", device)
    lp.compile(source, device).k[1, 1](out, 1000000)
    got = out.to_numpy()
    assert 0 < got[1] <= got[0]
    assert got[3] == 1


@pytest.mark.parametrize("include", ["", "#include <cstring>\n"])
def test_memory_functions(device, include):
    source = (
        include
        + r"""
    struct Record { int id; float at[3]; };
    __global__ void k(unsigned char* out, const unsigned char* in, int n) {
        memcpy(out, in, n);
        memset(out + 64, n, 16);
        memset(out + 80, 0xff, n);
        Record a = {1, {2, 3, 4}}, b;
        memcpy(&b, &a, sizeof b);
        b.id = memcmp(&a, &b, sizeof a) == 0;
        memcpy(out + 128, &b, sizeof b);
        for (int i = 0; i < 16; ++i) out[160 + i] = i;
        memmove(out + 162, out + 160, 10);
        for (int i = 0; i < 16; ++i) out[180 + i] = i;
        memmove(out + 180, out + 182, 10);
        out[200] = memcmp(in, in + 1, 4) < 0;
    }
    """
    )
    out = lp.zeros(256, "uint8", device)
    lp.compile(source, device).k[1, 1](out, lp.asarray(np.arange(64, dtype="uint8"), device=device), 37)
    got, count = out.to_numpy(), np.arange(16)
    assert got[:64].tolist() == [*range(37), *[0] * 27]
    assert got[64:128].tolist() == [*[37] * 16, *[255] * 37, *[0] * 11]
    assert got[128:144].tobytes() == np.array([1], "int32").tobytes() + np.array([2, 3, 4], "float32").tobytes()
    assert got[160:176].tolist() == [0, 1, *count[:10], *count[12:]]
    assert got[180:196].tolist() == [*count[2:12], *count[10:]]
    assert got[200] == 1


def test_placement_new(device):
    source = r"""
    struct Counter { int n; __device__ Counter(int start) : n(start) {} __device__ int next() { return ++n; } };
    __global__ void k(int* out) {
        alignas(Counter) unsigned char room[sizeof(Counter)];
        Counter* counter = new (room) Counter(41);
        *out = counter->next();
    }
    """
    out = lp.zeros(1, "int32", device)
    lp.compile(source, device).k[1, 1](out)
    assert out.to_numpy()[0] == 42
