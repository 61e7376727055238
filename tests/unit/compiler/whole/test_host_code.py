"""Host code that kernels need: all of it is compiled beside them where the text without it does not compile."""

import pytest

from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import compiled

pytestmark = pytest.mark.compiles

KERNEL = "template <class T> __global__ void fill(T *x) { x[threadIdx.x] = sizeof(typename Chosen<T>::type); }\n"
LAUNCH = "void run(float *x, double *y) { fill<<<1, 64>>>(x); fill<<<1, 64>>>(y); }\n"


def kernels(text: str) -> set[str]:
    return {signature.name for _, signature in compiled(text).kernels}


def test_functions_that_only_stand_in_types():
    text = """
    namespace chosen { template <class T> struct Wrapped { T a, b; }; template <class T> Wrapped<T> wrapped(T x); }
    template <class T> struct Chosen { typedef decltype(chosen::wrapped(T())) type; };
    """
    assert kernels(text + KERNEL + LAUNCH) == {"fill<float>", "fill<double>"}


def test_functions_that_launch_are_compiled_beside_kernels():
    # The host's function has a launch and calls of HIP's API, and a class has its type.
    text = """#include <hip/hip_runtime.h>
    __global__ void first(int *x) { *x = 1; }
    inline auto begin(int *x) { first<<<1, 1>>>(x); hipLaunchKernelGGL(first, 1, 1, 0, 0, x); hipDeviceSynchronize();
      return 1.5f; }
    template <class T> struct Chosen { typedef decltype(begin(nullptr)) type; };
    """
    assert kernels(text + KERNEL + LAUNCH) == {"first", "fill<float>", "fill<double>"}


def test_methods_of_the_hosts():
    text = """#include <string>
    struct Named { int a; std::string *name(std::string of, int b); };
    template <class T> struct Chosen { typedef decltype(Named().name("x", 1)) type; };
    """
    assert kernels(text + KERNEL + LAUNCH) == {"fill<float>", "fill<double>"}


def test_kernels_cannot_call_them():
    text = "int twice(int x) { return 2 * x; }\n__global__ void k(int *x) {\n  *x = twice(*x);\n}\n"
    with pytest.raises(
        CompileError, match=r"user.cu:3:8: error: expected what is __device__, got the host's 'twice'"
    ) as caught:
        compiled(text)
    assert "'twice' is here, in host code; kernels need it to be __device__" in str(caught.value)


DETECTED = """
template <class T> const T *instance();
template <class T, int N = 0> struct is_constant {
  template <class C> static char (&test(C const *, typename Sized<(sizeof(instance<C>()->operator()()) > 0)>::type * = 0))[1];
  static char (&test(...))[2];
  enum { value = sizeof(test((T *)0)) == 1 };
};
"""


def test_templates_that_are_only_declared_choose_overloads():
    # Without `instance` the second function is chosen, and no compiler says so.
    text = "template <bool> struct Sized; template <> struct Sized<true> { typedef int type; };" + DETECTED
    text += "struct Five { __device__ int operator()() const { return 5; } };\n"
    text += "template <> struct Sized<false> { };\n"
    assert kernels(f"{text}__global__ void k(int *x) {{ *x = Sized<is_constant<Five>::value>::type(3); }}") == {"k"}


def test_parameters_whose_size_depends_on_host_code():
    text = """
    namespace chosen { struct Wrapped { double a, b; }; Wrapped wrapped(float x); }
    template <class T> struct Driver { decltype(chosen::wrapped(T())) of; };
    template <class D> __global__ void launch(double *x, D driver) { *x = driver.of.b; }
    void run(double *x) { launch<<<1, 1>>>(x, Driver<float>()); }
    """
    [(_, signature)] = compiled(text).kernels
    assert [(parameter.kind, parameter.size) for parameter in signature.parameters] == [("pointer", 8), ("struct", 16)]


def test_parameters_of_templates_are_no_classes_of_functions():
    text = """
    template <class Index> struct Range { Index n; };
    template <class T> struct Sum { T *x; };
    template <class Index> inline int half(Index n) { struct Local { Index n; }; return Local{n}.n / 2; }
    struct Index { int n; };
    template <class R> __global__ void fill(int *x, R range) { *x = range.n.n; }
    void run(int *x) { fill<<<1, 1>>>(x, Range<Index>()); }
    """
    assert kernels(text) == {"fill<Range<Index>>"}


def test_globals_have_the_size_that_the_compiler_gives_them():
    # The parser sees the host's function, by which the larger class is chosen; the text for the device has none.
    text = """
    template <class T> struct Void { typedef void type; };
    namespace host { double answer(int x) { return x; } }
    template <class T, class = void> struct Chosen { char x; };
    template <class T> struct Chosen<T, typename Void<decltype(host::answer(T()))>::type> { double x[4]; };
    __device__ Chosen<int> chosen;
    __global__ void k(int *x) { *x = sizeof(chosen) + (sizeof(chosen.x) > 1); }
    """
    [symbol] = compiled(text).symbols
    assert symbol.shape == (symbol.size,)
