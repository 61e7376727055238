"""The files that programs consist of: their encodings and line ends, and what of them is compiled."""

import warnings

import numpy as np
import pytest

import launchpath as lp


def test_files_in_latin_1_are_warned_of_and_work(device, tmp_path):
    header = tmp_path / "own.h"
    header.write_bytes(b"// caf\xe9\n#define ONE 1\n")
    path = tmp_path / "main.cu"
    path.write_bytes(b'#include "own.h"\n/* \xa9 */ __global__ void k(int* o) { o[0] = ONE + "\xa9"[0]; }\n')
    for _ in range(2):  # from the cache too
        with pytest.warns(UnicodeWarning) as caught:
            program = lp.compile(path=path, device=device)
        text = str(caught[0].message)
        assert f"{path}:2:4: warning: expected UTF-8, got the byte 0xa9: it is taken for Latin-1" in text
        assert f"{header}:1:7: warning: expected UTF-8, got the byte 0xe9" in text
    out = lp.zeros(1, "int32", device)
    program.k[1, 1](out)
    assert out.to_numpy()[0] in (1 + 0xA9, 1 + 0xA9 - 256)
    for file in (path, header):
        file.write_text(file.read_bytes().decode("latin-1"), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnicodeWarning)
        lp.compile(path=path, device=device)


def test_continued_lines_that_end_in_cr_lf(device, tmp_path):
    (tmp_path / "own.h").write_bytes(b"#define REVERSE(s, o) \\\r\n s[threadIdx.x] = threadIdx.x; \\ \r\n"
                                     b" __syncthreads(); \\\t\r\n o[threadIdx.x] = s[63 - threadIdx.x]\r\n")  # fmt: skip
    path = tmp_path / "main.cu"
    path.write_bytes(b'#include "own.h"\r\n#if defined(A) || \\\r\n !defined(B)\r\n'
                     b"__global__ void k(int* o) {\r\n __shared__ int s[64];\r\n REVERSE(s, o);\r\n}\r\n#endif\r\n")  # fmt: skip
    out = lp.zeros(64, "int32", device)
    lp.compile(path=path, device=device).k[1, 64](out)
    assert np.array_equal(out.to_numpy(), np.arange(64)[::-1])


def test_the_templates_of_a_program(device):
    program = lp.compile(
        "template <class T, int N> __global__ void fill(T* o) { o[0] = N; }\n__global__ void plain(int* o) { *o = 1; }",
        device,
    )
    assert program.templates == {"fill": ("class T", "int N")}
    wanted = "fill is a template, fill<class T, int N>, without instances so far; "
    wanted += r"name one with its arguments, as in program\['fill<float, 4>'\]"
    with pytest.raises(AttributeError, match=wanted):
        program.fill  # noqa: B018
    with pytest.raises(KeyError, match="fill is a template"):
        program["fill"]
    out = lp.zeros(1, "float32", device)
    program["fill<float, 4>"][1, 1](out)
    assert out.to_numpy()[0] == 4
    with pytest.raises(KeyError, match="with the instance: fill<float, 4>"):
        program["fill"]


VARIABLES = """
template <class T> __constant__ T mask[4];
template <> __constant__ short mask<short>[4] = {1, 2, 3, 4};
namespace n { template <class T, int N> __device__ T table[N] = {T(5), T(6)}; }
template <class T> constexpr T two = T(2);
template <class T> __global__ void k(T* o) {
    o[threadIdx.x] = mask<T>[threadIdx.x] * two<T> + n::table<T, 4>[threadIdx.x];
}
int main() {
    float host[4];
    hipMemcpyToSymbol(mask<float>, host, sizeof host);
    k<float><<<1, 4>>>(nullptr);
    k<short><<<1, 4>>>(nullptr);
}
"""


def test_templates_of_variables(device):
    program = lp.compile(VARIABLES, device)
    assert {name: (symbol.dtype, symbol.shape) for name, symbol in program.symbols.items()} == {
        f"{name}<{of}>": (dtype, (4,))
        for name, arguments in (("mask", "{}"), ("n::table", "{}, 4"))
        for of, dtype in ((arguments.format("float"), "float32"), (arguments.format("short"), "int16"))
    }
    program.symbol("mask<float>").copy_from(np.array([0.25, 1, 1, 1], "float32"))
    for of, dtype, wanted in (("float", "float32", [5.5, 8, 2, 2]), ("short", "int16", [7, 10, 6, 8])):
        out = lp.zeros(4, dtype, device)
        program[f"k<{of}>"][1, 4](out)
        assert out.to_numpy().tolist() == wanted


@pytest.mark.parametrize("name", ["exp", "max", "printf", "norm", "abs"])
def test_kernels_with_names_of_the_librarys_functions(device, name):
    text = """
    #include <cmath>
    #include <cstdio>
    __device__ float one(float x) { return expf(x) + fmaxf(x, 1); }
    __global__ void NAME(float* o) { o[0] = one(0.f) + std::sqrt(o[0]); }
    int main() { NAME<<<1, 1>>>((float*)nullptr); printf("%f", std::exp(1.0)); }
    """
    out = lp.asarray(np.array([9], "float32"), device=device)
    lp.compile(text, device, defines={"NAME": name})[name][1, 1](out)
    assert out.to_numpy()[0] == 5


@pytest.mark.parametrize("body", ["", "KERNEL(other)(p, 1); "])
def test_a_file_that_includes_itself_with_other_macros(device, tmp_path, body):
    path = tmp_path / "main.hip"
    path.write_text(f"""#include <hip/hip_runtime.h>
#ifndef TYPE
#define TYPE float
#define KERNEL(name) name##_f
#endif
struct KERNEL(pair) {{ TYPE a, b; }};
__device__ void KERNEL(other)(KERNEL(pair)* p, TYPE c) {{ p->b += c; }}
__global__ void KERNEL(k)(KERNEL(pair)* p) {{ p->b = p->a / 2; {body}}}
__device__ TYPE KERNEL(seen);
#ifndef AGAIN
#define AGAIN
#undef TYPE
#undef KERNEL
#define TYPE int
#define KERNEL(name) name##_i
#include "main.hip"
int main() {{ k_f<<<1, 1>>>(nullptr); k_i<<<1, 1>>>(nullptr); }}
#endif
""")
    program = lp.compile(path=path, device=device)
    for name, dtype, half in (("k_f", "float32", 3.5), ("k_i", "int32", 3)):
        pair = lp.asarray(np.array([7, 0], dtype), device=device)
        program[name][1, 1](pair)
        assert pair.to_numpy()[1] == half + (1 if body else 0)
