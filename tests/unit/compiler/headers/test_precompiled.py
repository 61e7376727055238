"""Precompiled headers change nothing but time: the same code, the same messages, and none where they cannot be used."""

import os
import shutil
import threading

import pytest

from launchpath._compiler.clang import frontend, precompiled, run
from launchpath._compiler.extraction.launches import launched
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.source.source import from_text

pytestmark = pytest.mark.compiles

KERNEL = "__global__ void k(float4 *x, int n) { x[threadIdx.x].w += __popc(n) + M; }\n"
CALL = 'extern "C" __attribute__((global)) void entry(float4 *x, int n) { k(x, n); }\n'


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """Precompile in this process, in a folder of its own; the commands that Clang is started with."""
    seen = []
    inner = run.start

    def note(source, command, text=b"", meanwhile=None):
        seen.append(command)
        return inner(source, command, text, meanwhile)

    monkeypatch.setattr(precompiled, "_times", {})
    monkeypatch.setattr(precompiled, "_files", {})
    monkeypatch.setattr(precompiled, "_is_on", [True])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    monkeypatch.setattr(run, "start", note)
    return seen


def _compile(text=KERNEL + CALL, standard="c++17", **around):
    source = from_text(text, defines={"M": 3}, standard=standard, **around)
    outcome = run.clang(source, {source.path: source.text}, {"__LP_FLAT__": None}, frontend.SPIRV)
    _join()
    return outcome


def _join():
    for thread in threading.enumerate():
        if "_precompile" in thread.name:
            thread.join()


def _uses(command):
    return "-include-pch" in command


def test_from_the_third_compilation_of_a_kind_on(commands):
    outcomes = [_compile() for _ in range(4)]
    assert [_uses(command) for command in commands] == [False, False, True, True]
    assert all(outcome.succeeded and outcome == outcomes[0] for outcome in outcomes)
    _compile(standard="c++20")
    assert not _uses(commands[-1]), "another kind"


@pytest.mark.sample(2)
@pytest.mark.parametrize("line", ["int x = y;", "#error told", "int f() { }", "static_assert(sizeof(float4) == 4);"])
def test_messages_are_the_same(commands, line):
    first, _, third = (_compile(f"{KERNEL}\n  {line}\n") for _ in range(3))
    assert _uses(commands[-1])
    assert third.messages == first.messages != []
    assert third.messages[0].line == 3


@pytest.mark.parametrize("text", [KERNEL + CALL, '#include "cuda_runtime.h"\n' + KERNEL + CALL], ids=["hip", "cuda"])
def test_each_language_has_its_own(commands, text):
    outcomes = [_compile(text) for _ in range(3)]
    assert _uses(commands[-1])
    assert outcomes[0] == outcomes[2]


@pytest.mark.sample(1)
@pytest.mark.parametrize("damage", [b"", b"CPCH", b"x" * 1000], ids=["empty", "short", "foreign"])
def test_a_damaged_file_is_done_without(commands, damage):
    first, _ = _compile(), _compile()
    ((file, _),) = precompiled._files.values()
    with open(file, "wb") as opened:
        opened.write(damage)
    assert _compile() == first
    assert [_uses(command) for command in commands[2:]] == [True, False]
    assert _compile() == first
    assert not _uses(commands[-1]), "it is not tried again"


def test_a_header_that_has_changed_since_is_read_anew(commands, monkeypatch, tmp_path):
    headers = tmp_path / "headers" / "launchpath"
    headers.mkdir(parents=True)
    (headers / "device.h").write_text("#include_next <launchpath/device.h>\n#define ADDED 1\n")
    monkeypatch.setattr(frontend, "HEADERS", (str(headers.parent), *frontend.HEADERS))
    text = KERNEL + CALL + "static_assert(ADDED == VALUE);"
    source = {"text": text.replace("VALUE", "1")}
    assert [_compile(**source).succeeded for _ in range(3)] == [True] * 3
    (headers / "device.h").write_text("#include_next <launchpath/device.h>\n#define ADDED 22\n")
    assert _compile(text.replace("VALUE", "22")).succeeded
    assert [_uses(command) for command in commands[-2:]] == [True, False]


@pytest.mark.parametrize(
    "around", [{"include_paths": ["own"]}, {"headers": {"a.h": ""}}, {"headers": {"sub/vector": ""}}], ids=str
)
def test_headers_of_the_caller_that_hide_nothing(commands, monkeypatch, tmp_path, around):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.h").touch()
    first, *_, last = (_compile(**around) for _ in range(3))
    assert first == last
    assert [_uses(command) for command in commands] == [False, False, True]
    _compile()
    assert _uses(commands[-1]), "the kind is the same without them"


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["launchpath/types.h", "launchpath/own.h", "xlocale.h"])
@pytest.mark.parametrize("as_text", [False, True], ids=["file", "text"])
def test_headers_of_the_caller_that_may_hide_ours(commands, tmp_path, name, as_text):
    _compile(), _compile()
    (tmp_path / "own" / name).parent.mkdir(parents=True)
    (tmp_path / "own" / name).touch()
    _compile(**({"headers": {name: ""}} if as_text else {"include_paths": [tmp_path / "own"]}))
    assert not _uses(commands[-1])
    _compile(include_paths=[tmp_path / "nowhere"])
    assert _uses(commands[-1])


