"""The compiler driver: programs that it makes run, and what it refuses is told as compilers do."""

import os
import tempfile

import pytest

import launchpath as lp
from launchpath._host.compiler import host_headers
from launchpath._host.compiler.command import Input
from tests.command import succeeded

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

PROGRAM = """
#include <sys/stat.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int helper(int);
extern "C" int in_c(int);

struct Noisy {
  const char *name;
  Noisy(const char *name) : name(name) { std::cout << "+" << name << "\\n"; }
  ~Noisy() { std::cout << "-" << name << "\\n"; }
} global("global");

thread_local int count = 5;
thread_local std::string text = "own";

int main(int argc, char **argv) {
  atexit([] { puts("at exit"); });
  static Noisy local("static");
  std::thread([] { text += " of a thread"; std::cout << ++count << " " << text << "\\n"; }).join();
  std::cout << count << " " << text << " " << argc << " " << argv[1] << "\\n";
  try {
    std::map<int, std::vector<int>>().at(1);
  } catch (const std::out_of_range &error) {
    std::cout << "caught\\n";
  }
  try {
    helper(-1);
  } catch (const std::runtime_error &error) {
    std::cout << error.what() << "\\n";
  }
  struct stat state;
  unsigned __int128 big = 1;
  std::cout << stat("/", &state) << " " << (unsigned long long)((big << 100) / 3 >> 64) << " " << std::stod("2.5") << std::endl;
  return helper(in_c(2));
}
"""


def test_a_program(build):
    build.write("main.cpp", PROGRAM)
    build.write(
        "helper.cc", '#include <stdexcept>\nint helper(int x) { if (x < 0) throw std::runtime_error("low"); return x; }'
    )
    build.write("part.c", "#include <math.h>\nint in_c(int x) { return (int)sqrt(x * x) + 1; }")
    build("-c", "part.c")
    build("-lib", "helper.cc", "-o", "libhelper.a")
    build("main.cpp", "-O0", "part.o", "-L.", "-lhelper", "-lm", "-lpthread", "-o", "app")
    assert build.run("app", "word", code=3).splitlines() == [
        "+global", "+static", "6 own of a thread", "5 own 2 word", "caught", "low", "0 22906492245 2.5", "-static",
        "at exit", "-global",
    ]  # fmt: skip
    assert os.access("app", os.X_OK) and not os.path.exists("main.o")


LIBRARY = """
#include <stdexcept>
struct Own : std::runtime_error { Own() : std::runtime_error("own") {} };
inline int &counter() { static int count = 0; return ++count; }
"""


def test_exceptions_and_variables_of_a_shared_library(build):
    build.write("shared.h", LIBRARY)
    build.write(
        "lib.cpp",
        '#include "shared.h"\nvoid fail(int x) { counter(); if (x) throw Own(); throw std::length_error("l"); }',
    )
    build.write("main.cpp", '#include <cstdio>\n#include "shared.h"\nvoid fail(int);\nint main() {\n'
                "  try { fail(1); } catch (const Own &error) { puts(error.what()); }\n"
                "  try { fail(0); } catch (const std::exception &error) { puts(error.what()); }\n"
                '  printf("%d\\n", counter());\n}\n')  # fmt: skip
    build("-shared", "lib.cpp", "-o", "libown.so", "-Wl,-soname,libown.so")
    build("main.cpp", "-L.", "-lown", f"-Wl,-rpath,{build.folder}", "-o", "app")
    assert build.run("app") == "own\nl\n3\n"


