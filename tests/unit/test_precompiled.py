"""Precompiled headers change nothing but time: the same code, the same messages, and none where they cannot be used."""

from __future__ import annotations

import threading

import pytest

from launchpath._compiler import frontend, precompiled, run
from launchpath._compiler.source import from_text

KERNEL = "__global__ void k(float4 *x, int n) { x[threadIdx.x].w += __popc(n) + M; }\n"
CALL = 'extern "C" __attribute__((global)) void entry(float4 *x, int n) { k(x, n); }\n'


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """Precompile in this process, in a folder of its own; the commands that Clang is started with."""
    seen = []
    inner = run._run

    def note(source, command, text=b""):
        seen.append(command)
        return inner(source, command, text)

    monkeypatch.setattr(precompiled, "_times", {})
    monkeypatch.setattr(precompiled, "_files", {})
    monkeypatch.setattr(precompiled, "_is_on", [True])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("LAUNCHPATH_CACHE", "0")
    monkeypatch.setattr(run, "_run", note)
    return seen


def _compile(text=KERNEL + CALL, standard="c++17", **around):
    source = from_text(text, defines={"M": 3}, standard=standard, **around)
    outcome = run.clang(source, {source.path: source.text}, {"__LP_FLAT__": None}, frontend.SPIRV)
    for thread in threading.enumerate():
        if "_precompile" in thread.name:
            thread.join()
    return outcome


def _uses(command):
    return "-include-pch" in command


def test_from_the_third_compilation_of_a_kind_on(commands):
    outcomes = [_compile() for _ in range(4)]
    assert [_uses(command) for command in commands] == [False, False, True, True]
    assert all(outcome.succeeded and outcome == outcomes[0] for outcome in outcomes)
    _compile(standard="c++20")
    assert not _uses(commands[-1]), "another kind"


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


def test_headers_of_the_callers_may_come_before_ours(commands, tmp_path):
    for _ in range(3):
        _compile(include_paths=[tmp_path])
        _compile(headers={"a.h": ""})
    assert not any(map(_uses, commands))
    assert precompiled._files == {}


@pytest.mark.parametrize("command", ["/bin/false", "/nowhere/clang"])
def test_where_it_cannot_be_made_compilations_go_on(commands, monkeypatch, command):
    inner = precompiled.run
    monkeypatch.setattr(precompiled, "run", lambda arguments, timeout: inner([command, *arguments], timeout=timeout))
    assert all(_compile().succeeded for _ in range(3))
    assert not any(map(_uses, commands))


def test_only_the_process_that_compiles_precompiles(commands, monkeypatch):
    monkeypatch.setattr(precompiled, "_is_on", [])
    assert all(_compile().succeeded for _ in range(3))
    assert not any(map(_uses, commands))