@pytest.mark.parametrize(("name", "is_hidden"), [("cmath", True), ("bits/own.h", True), ("memory.h", False)])
def test_headers_of_the_caller_and_those_that_the_hosts_headers_read(commands, tmp_path, name, is_hidden):
    (tmp_path / "own" / name).parent.mkdir(parents=True)
    (tmp_path / "own" / name).touch()
    source = from_text(KERNEL, include_paths=[tmp_path / "own"])
    for _ in range(2):
        precompiled.find(source, frontend.HOST, ("-fsyntax-only",))
    _join()
    assert (precompiled.find(source, frontend.HOST, ("-fsyntax-only",)) is None) == is_hidden
    assert precompiled.find(from_text(KERNEL), frontend.HOST, ("-fsyntax-only",)) is not None


def test_a_header_of_the_caller_that_hides_ours_is_read(commands, tmp_path):
    (tmp_path / "own" / "launchpath").mkdir(parents=True)
    (tmp_path / "own" / "launchpath" / "device.h").write_text("#include_next <launchpath/device.h>\n#define M2 7\n")
    text = KERNEL + CALL + "static_assert(M2 == 7);"
    assert [_compile(text, include_paths=[tmp_path / "own"]).succeeded for _ in range(3)] == [True] * 3


@pytest.mark.parametrize("command", ["/bin/false", "/nowhere/clang"])
def test_where_it_cannot_be_written_compilations_go_on(commands, monkeypatch, command):
    inner = precompiled.run
    monkeypatch.setattr(precompiled, "run", lambda arguments, **options: inner([command, *arguments], **options))
    assert all(_compile().succeeded for _ in range(3))
    assert not any(map(_uses, commands))


def test_only_the_process_that_compiles_precompiles(commands, monkeypatch):
    monkeypatch.setattr(precompiled, "_is_on", [])
    assert all(_compile().succeeded for _ in range(3))
    assert not any(map(_uses, commands))


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """Keep what is precompiled; a function that begins a new process, as far as that is known here."""
    monkeypatch.setenv("LAUNCHPATH_CACHE", "1")
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path / "cache"))

    def begin():
        for folder in tmp_path.glob("precompiled-*"):  # the files of a process end with it
            shutil.rmtree(folder)
        monkeypatch.setattr(precompiled, "_times", {})
        monkeypatch.setattr(precompiled, "_files", {})

    return begin


def test_later_processes_have_it_from_the_first_compilation_on(commands, kept):
    first, second = _compile(), _compile()
    assert [_uses(command) for command in commands] == [False, True], "made the first time"
    kept()
    third = _compile()
    assert _uses(commands[-1])
    assert first == second == third


@pytest.mark.parametrize("keep", [0, 1000], ids=["start", "later"])
def test_what_is_kept_and_damaged_is_done_without(commands, kept, tmp_path, keep):
    first = _compile()
    kept()
    ((file),) = (tmp_path / "cache" / "precompiled").glob("*.attached")
    data = file.read_bytes()
    file.write_bytes(data[:keep].ljust(len(data), b"\xff"))
    assert _compile() == first
    assert [_uses(command) for command in commands[1:]] == [True, False]
    assert _compile() == first


def test_what_is_kept_and_cut_is_not_used(commands, kept, tmp_path):
    first = _compile()
    kept()
    ((file),) = (tmp_path / "cache" / "precompiled").glob("*.attached")
    os.truncate(file, 5000)
    assert [_compile(), _compile()] == [first, first]
    assert [_uses(command) for command in commands[1:]] == [False, True], "precompiled again"


def test_what_is_kept_can_be_removed_while_it_is_used(commands, kept, tmp_path):
    first = _compile()
    kept()
    assert _compile() == first
    shutil.rmtree(tmp_path / "cache")
    assert _compile() == first
    assert [_uses(command) for command in commands[1:]] == [True, True]


LIBRARY = "#include <vector>\n#include <string>\n"
PROGRAM = """
template <class T> __global__ void fill(T *x, int n) { x[n] = T(1); }
struct Rows { std::vector<std::string> names; };
int main() { Rows rows; float *x = nullptr; fill<<<1, 1>>>(x, int(rows.names.size())); fill<double><<<1, 1>>>(0, 1); }
"""


def _launched(text, times=3):
    """Read a program some times: how often with the library precompiled, and what it launches."""
    results = []
    for _ in range(times):
        unit = parse(from_text(text))
        results.append((unit.reads_library, *launched.launched(unit)[0]))
        _join()
    return results


def test_programs_are_read_with_the_library_precompiled(commands, kept):
    first, *others = _launched(LIBRARY + PROGRAM)
    assert first == (False, "fill<float>", "fill<double>")
    assert others == [(True, "fill<float>", "fill<double>")] * 2
    assert [_uses(command) for command in commands] == [False, True, True]
    kept()
    assert _launched(LIBRARY + PROGRAM, times=1) == others[:1]
    # A name of the library's that the program has for itself, and did not include.
    own = "using namespace std;\ntemplate <class T> struct array { T x; };\n__global__ void k(array<int> a) {}\n"
    assert _launched(LIBRARY + own + PROGRAM, times=1) == [(False, "fill<float>", "fill<double>")]
    # A macro of the library's on which the text depends.
    depends = "#ifndef INT_MAX\n#define INT_MAX 5\n#endif\n"
    assert _launched(LIBRARY + depends + PROGRAM, times=1) == [(False, "fill<float>", "fill<double>")]


def test_damage_to_what_the_parser_has_precompiled(commands, kept):
    text = "__global__ void k(float4 *x) {}\n"
    parse(from_text(text))
    _join()
    assert len(precompiled._files) == 1
    ((file, _),) = precompiled._files.values()
    with open(file, "wb") as opened:
        opened.write(b"CPCH")
    assert list(parse(from_text(text)).kernels) == ["k"]
    assert precompiled._files == {}
