"""Kernels of classes: how they are named, which of them host code launches, and what of them is left out."""

import pytest

from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.launches import launched
from launchpath._compiler.extraction.unit import ParsedUnit, parse
from launchpath._compiler.kernels.instance import without_arguments
from launchpath._compiler.source import source as sources
from launchpath.errors import CompileError
from tests.unit.support.rtc import by_nvrtc, compiled, cuda, failed

SOURCE = """
template <class T, int N = 4> class Op {
 public:
  static __global__ void run(T *x) { *x = N; }
  template <class U> static __global__ void two(T *x, U u) { *x = u; }
};
struct Plain {
  static __global__ void k(int *x) { *x = 1; }
  template <class T> static __global__ void t(T *x) { *x = 1; }
};
"""


def read(text: str) -> ParsedUnit:
    return parse(sources.from_text(text, "user.cu"))


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("k", "k"), ("k<int>", "k"), ("Op<float>::run", "Op::run"), ("n::A<B<3>,4>::in<(5>4)>", "n::A::in"),
    ],
)  # fmt: skip
def test_names_without_arguments(name, without):
    assert without_arguments(name) == without


def test_kernels_of_classes_are_kernels():
    unit = read(SOURCE)
    assert list(unit.kernels) == ["Op::run", "Op::two", "Plain::k", "Plain::t"]
    assert unit.templates == {
        "Op<class T, int N = 4>::run": (), "Op<class T, int N = 4>::two": ("class U",), "Plain::t": ("class T",),
    }  # fmt: skip
    chosen = extracted.instances(unit, ["Op<float>::run", "::Op< float, 3 >::two<int>"])
    assert [each.expression for each in chosen] == [
        "&::Plain::k", "&::Op<float>::run", "&::Op< float, 3 >::two<int>",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Op::run", "add its arguments, as in 'Op<float>::run'"),
        ("Plain::t", "add its arguments, as in 'Plain::t<float>'"),
        ("Op<float>::missing", "has no kernel 'Op<float>::missing'"),
    ],
)
def test_names_that_are_none(name, message):
    with pytest.raises(CompileError, match=message):
        extracted.instances(read(SOURCE), [name])


def test_nothing_but_templates_of_classes():
    text = "template <class T> struct Op { static __global__ void run(T *x) { *x = 1; } };\nint main() {}"
    message = "nothing launches or names an instance: Op<class T>::run; name instances, as in names=['Op<float>::run']"
    assert message in failed(text)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("int main() { Op<float>::run<<<1, 1>>>(0); }", ["Op<float>::run"]),
        ("int main() { Op<int, 2>::two<<<1, 1>>>(nullptr, 3u); }", ["Op<int, 2>::two<unsigned int>"]),
        ("template <class T> void go() { Op<T, -7>::run<<<1, 1>>>(0); } int main() { go<char>(); go<long>(); }",
         ["Op<char, -7>::run", "Op<long, -7>::run"]),
        ("template class Op<double, 3>;", ["Op<double, 3>::run"]),
        ("int main() { missing(); Unknown u; auto k = Op<float>::run; k<<<1, 1>>>(0); }", ["Op<float>::run"]),
        ("int main() { Plain::t<<<1, 1>>>((short *)0); Plain::k<<<1, 1>>>(0); }", ["Plain::t<short>"]),
        ("template <class T> void go() { if constexpr (sizeof(T) > 9) Op<T>::run<<<1, 1>>>(0); } "
         "int main() { go<char>(); }", []),
    ],
)  # fmt: skip
def test_launches(code, names):
    assert launched.launched(read(SOURCE + code)) == (names, [])


@pytest.mark.compiles
def test_launches_that_cannot_be_found_are_warnings():
    text = """#define KERNEL(name) static __global__ void name(T *x) { *x = 1; }
template <class T> struct Made { KERNEL(run) static __global__ void other(T *x) { *x = 1; } };
int main() { struct {} *none = 0; Made<float>::run<<<1, 1>>>(0); Made<decltype(none)>::other<<<1, 1>>>(0); }
"""
    names, warnings = launched.launched(read(text))
    assert names == []
    assert [(message.line, message.text) for message in warnings] == [
        (2, "kernel 'Made<class T>::run' is skipped: its body is not in the text, so nothing finds its launches: "
            "name its instances"),
        (2, "kernel 'Made<class T>::other' is skipped: it is launched with template arguments that have no name"),
    ]  # fmt: skip


HIDDEN = "class Hidden { static __global__ void k(int *x) { *x = 1; } };\n__global__ void beside(int *x) { *x = 1; }"


@by_nvrtc
def test_nvrtc_compiles_kernels_of_classes():
    image = compiled(SOURCE, "Op<float>::run", "Plain::t<double>", to=cuda())
    assert [signature.name for _, signature in image.kernels] == ["Plain::k", "Op<float>::run", "Plain::t<double>"]


@by_nvrtc
def test_hidden_kernels_are_refused_for_nvrtc():
    image = compiled(HIDDEN, to=cuda())
    assert [signature.name for _, signature in image.kernels] == ["beside"]
    assert "warning: kernel 'Hidden::k' is private or protected in its class, which this device's" in image.log
    assert "error: kernel 'Hidden::k' is private or protected" in failed(HIDDEN, "Hidden::k", to=cuda())
