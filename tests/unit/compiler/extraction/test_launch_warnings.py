"""Instances by Clang's warnings about uses of kernels: the dump has the same, and is asked where they do not suffice."""

import threading

import pytest

from launchpath._compiler.clang import precompiled
from launchpath._compiler.extraction.launches import launched
from launchpath._compiler.extraction.launches.specialization import Specialization
from launchpath._compiler.extraction.launches.warnings import around, specializations
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.messages.log import Message
from launchpath._compiler.source.source import from_text

FILL = b"template <class T, int N> __global__ void fill(T *x) {}\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Keep precompiled headers, those of the C++ library among them, for all tests of this run."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("_times", {}), ("_files", {}), ("_is_on", [True])):
            patch.setattr(precompiled, name, value)
        patch.setenv("LAUNCHPATH_CACHE", "1")
        patch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))
        yield
        _wait()


def _wait():
    for thread in threading.enumerate():
        if "_precompile" in thread.name:
            thread.join()


def _warnings(*instances):
    text = "'{}' is deprecated [-Wdeprecated-declarations]"
    return [Message("a.hip", 1, 1, "warning", text.format(instance)) for instance in instances]


def _instances(messages, templates=("fill",), text=FILL):
    instances = specializations(messages, templates, {"a.hip": text}, "mark_")
    assert instances is None or all(isinstance(each, Specialization) and each.used for each in instances)
    return instances and [f"{each.name}<{each.arguments}>" for each in instances]


def test_each_instance_once_in_the_order_of_its_uses():
    uses = _warnings("mark_fill<ns::Row<int, 2>, 3U>", "mark_fill<float, 4>", "other<int>", "mark_fill<float, 4>", "k")
    assert _instances(uses) == ["fill<ns::Row<int, 2>, 3>", "fill<float, 4>"]
    assert _instances(uses, ("ns::fill",)) == ["ns::fill<ns::Row<int, 2>, 3>", "ns::fill<float, 4>"]


@pytest.mark.parametrize(
    ("arguments", "read"),
    [("", ""), ("const char *", "const char *"), ("float[3], 1ULL", "float[3], 1"), ("ns::E::b, true", "ns::E::b, true"),
     ("18446744073709551615UL", "18446744073709551615UL"), ("W<long, W<int, 3>>, -1L", "W<long, W<int, 3>>, -1")],
)  # fmt: skip
def test_arguments(arguments, read):
    assert _instances(_warnings(f"mark_fill<{arguments}>")) == [f"fill<{read}>"]


@pytest.mark.parametrize("argument", ["(lambda at a.hip:1:2)", "(anonymous namespace)::A", "'x'", "void (int)"])
def test_the_dump_knows_more_of_arguments(argument):
    assert _instances(_warnings(f"mark_fill<{argument}, 1>")) is None


@pytest.mark.parametrize(
    "text",
    [b"template __global__ void fill<int, 1>(int *);", b"void f() { if constexpr (sizeof(int) == 2) fill<int, 1>; }",
     b"template <auto N> __global__ void odd() {}",
     b"template <class T = W<int>, auto... N> static KERNEL void odd(T x) {}"],
)  # fmt: skip
def test_the_dump_knows_more_of_uses(text):
    assert _instances(_warnings("mark_fill<int, 1>"), text=FILL) == ["fill<int, 1>"]
    assert _instances(_warnings("mark_fill<int, 1>"), text=FILL + text) is None
    assert _instances(_warnings("mark_fill<int, 1>"), text=FILL + b'auto c = "//"; ' + text) is None
    comments = b"/* " + text + b"*/ // template for"
    assert _instances(_warnings("mark_fill<int, 1>"), text=FILL + comments) == ["fill<int, 1>"]


def test_the_dump_is_asked_after_errors_and_for_templates_that_may_be_named():
    use = _warnings("mark_fill<int, 1>")
    assert _instances([*use, Message("a.hip", 1, 1, "error", "no")]) is None
    other = b"// scale: fill, times a number\ntemplate <class T> __global__ void scale(T *x) {}\n"
    assert _instances(use, ("fill", "scale"), FILL + other) == ["fill<int, 1>"], "only a comment names it again"
    assert _instances(use, ("fill", "scale"), FILL + other + b"auto f = &scale<int>;") is None
    assert _instances([], ("fill",)) == []