def test_errors_are_clangs(build, monkeypatch):
    os.mkdir("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(build.folder / "temporary"))
    build.write("a.cpp", "int main() {\n  return x;\n}\n")
    output = build.fails("a.cpp", "-o", "app")
    assert "a.cpp:2:10: error: use of undeclared identifier 'x'" in output
    assert not os.path.exists("app")
    build.write("b.cpp", "int f(); int main() { return f(); }\n")
    assert "undefined symbol: f()" in build.fails("b.cpp", "-o", "app")
    build.write("c.cpp", 'extern "C" int cublasCreate_v2(void **); int main() { return cublasCreate_v2(0); }\n')
    for words in ((), ("-shared",)):
        output = build.fails("c.cpp", "-lcublas", "-lcudart", *words)
        assert "cuBLAS: the program calls cublasCreate_v2: launchpath does not have that library" in output
    build.write("d.cpp", "int f() { return 1; }\n")
    assert "undefined symbol: main" in build.fails("d.cpp")
    assert "unable to find library -lnone" in build.fails("b.cpp", "-lnone")
    assert not os.listdir("temporary")


KERNEL = "#include <cstdio>\n#include <vector>\n#ifdef __{0}__\n__device__ int variable;\n#endif\nint main() {{ return std::vector<int>(3).size() - 3; }}\n"


@pytest.mark.parametrize("dialect", ["cuda", "hip"])
def test_a_device_side_goes_into_the_object(build, dialect):
    suffix, macro = {"cuda": ("cu", "CUDACC"), "hip": ("hip", "HIPCC")}[dialect]
    source = build.write(f"a.{suffix}", KERNEL.format(macro))
    calls = []

    def side(command, source):
        calls.append((source, command.macros))
        return b"BUNDLE" * 20000  # more than a pipe holds

    for _ in range(3):  # the third time with headers that are precompiled
        build(f"a.{suffix}", "-c", "-MD", "-DN=4", side=side)
        assert (build.folder / "a.o").read_bytes().count(b"BUNDLE") == 20000
        assert "/proc/" not in (build.folder / "a.d").read_text()
    assert calls == [(Input(source, dialect), [("D", "N=4")])] * 3


def test_precompiled_headers_are_used_where_they_change_nothing(build, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(build.folder / "cache"))
    headers, made_headers = [], []
    find = host_headers.find
    monkeypatch.setattr(host_headers, "find", lambda *words: headers.append(find(*words)) or headers[-1])
    make = host_headers._make
    monkeypatch.setattr(host_headers, "_make", lambda *words: made_headers.append(words[-1]) or make(*words))
    build.write("a.cu", "#include <vector>\nint main() { return std::vector<int>().size(); }")
    build("a.cu", "-c")
    build("a.cu", "-c", "-DN=4")  # a macro of the program's own
    build("a.cu", "-c")
    assert headers[:2] == [None, None] and headers[2] is not None and len(made_headers) == 1
    # The source looks at a macro of a header that it does not include.
    build.write("b.cu", "#include <vector>\n#ifdef _LIBCPP_FSTREAM\n#error it is there\n#endif\nint main() {}")
    build("b.cu", "-c")
    # A name of the library's is the source's too.
    build.write("c.cu", "#include <vector>\nusing namespace std;\nint accumulate;\nint main() { return accumulate; }")
    build("c.cu", "-c")
    # One of the user's headers hides one of those that are precompiled.
    os.mkdir("own")
    build.write("own/vector", "#define OWN\n#include_next <vector>\n")
    build.write("d.cu", "#include <vector>\n#ifndef OWN\n#error it is hidden\n#endif\nint main() {}")
    build("d.cu", "-c", "-Iown")


def test_a_device_side_that_does_not_compile(build):
    from launchpath.errors import CompileError

    def side(command, source):
        raise CompileError("a.cu: it failed", "a.cu:4:1: error: no such kernel")

    build.write("a.cu", KERNEL.format("CUDACC"))
    assert build.fails("a.cu", "-c", side=side).endswith("a.cu:4:1: error: no such kernel\n")
    assert not os.path.exists("a.o")


def test_host_code_that_uses_an_api(build):
    """As g++ compiles it beside nvcc: with the API's types, and without the compiler's macros."""
    build.write("a.cpp", "#include <cuda_runtime.h>\n#ifdef __CUDACC__\n#error\n#endif\n"
                "int main() { return (int)make_float4(1, 2, 3, 4).w + dim3(2).x - 6; }")  # fmt: skip
    build("a.cpp", "-o", "app")
    build.run("app")
    build.write("b.cpp", "#ifndef __HIPCC__\n#error\n#endif\nint main() { return dim3(2).y - 1; }")
    build("b.cpp", "-o", "app", dialect="hip")
    build.run("app")


def test_a_devices_binary_that_a_program_loads(build):
    build.write("a.cc", '#include <hip/hip_runtime.h>\nextern "C" __global__ void one(int *x) { *x = N; }\n')
    build("--genco", "-DN=1", "a.cc", "-o", "a.code", dialect="hip")
    program = lp.load("a.code")
    x = lp.empty(1, "int32")
    program.one[1, 1](x)
    assert x.to_numpy()[0] == 1
    assert "expected a source of HIP or CUDA" in build.fails("--genco", build.write("b.cpp", "int main() {}"))


def test_questions_of_build_systems(build):
    assert "clang version " in build("--version")
    assert "nvcc: NVIDIA (R) Cuda compiler driver" in build("--version", name="launchpath-nvcc")
    assert build("-dumpmachine") == "x86_64-unknown-linux-gnu\n"
    assert build("-dumpversion")[0].isdigit()
    assert "#define __clang__ 1\n" in build("-E", "-dM", "-x", "c++", os.devnull)
    assert "#define __cplusplus" not in build("-E", "-dM", "-x", "c", os.devnull)
    assert build("-print-file-name=libc.so.6").endswith("/libc.so.6\n")
    root = build("--print-toolkit-dir").strip()
    for name in ("bin/nvcc", "bin/hipcc", "include/cuda_runtime.h", "lib64/libcudart.so"):
        assert os.path.exists(os.path.join(root, name))
    build.write("a.cpp", "int main() {}")
    output = build("-v", "-c", "a.cpp")
    assert "#include <...> search starts here:" in output and f"Found HIP installation: {root}" in output
    output = build("-###", "a.cpp")
    assert "clang" in output and not os.path.exists("a.out")
    output = build("-c", "a.cpp", "-Xptxas", "-v")
    assert output == "launchpath c++: note: without a meaning here: -Xptxas -v\n"


def test_the_command(build):
    build.write("a.cpp", "int main() { return 4; }")
    assert "clang version" in succeeded("c++", "--version").output
    assert "Usage: launchpath c++" in succeeded("c++", "--help").output
    succeeded("c++", "-O1", "-o", "app", "a.cpp")
    build.run("app", code=4)


def test_a_compilation_that_the_driver_refuses(build):
    build.write("a.cu", "int main() {}")
    assert "clang: error: unknown argument: '-fno-such-thing'" in build.fails("a.cu", "-c", "-fno-such-thing")


def test_the_functions_of_openmp_are_the_librarys_where_the_pragmas_are(build, monkeypatch):
    monkeypatch.setattr("launchpath._host.compiler.openmp.find", lambda: "another library stands for it")
    build.write(
        "main.cu",
        "#include <cstdio>\n#include <omp.h>\nint main() { int n = 0;\n#pragma omp parallel num_threads(3)\n"
        '  if (omp_get_thread_num() == 0) n = omp_get_num_threads();\n  std::printf("%d\\n", n); }\n',
    )
    build.write(
        "library.cpp",
        'extern "C" { int omp_get_thread_num() { return 0; } int omp_get_num_threads() { return 7; }\n'
        "int __kmpc_global_thread_num(void *) { return 0; } void __kmpc_push_num_threads(void *, int, int) {}\n"
        "void __kmpc_fork_call(void *, int, void (*run)(int *, int *, void *), void *n) { int i = 0; run(&i, &i, n); } }",
    )
    build("main.cu", "-o", "alone")
    assert build.run("alone") == "1\n"
    build("-fopenmp", "-c", "main.cu")
    build("main.o", "library.cpp", "-o", "app")
    assert build.run("app") == "7\n"
