"""Sources as other systems' editors write them, and kernels with names that others have too."""

import numpy as np

import launchpath as lp

NAMES = (
    "exp log pow max min sqrt round abs floor norm memcpy printf y0 block grid args bytes fill lambda_1 foo_block foo"
)

SOURCE = """// An editor may put a byte order mark before this, and a caf\u00e9 in Latin-1 here.
#include <algorithm>
using namespace std;
#define STEP(A) d[i] += (A); \\
  d[i] *= 2; \\
  d[i] += 1;
#define TURN s[i] = d[i]; \\
  __syncthreads(); \\
  d[i] = s[(i + 1) % 64];
#if defined(__LAUNCHPATH__) && \\
  defined(NOT_THERE)
#define V 1
#else
#define V 2 /* a comment
   of two lines */ + 3
#endif
#pragma pack(push, 1)
struct Packed { char a; int b; };
#pragma pack(pop)
__device__ int line() { return __LINE__; }
__global__ void k(int* d, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  // goes on \\
  d[i] = -1;
  STEP(n)
  TURN
  d[i] += V + 100 * sizeof(Packed) + 1000 * line();
}
""" + "\n".join(f"__global__ void {name}(int* x) {{ x[0] = {at}; }}" for at, name in enumerate(NAMES.split()))


def test_line_ends_names_and_pragmas(device):
    text = SOURCE.replace("\\\n", "\\ \t\n").replace("\n", "\r\n")
    program = lp.compile(b"\xef\xbb\xbf" + text.encode("latin-1"), device)
    start = np.arange(64, dtype="int32")
    d = lp.asarray(start, device=device)
    program.k[1, 64](d, 5)
    assert (d.to_numpy() == np.roll((start + 5) * 2 + 1, -1) + 5 + 500 + 20000).all()
    for at, name in enumerate(NAMES.split()):
        program[name][1, 1](d)
        assert d.to_numpy()[0] == at, name


def test_a_template_with_the_name_of_a_function(device):
    text = "template <class T> __global__ void norm(T* x) { x[0] = T(norm3df(2, 3, 6)); }\n__device__ int f(int a) { return a; }"
    text += "__global__ void f(int* x) { x[0] = f(3); }"
    program = lp.compile(text, device, names=["norm<int>"])
    x = lp.zeros(1, "int32", device)
    program["norm<int>"][1, 1](x)
    assert x.to_numpy()[0] == 7
    program.f[1, 1](x)
    assert x.to_numpy()[0] == 3