def test_the_instances_around_uses():
    """Clang gives no notes for the second use in an instance, nor for one that is in no instance."""
    notes = {1: "'run<int>'", 3: "'S<int>::S'", 4: "'S<int>::run<W<float>>'", 5: "'operator<<<int>'"}
    messages = []
    for line in (1, 1, 2, 3, 4, 5):
        messages += [each._replace(line=line) for each in _warnings("mark_k<int>")]
        kind = "member function" if line == 3 else "function template specialization"
        if line in notes:
            text = f"in instantiation of {kind} {notes.pop(line)} requested here"
            messages.append(Message("a.hip", 9, 1, "note", text))
        messages.append(Message("a.hip", 1, 1, "note", "'mark_k<int>' has been explicitly marked deprecated here"))
    uses = around(messages, "k", "int", "mark_", lambda message: message.line)
    assert uses == [{"run": ["int"]}, {}, {"S<int>::run": ["W<float>"]}, {"operator<<": ["int"]}]


@pytest.mark.compiles
@pytest.mark.parametrize(("condition", "found"), [("", ["int", "double"]), ("if constexpr (sizeof(T) == 4) ", ["int"])])
@pytest.mark.parametrize("headers", [False, True])
def test_a_lambda_that_is_launched_outside_of_its_template(kept, monkeypatch, condition, found, headers):
    """The template tells the instance where it launches it too; else a warning tells that one is left out."""
    templates = """template <class F> __global__ void k(F f) { f(threadIdx.x); }
    template <class T> auto make(T n) { auto f = [=] __device__ (int i) { return i + (int)n; }; HERE; return f; }
    int main() { k<<<1, 1>>>(make(1)); k<<<1, 1>>>(make(2.)); }"""
    # Behind precompiled headers the parser shows each instance of `make`.
    monkeypatch.setattr(precompiled, "_is_on", [True] if headers else [])
    for _ in range(3 if headers else 1):  # until the headers of each kind of parse are there
        unit = parse(from_text(templates.replace("HERE", f"{condition}k<<<1, 1>>>(f)")))
        names, warnings = launched.launched(unit)
        _wait()
    assert names == [f"k<lambda_2<{argument}>>" for argument in found]
    assert [warning.text.partition(": ")[2] for warning in warnings] == ["it is skipped"] * (2 - len(found))


def test_the_dump_tells_templates_of_one_name_apart():
    assert _instances(_warnings("mark_fill<int, 1>"), ("a::fill", "b::fill")) is None


@pytest.fixture
def library(kept, monkeypatch):
    """A function that reads a program: whether with the library precompiled, its launches, and Clang's commands."""
    inner = launched.clang

    def read(beside, source):
        modes = []
        monkeypatch.setattr(launched, "clang", lambda *run: (modes.append(run[3]), inner(*run))[1])
        monkeypatch.setattr(precompiled, "_is_on", [True] if beside else [])
        # The first time for a device or a language, headers are precompiled for the second.
        for _ in range(2 if beside else 1):
            unit = parse(source)
            names = launched.launched(unit)[0]
            _wait()
        return unit.reads_library, names, modes

    return read


@pytest.mark.compiles
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("launches", "dumps"),
    [
        ("fill<<<1, 1>>>(x, n); fill<unsigned><<<1, 1>>>(0, n);", False),
        ("hipLaunchKernelGGL((ns::pair<Row, 3u, ns::E::b, int, W<long>>), 1, 1, 0, 0);", False),
        ("launch<short>(nullptr); launch(x);", False),
        ("pick<0><<<1, 1>>>();", True),  # a parameter `auto`
        ("each<<<1, 1>>>([=] __device__ (int i) { return i + n; }, x);", True),
        ("if constexpr (sizeof(int) == 4) fill<<<1, 1>>>(x, n); else fill<char><<<1, 1>>>(0, n);", True),
    ],
)
def test_launches_are_the_same_with_the_library_precompiled(library, launches, dumps):
    templates = {
        "ns::": """struct Row { int x; };
            template <class T> struct W { T x; };
            namespace ns {
            enum class E { a, b };
            template <class T, unsigned N, E e, class... R> __global__ void pair() { static_assert(N < 4); }
            }""",
        "fill": "template <class T> __global__ void fill(T *x, int n) { x[n] = T(1); }",
        "launch": """template <class T> __global__ void half(T *x) {}
            template <class T> void launch(T *x) { half<T><<<1, 1>>>(x); }""",
        "each": "template <class F> __global__ void each(F f, float *x) { x[0] = f(threadIdx.x); }",
        "pick": "template <auto V> __global__ void pick() {}",
    }
    chosen = "\n".join(text for name, text in templates.items() if name in launches)
    source = from_text(f"#include <vector>\n{chosen}\nint main() {{ float *x = nullptr; int n = 3; {launches} }}\n")
    alone, by_dump, _ = library(False, source)
    beside, again, modes = library(True, source)
    assert (alone, beside) == (False, True)
    assert again == by_dump != []
    assert any(option.startswith("-ast-dump") for option in modes[-1]) is dumps
