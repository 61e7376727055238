"""GNU's statement expressions become lambdas where NVRTC compiles."""

import pytest

from launchpath._compiler.rtc.text.statement_expressions import as_lambdas
from tests.unit.support.rtc import by_nvrtc, compiled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = ({ int a = 1; a + 2; });", "x = ([&]{ int a = 1; return a + 2; }());"),
        (
            "#define m(a) \\\n  ({ T _a = (a); \\\n _a; })",
            "#define m(a) \\\n  ([&]{ T _a = (a); \\\n return _a; }());"[:-1],
        ),
        ("({ f(); });", "([&]{ return f(); }());"),
        ("({ int y = 3; });", "([&]{ int y = 3; }());"),
        ("({ if (a) b(); });", "([&]{ if (a) b(); }());"),
        ("({ for (;;) { a(); } });", "([&]{ for (;;) { a(); } }());"),
        ("({ for (;;) { a(); } a; });", "([&]{ for (;;) { a(); } return a; }());"),
        ("({ sizeof x; });", "([&]{ return sizeof x; }());"),
        ("({ int a = ({ 1; }); a; });", "([&]{ int a = ([&]{ return 1; }()); return a; }());"),
        ("({ auto f = [] { return 1; }; f(); });", "([&]{ auto f = [] { return 1; }; return f(); }());"),
        ("({ typeof(a) _a = (a); _a; })", "([&]{ auto _a = (a); return _a; }())"),
        ("({ typeof(a) _b = (b); _b; })", "([&]{ typeof(a) _b = (b); return _b; }())"),
        # Lists in braces, and what is no code.
        ("f({1, 2});", "f({1, 2});"),
        ("f({}); g({[] { return 1; }});", "f({}); g({[] { return 1; }});"),
        ("f({1}, {2; });", "f({1}, {2; });"),
        ('s = "({ 1; })"; // ({ 1; })', 's = "({ 1; })"; // ({ 1; })'),
        ("({ 1; ", "({ 1; "),
    ],
)
def test_text(text, expected):
    assert as_lambdas(text.encode()).decode() == expected


@by_nvrtc
def test_macros_of_gnus():
    text = """
#define max(a, b) ({ __typeof__(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
__device__ int limit = 3;
template <class T> __global__ void k(T *p, int n) {
  const T c = 3;
  int &r = n;
  p[max(threadIdx.x, 1)] = max(r, n) + max(1, max(c, p[3])) + ({ T sum = 0; for (int i = 0; i < 3; i++) sum += p[i]; sum; });
  ({ p[0] = max(limit, 2); });
}
int main() { k<<<1, 1>>>((float *)nullptr, 3); }
"""
    assert [signature.name for _, signature in compiled(text).kernels] == ["k<float>"]
