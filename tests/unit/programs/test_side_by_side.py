"""Programs that are compiled side by side."""

import _thread
import itertools
import threading
import time

import pytest

import launchpath as lp
from launchpath._compiler.process import pool
from launchpath._programs import side_by_side
from tests.simulated import Machine

MIX = "__global__ void mix(unsigned *x, int n) { x[N] = n; }\n"


@pytest.mark.compiles
def test_programs_come_in_their_order(machine: Machine, tmp_path) -> None:
    file = tmp_path / "mix.cu"
    file.write_text("__global__ void mix(float *inFile) {}")
    sources = [f"__global__ void mix(unsigned *x, int n{number}) {{ *x = n{number}; }}" for number in range(3)]
    programs = lp.compile_all([*sources, file, {"source": MIX, "defines": {"N": 3}}], machine.device)
    assert [str(program.mix.signature) for program in programs] == [
        "mix(unsigned int *x, int n0)",
        "mix(unsigned int *x, int n1)",
        "mix(unsigned int *x, int n2)",
        "mix(float *inFile)",
        "mix(unsigned int *x, int n)",
    ]
    assert {program.device for program in programs} == {machine.device}
    assert lp.compile_all([], machine.device) == []


@pytest.mark.compiles
def test_all_end_before_the_first_error_is_raised(machine: Machine, monkeypatch) -> None:
    ended = []
    inner = side_by_side.compile

    def noted(**arguments):
        try:
            return inner(**arguments)
        finally:
            ended.append(arguments["name"])

    monkeypatch.setattr(side_by_side, "compile", noted)
    sources = [("a", MIX), ("b", "odd kernel;"), ("c", MIX), ("d", "__global__ int mix() {}"), ("e", MIX)]
    with pytest.raises(lp.CompileError, match="^b:1:1: error: unknown type name") as caught:
        lp.compile_all([{"source": source, "name": name} for name, source in sources], machine.device)
    assert sorted(ended) == ["a", "b", "c", "d", "e"]
    first, other = caught.value.__notes__
    assert first == "compile_all: program 1 of 5 (counted from 0)"
    assert other.startswith("program 3 fails, too: CompileError: d:1:16: error: kernel 'mix' must return void")


@pytest.mark.parametrize("sources", ["__global__ void k() {}", {"source": MIX}, 5])
def test_a_single_source_is_not_a_list(machine: Machine, sources) -> None:
    with pytest.raises(TypeError, match="expected a list of sources, got .*: for a single one use compile"):
        lp.compile_all(sources, machine.device)


def test_an_item_that_is_no_source(machine: Machine) -> None:
    with pytest.raises(TypeError, match=r"sources\[1\]: expected a source .*, got 5"):
        lp.compile_all([MIX, 5], machine.device)
    with pytest.raises(TypeError, match="file_name"):
        lp.compile_all([{"file_name": "a.cu"}], machine.device)


@pytest.mark.compiles
def test_an_interrupt_ends_the_compilers(machine: Machine, monkeypatch) -> None:
    threads = []
    before = threading.enumerate()
    interrupts = itertools.count()

    def unanswered(worker, _request, _name, _seconds):
        """Wait for the answer to a request that was never sent: only the end of the process ends that."""
        threads.append(threading.current_thread())
        if worker._socket is None:
            worker._start()
        if next(interrupts) == 0:  # a second interrupt might come after the first was caught, here in the test
            _thread.interrupt_main()
        if not worker._receive(None, 1):
            raise worker._death("nobody")

    monkeypatch.setattr(pool.Worker, "ask", unanswered)
    with pytest.raises(KeyboardInterrupt):
        lp.compile_all([MIX] * 10, machine.device)
    # A thread that was between two stages never asks, and it is busy for a moment longer.
    end = time.monotonic() + 60
    while {*threading.enumerate()} - {*before} and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(thread.is_alive() for thread in threads)
    assert len(threads) <= pool.processors()
    assert pool._busy == {}


def test_a_thread_between_two_stages_is_cancelled_too(machine: Machine, monkeypatch) -> None:
    """No process belongs to the thread when `cancel` looks for it: the next stage must not begin."""
    outcomes = []
    inner = pool._take

    def cancelled_before_its_worker_is_known():
        pool.cancel([threading.current_thread()])
        return inner()

    def program(source):
        try:
            lp.compile(source, device=machine.device)
        except lp.CompileError as error:
            outcomes.append(str(error))

    def two_programs():
        program("__global__ void between(unsigned *x) { *x = " + unique + "; }")
        program("__global__ void after(unsigned *x) { *x = " + unique + "; }")

    unique = str(time.time_ns() % 2**31)  # nothing of it is in the cache
    monkeypatch.setattr(pool, "_take", cancelled_before_its_worker_is_known)
    thread = threading.Thread(target=two_programs)
    thread.start()
    thread.join(60)
    assert [outcome.partition(": ")[2] for outcome in outcomes] == ["the compilation was cancelled"] * 2
