"""Sources, options and binaries."""

from tests.mistakes.mistake import LINE, Mistake


def kernel(body: str, parameters: str = "int* a", before: str = "") -> str:
    return f"lp.compile({f'{before}__global__ void f({parameters}) {{ {body} }}'!r})"


MISTAKES = [
    Mistake(kernel("a[0] = b;"), "undeclared identifier 'b'", "<source>:1:36", "a[0] = b;"),
    Mistake(kernel("a[0] = threadidx.x;"), "undeclared identifier 'threadidx'", "<source>:1:36", "did you mean 'threadIdx'?"),
    Mistake(kernel("syncthreads();"), "undeclared identifier 'syncthreads'", "<source>:1:29", "'__syncthreads'"),
    Mistake(kernel("a[0] = 1"), "expected ';'", "<source>:1:37", "a[0] = 1 }"),
    Mistake(kernel("a[0] = blockDim;"), "assigning to 'int'", "<source>:1:36", "it has the parts .x, .y and .z"),
    Mistake(kernel("cudaMalloc(&a, 5);"), "'cudaMalloc'", "<source>:1:29", "make an array before the launch"),
    Mistake(kernel("a[0] = h();", before="int h() { return 1; }\n"), "the host's 'h'", "<source>:2:36", "need it to be __device__"),
    Mistake(kernel("std::vector<int> v; v.push_back(1);", before="#include <vector>\n"), "std::vector is for the host", "<source>:2:34",
        "pass a pointer to its elements"),
    Mistake(kernel("", before="#include <torch/extension.h>\n"), "'torch/extension.h' file not found", "<source>:1:10",
        "torch (PyPI); name its folder in include_paths"),
    Mistake("lp.compile('__global__ int f(int* a) { return 1; }')", "not 'int'", "<source>:1:16", "kernel 'f' must return void"),
    Mistake("lp.compile('void f(float* a) { a[0] = 1; }')", "got none", "<source>", "expected a __global__ function"),
    Mistake("lp.compile('__kernel void f(__global float* a) { a[get_global_id(0)] = 1; }')", "'__kernel'", "<source>:1:1",
        "write '__global__ void'"),
    Mistake("lp.compile('import numba\\n@cuda.jit\\ndef f(x): pass')", "got Numba's Python", "<source>:2:2", "compile_ptx"),
    Mistake("lp.compile('kernel.cu')", "got the name of a file", "'kernel.cu'", "pass it as path='kernel.cu'"),
    Mistake("lp.compile(path='nofile.cu')", "No such file", "'nofile.cu'", "lp.compile(path="),
    Mistake("lp.compile(print)", "got <built-in function print>", "source", "expected text"),
    Mistake("lp.compile(SOURCE, '-O3')", "no device '-O3'", "Devices:", "options=[...]"),
    Mistake("lp.compile(SOURCE, options='-O3')", "got '-O3'", "options", "expected a list of options"),
    Mistake("lp.compile(SOURCE, option=['-O3'])", "argument 'option'", "compile()", "Did you mean 'options'?"),
    Mistake("lp.compile(SOURCE, name_expressions=['sum<int>'])", "'name_expressions'", "compile()", "use names=[...]"),
    Mistake("lp.compile(SOURCE, names=['sun<int>'])", "no kernel 'sun<int>'", "<source>", "it has fill, tile"),
    Mistake("lp.compile(SOURCE, defines=['N=3'])", "got ['N=3'] (list)", "defines", "pass a dict, as in {'A': 1}"),
    Mistake("lp.compile(SOURCE, standard='c++03')", "got 'c++03'", "standard", "expected 'c++17', 'c++20'"),
    Mistake("lp.RawKernel(SOURCE, 'fill')", "no attribute 'RawKernel'", "module 'launchpath'", "use launchpath.compile(source)"),
    Mistake("lp.ElementwiseKernel('T x', 'T y', 'y = x')", "no attribute", "module 'launchpath'", "write a kernel"),
    Mistake("lp.grid(1)", "no attribute 'grid'", "module 'launchpath'", "use blockIdx, blockDim and threadIdx"),
    Mistake("from launchpath import SourceModule", "cannot import name", "'launchpath'", "use launchpath.compile(source)"),
    Mistake("lp.Program(SOURCE)", "lp.Program(SOURCE)", LINE, "use launchpath.compile(source)"),
    Mistake("lp.load(SOURCE)", "got a text of", "a path", "a source is for launchpath.compile"),
    Mistake("lp.load(b'junk')", "begins with 'junk'", "the data", "expected SPIR-V, a binary for CUDA or HIP"),
]  # fmt: skip
