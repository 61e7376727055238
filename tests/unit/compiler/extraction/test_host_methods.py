"""The methods of classes when the host code is taken out of a source: those for the host, and those that kernels reach."""

from tests.unit.compiler.extraction.reduced import reduced, words


def test_methods_of_the_host_lose_their_bodies():
    reduced_text = reduced("""struct M {
  float *data; int n;
  M(int size) : data(nullptr), n(size) { hipMalloc(&data, n * sizeof(float)); }
  ~M() { hipFree(data); }
  void print() const { for (int i = 0; i < n; i++) std::cout << i; }
  template <class T> void fill(T t) { memset(data, t, n); }
  __host__ __device__ float get(int i) const { return data[i]; }
  constexpr int two() const { return 2; }
  bool operator()(int a) { return a < host_only; }
  M(const M &o) : data(o.data), n(o.n) { host(); }
  void operator delete(void *p) { host(p); }
  M &operator=(const M &) = default;
};
__global__ void k(M m, float *o) { o[0] = m.get(0) + m.two(); }
""")
    lines = [" ".join(line.split()) for line in reduced_text.split("\n")]
    assert lines[2:6] == ["M(int size) ;", "~M() ;", "void print() const ;", "template <class T> void fill(T t) ;"]
    assert lines[6:12] == [
        "__host__ __device__ float get(int i) const { return data[i]; }",
        "constexpr int two() const { return 2; }",
        "bool operator()(int a) ;",
        "M(const M &o) ;",
        "void operator delete(void *p) ;",
        "M &operator=(const M &) = default;",
    ]


def test_methods_for_the_host_bring_no_types_of_the_library():
    text = """
struct Layout {
    int width;
    __host__ int rows(const std::vector<int> &of) const { return of.size() / width; }
    __host__ int wide() const { return host_only(width); }
    __host__ int declared() const;
    __device__ int at(int i) const { return i * width; }
};
__global__ void k(Layout l, int *o) { o[0] = l.at(1); }
"""
    reduced_text = reduced(text)
    assert (
        "vector" not in reduced_text
        and "__host__" not in reduced_text
        and "int wide() const ;" in " ".join(reduced_text.split())
    )
    assert "int declared() const;" in " ".join(reduced_text.split())


def test_a_constructor_stays_declared_where_its_parameters_go():
    text = """
struct Name { int a; char b; Name(std::string s) { a = 1; } Name(const std::string &s, int longer) : a(s.size()), b(longer) {} };
struct N{int a;N(std::S);};
__global__ void k(Name n, N m) {}
"""
    text = " ".join(reduced(text).split())
    assert "std" not in text
    assert "Name(void(*)());" in text
    assert "explicit Name(void (Name::*)(Name *));" in text
    assert "N(void*);" in text


def test_methods_for_constant_expressions_by_a_macro_are_not_reached_by_their_name():
    text = """
#define CONSTANT constexpr
template <class T> struct formatter { template <class C> CONSTANT void format(C x); };
template <class T> template <class C> CONSTANT void formatter<T>::format(C x) {}
CONSTANT int twice(int x) { return 2 * x; }
__global__ void k(int *p) { int format = 1; *p = twice(format); }
"""
    assert {"twice(int"} <= {*words(text)}
    assert "formatter" not in reduced(text)
