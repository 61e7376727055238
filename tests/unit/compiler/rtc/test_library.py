"""NVRTC and hipRTC as libraries: what is not one of them, and what they refuse."""

import threading
import time
import warnings
from contextlib import ExitStack

import pytest

from launchpath._compiler.rtc.library import library_file, stack_limit
from launchpath._compiler.rtc.library.library import Library, Program, load
from launchpath.errors import CompileError
from tests.standin.build import compile_c
from tests.unit.support.rtc import by_nvrtc, cuda, hip, needs_hiprtc

LIBC = "libc.so.6"


def program(text, *options, expressions=(), kind="cubin"):
    return Program(text, "k.cu", {}, list(options), list(expressions), kind)


def test_no_library(tmp_path):
    path = tmp_path / "libnvrtc.so.13"
    path.write_bytes(b"no library")
    with pytest.raises(CompileError, match=r"libnvrtc.so.13 cannot be loaded: "):
        Library(library_file.LibraryFile("cuda", str(path), 13))


def test_another_library():
    with pytest.raises(CompileError, match="libc.so.6 is not a nvrtc library: it has no function for compiling"):
        Library(library_file.LibraryFile("cuda", LIBC, 13))
    with pytest.raises(CompileError, match="is not a hiprtc library"):
        Library(library_file.LibraryFile("hip", LIBC, 7))


@pytest.mark.processes
def test_other_threads_go_on_while_a_library_is_opened(tmp_path):
    source, path = tmp_path / "slow.c", tmp_path / "libslow.so"
    source.write_text("#include <unistd.h>\n__attribute__((constructor)) static void wait(void) { usleep(500000); }\n")
    assert not compile_c("-shared", "-fPIC", "-o", path, source).returncode
    begun = threading.Event()

    def opened():
        begun.set()
        with pytest.raises(CompileError, match="is not a nvrtc library"):
            Library(library_file.LibraryFile("cuda", str(path), 13))

    thread = threading.Thread(target=opened)
    thread.start()
    begun.wait()
    turns = 0
    while thread.is_alive():
        time.sleep(0.01)
        turns += 1
    assert turns > 5


@by_nvrtc
def test_nvrtc():
    library = load(library_file.choose(cuda()))
    assert library.version >= (11, 0)
    assert 80 in library.architectures
    result = library.compile(program("__global__ void k() {}", "--gpu-architecture=sm_80", expressions=["&k"]))
    assert (result.succeeded, result.names) == (True, {"&k": "_Z1kv"})
    assert result.code.startswith(b"\x7fELF")
    result = library.compile(program("__global__ void k() { q; }", "--gpu-architecture=sm_80"))
    assert not result.succeeded
    assert 'identifier "q" is undefined' in result.log


@pytest.fixture
def limits():
    """The limits of the process's stack, where another than NVRTC's is set."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, before[1]))
    yield resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, before)


@by_nvrtc
def test_the_limit_of_the_stack_stays_after_a_fatal_error(limits):
    import resource

    result = load(library_file.choose(cuda())).compile(program("#include <not_here.h>", "--gpu-architecture=sm_80"))
    assert "not_here.h" in result.log
    assert resource.getrlimit(resource.RLIMIT_STACK) == limits


def test_the_limit_of_the_stack_stays_where_two_compile_at_once(limits):
    import resource

    none = limits[1], limits[1]
    first, second = ExitStack(), ExitStack()
    first.enter_context(stack_limit.guard)
    resource.setrlimit(resource.RLIMIT_STACK, none)
    second.enter_context(stack_limit.guard)
    resource.setrlimit(resource.RLIMIT_STACK, limits)
    first.close()
    resource.setrlimit(resource.RLIMIT_STACK, none)  # which the second has found
    second.close()
    assert resource.getrlimit(resource.RLIMIT_STACK) == limits


def test_a_limit_of_the_stack_that_the_system_refuses_is_told_once(limits, monkeypatch):
    import resource

    def compile_and_lose_the_limit():
        with guard:
            resource.setrlimit(resource.RLIMIT_STACK, lost)
            monkeypatch.setattr(resource, "setrlimit", refuse)
        monkeypatch.undo()
        resource.setrlimit(resource.RLIMIT_STACK, limits)

    def refuse(*_):
        raise ValueError("current limit exceeds maximum limit")

    guard, lost = stack_limit._StackLimitGuard(), (16 << 20, limits[1])
    message = "expected 8,388,608 bytes again after NVRTC, got 16,777,216 bytes, because .* exceeds maximum limit"
    with pytest.warns(RuntimeWarning, match=message):
        compile_and_lose_the_limit()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile_and_lose_the_limit()


def test_a_warning_about_the_stack_fails_no_compilation(limits, monkeypatch):
    import resource

    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    guard = stack_limit._StackLimitGuard()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("error")
        with guard:
            resource.setrlimit(resource.RLIMIT_STACK, (16 << 20, limits[1]))
            monkeypatch.setattr(resource, "setrlimit", refuse)
        monkeypatch.undo()
    assert ["Operation not permitted" in str(warning.message) for warning in told] == [True]


@by_nvrtc
def test_a_wrong_option_is_in_the_log():
    result = load(library_file.choose(cuda())).compile(program("__global__ void k() {}", "--gpu-architecture=sm_1"))
    assert not result.succeeded
    assert "gpu-architecture" in result.log


@needs_hiprtc
def test_hiprtc_names_overloads_too():
    library = load(library_file.choose(hip()))
    text = "__global__ void k(int *p) { *p = 1; }\n__global__ void k(float *p) { *p = 1; }\n"
    text += "namespace { __global__ void hidden(int *p) { *p = 2; } }"
    expressions = ["static_cast<void (*)(int *)>(&k)", "static_cast<void (*)(float *)>(&k)", "&hidden"]
    result = library.compile(program(text, "--offload-arch=gfx90a", expressions=expressions, kind="hsaco"))
    assert [*result.names.values()] == ["_Z1kPi", "_Z1kPf", "_ZN12_GLOBAL__N_16hiddenEPi"]
