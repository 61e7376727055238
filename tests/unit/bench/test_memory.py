"""``launchpath bench memory``: what is measured, what must hold, peers, and the tables of docs/figures.md."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from benchmarks import memory_tables
from benchmarks.peers import cupy, torch
from launchpath._bench import Figure, Result, Row, memory
from launchpath._bench.measure import Size
from launchpath._bench.memory.figures import (
    MEDIUM,
    SMALL,
    TEMPORARY,
    Amount,
    add_figures,
    allocating,
    copying,
    rates,
    required,
    sized,
    temporary,
)
from launchpath._bench.memory.subjects import Host
from launchpath._bench.peer import Missing
from launchpath._bench.table import describe
from tests.command import run
from tests.python import python
from tests.standin.build import FOLDER, compile_c, environment

CPUS = [device for device in lp.devices() if device.info["driver"] == "opencl"]
needs_cpu = pytest.mark.skipif(not CPUS, reason="no OpenCL device")
LITTLE = ("--blocks", "2", "--launches", "1", "--json", "-")


# --- runs


def check(data: dict[str, Any]) -> None:
    assert data["benchmark"] == "memory"
    for row in data["rows"]:
        assert set(row) - {"held"} == {"subject", "case", "us", "us_min", "us_max", "runs", "blocks"}
        assert set(row["case"]) >= {"operation", "bytes"}
        assert 0 < row["us_min"] <= row["us"] <= row["us_max"]
        assert row["runs"] == len(row["blocks"]) == 2
        assert ("held" in row) == (row["case"]["operation"] == "temporaries")
        assert describe(row["case"])


def keys(data: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(row["subject"], row["case"]) for row in data["rows"]]


@needs_cpu
def test_a_cpu_device():
    done = run("bench", "memory", "--device", str(lp.devices().index(CPUS[0])), *LITTLE, "--check")
    data, amount = json.loads(done.stdout), Amount.of(gpu=False, launches=1)
    check(data)
    assert {subject for subject, _ in keys(data)} == {"launchpath"}
    assert all(each.row in keys(data) for each in required(amount))
    for requirement in ("at most 1.00 us", "at most 1.50 x", "at most 0.60 us", "at most 1.00 blocks", " GB/s"):
        assert requirement in done.stderr
    for subject in ("c", "cupy", "torch"):
        assert f"skipped: {subject}: it is measured on CUDA and HIP devices only" in done.stderr


FILL = """
#include <string.h>
#include "cuda/standin.h"
int _Z4fillPffi(const standin_launch *launch, const unsigned char *bytes) {
    float *data, value;
    memcpy(&data, bytes, 8), memcpy(&value, bytes + 8, 4);
    data[0] = value;
    return (void)launch, 0;
}
"""


@pytest.mark.processes
def test_a_cuda_device(tmp_path):
    (tmp_path / "fill.c").write_text(FILL)
    built = compile_c("-shared", "-fPIC", f"-I{FOLDER}", "-o", tmp_path / "fill.so", tmp_path / "fill.c")
    assert built.returncode == 0, built.stderr
    variables = {**os.environ, **environment("cuda", devices=1), "STANDIN_KERNELS": str(tmp_path / "fill.so")}
    for module in ("cupy", "torch"):  # not those of a machine that has them
        (tmp_path / module).mkdir()
        (tmp_path / module / "__init__.py").write_text(f"raise ImportError('no {module} here')")
    variables["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *filter(None, [variables.get("PYTHONPATH")])])
    done = python("-m", "launchpath", "bench", "memory", "--device", "cuda", *LITTLE, env=variables)
    data = json.loads(done.stdout)
    check(data)
    assert {subject for subject, _ in keys(data)} == {"launchpath", "c"}
    for each in required(Amount.of(gpu=True, launches=1)):
        for key in (each.row, each.to):
            assert key is None or key[0] in ("cupy", "torch") or key in keys(data)
    assert "skipped: cupy: not installed (no cupy here): `pip install cupy-cuda13x`" in done.stderr
    assert "skipped: torch: not installed (no torch here): `pip install torch`" in done.stderr


@needs_cpu
def test_arrays_that_do_not_wait_are_an_error(monkeypatch):
    monkeypatch.setattr(CPUS[0].__class__, "memory_info", lambda self: dict.fromkeys(("waiting", "in_use"), 0))
    with pytest.raises(RuntimeError, match="expected 62 freed arrays to wait"):
        memory.run(CPUS[0], Size(1, 1))


# --- peers, over modules that do the same in NumPy


class FakeArray:
    """An array of CuPy, and a tensor of torch."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def set(self, host: Any) -> None:
        self.values[:] = host

    def get(self, out: Any = None) -> Any:
        if out is None:
            return self.values.copy()
        out[:] = self.values
        return out

    def copy_(self, other: FakeArray, non_blocking: bool = False) -> None:
        self.values[:] = other.values

    def cpu(self) -> FakeArray:
        return FakeArray(self.values.copy())

    def fill(self, value: float) -> None:
        self.values[:] = value

    fill_ = fill


def fake_empty(count: int, kind: Any = None, dtype: Any = None, device: Any = None) -> FakeArray:
    return FakeArray(np.empty(count, "float32"))


STREAM = SimpleNamespace(synchronize=lambda: None)
POOL = SimpleNamespace(total_bytes=lambda: 5, free_all_blocks=lambda: None)
CUPY = SimpleNamespace(
    __version__="14",
    empty=fake_empty,
    cuda=SimpleNamespace(get_current_stream=lambda: STREAM),
    get_default_memory_pool=lambda: POOL,
)
TORCH = SimpleNamespace(
    __version__="2",
    float32="float32",
    empty=fake_empty,
    device=lambda name: name,
    from_numpy=FakeArray,
    cuda=SimpleNamespace(current_stream=lambda: STREAM, memory_reserved=lambda place: 5, empty_cache=lambda: None),
)


@pytest.fixture(params=[cupy.CuPyMemory, torch.TorchMemory])
def peer(request, monkeypatch):
    monkeypatch.setattr(cupy, "cupy_on", lambda device: CUPY)
    monkeypatch.setattr(torch, "torch_on", lambda device: TORCH)
    device = CPUS[0]
    facts = SimpleNamespace(info={"ordinal": 0})
    with device:
        host = Host(device, (SMALL, MEDIUM))
        host.device = facts
        yield request.param(host), host


@needs_cpu
def test_a_peer_allocates_and_copies(peer):
    subject, host = peer
    memory._check(subject, host)
    for case in [("in", SMALL, True, False), ("new", SMALL, False, True)]:
        assert subject.copy(*case)([0, 1]) > 0
    assert subject.allocate()([0]) > 0
    assert subject.temporaries("fill")([0]) > 0
    assert subject.temporaries("kernel") is None
    assert subject.held() == 5
    subject.synchronize()
    subject.trim()


@needs_cpu
def test_a_peer_whose_copies_do_nothing_is_missing(peer, monkeypatch):
    subject, host = peer
    monkeypatch.setattr(subject, "copy", lambda *case: lambda values: 1)
    with pytest.raises(Missing, match="a copy of 4096 bytes in and out gives other values"):
        memory._check(subject, host)


# --- figures


def rows(amount: Amount, own: float, other: float, held: int | None) -> list[Row]:
    """Give a row for each that a figure needs: launchpath's takes `own` microseconds, another's `other`."""
    measured: dict[str, Row] = {}
    for each in required(amount):
        for subject, case in filter(None, (each.row, each.to)):
            us = own if subject == "launchpath" else other
            of_temporaries = held if case["operation"] == "temporaries" else None
            measured[f"{subject} {case}"] = Row(subject, case, us, us, us, 1, (us,), of_temporaries)
    return list(measured.values())


@pytest.mark.parametrize("gpu", [False, True])
def test_every_figure_is_computed_and_held(gpu):
    amount = Amount.of(gpu)
    for own, other, held, all_met in ((0.5, 1.5, 2 * TEMPORARY, True), (9.0, 3.0, 3 * TEMPORARY, False)):
        result = Result("memory", "a device", rows(amount, own, other, held))
        add_figures(result, amount)
        of_words = [figure for figure in result.figures if figure.requirement()]
        assert len(of_words) == len(required(amount))
        missed = {figure.against for figure in result.missed}
        assert missed == set() if all_met else {"host time", "held beyond the first"} <= missed


def test_what_is_held_of_a_gpu():
    def limits(words: str) -> list[tuple[str, float | None, float | None]]:
        return [
            (each.kind, each.at_most, each.at_least) for each in required(Amount.of(gpu=True)) if words in each.words
        ]

    assert limits("allocating and dropping") == [("time", 1.0, None)] * 3
    assert limits("the same over C") == [("ratio", 0.5, None)] * 3
    assert limits("10,000 arrays that wait") == [("ratio", 1.5, None)]
    assert limits("4 KiB in,") == [("us", 0.5, None)] * 2
    assert limits("4 KiB out,") == [("us", 1.5, None)] * 2
    assert limits("1 MiB in") == [("ratio", 1.0, None)]
    assert limits("256 MiB in, pageable") == [("ratio", None, 2.5)]
    assert limits("256 MiB out, pageable") == [("ratio", None, 1.5)]
    assert limits("256 MiB in, pinned") + limits("256 MiB out, pinned") == [("ratio", None, 0.95)] * 2
    assert limits("`get()`") == [("ratio", None, 2.0)]
    assert limits("3,000 temporaries of 16 MiB") == [("blocks", 1.0, None)] * 2
    assert limits("over torch's") == [("ratio", 1.0, None)]


def test_without_a_peer_there_is_no_figure_of_it():
    amount = Amount.of(gpu=True)
    result = Result("memory", "a GPU", [row for row in rows(amount, 0.5, 1.5, 0) if row.subject == "launchpath"])
    add_figures(result, amount)
    assert {figure.against for figure in result.figures} == {
        "host time", "over none that wait", "held beyond the first", "rate",
    }  # fmt: skip


def test_fewer_launches_are_less_memory():
    assert Amount.of(True) == Amount(True, 256 << 20, 10_000, 3_000)
    assert Amount.of(True, 16) == Amount(True, 25 << 20, 1_000, 300)
    assert Amount.of(False, 1) == Amount(False, 2 << 20, 62, 1)
    assert Amount.of(False, 200) == Amount.of(False)


def test_rates_and_units():
    large = Row.of("c", copying("in", 256 << 20), [10_000.0])
    assert [figure.text() for figure in rates([large, Row.of("c", copying("in", MEDIUM), [1.0])])] == ["26.84 GB/s"]
    assert [sized(n) for n in (4096, 1 << 20, 512)] == ["4 KiB", "1 MiB", "512 bytes"]
    assert Figure(large, "", 0.5, "time", at_most=0.6).requirement() == "at most 0.60 us"
    assert Figure(large, "", 1.5, "blocks", at_most=1.0).requirement() == "at most 1.00 blocks: MISSED"


def test_cases_in_words():
    assert describe(allocating("blocking")) == "allocate 4 KiB, blocking stream"
    assert describe(allocating("current", 10_000)) == "allocate 4 KiB, current stream, 10,000 arrays wait"
    assert describe(copying("in", SMALL, True, False)) == "4 KiB in, pinned"
    assert describe(copying("new", MEDIUM)) == "1 MiB out to a new array, pageable, until complete"
    assert describe(temporary("fill", 3_000)) == "16 MiB temporaries, 3,000 with a fill each"


def test_memory_that_was_held_is_kept_in_json():
    row = Row("torch", {}, 1.0, 1.0, 1.0, 1, (1.0,), 5)
    assert Row.from_json(row.as_json()) == row
    assert "held" not in Row.of("torch", {}, [1.0]).as_json()


# --- the tables of docs/figures.md


def test_tables_without_results(tmp_path):
    text = memory_tables.memory_figures(tmp_path)
    assert text.startswith(memory_tables.BEGIN) and text.endswith(memory_tables.END)
    assert text.count("not measured") == len(required(Amount.of(False))) + len(required(Amount.of(True)))
    assert "| at most 1.00 µs | not measured |" in text


def test_tables_of_new_results(tmp_path):
    for name, gpu, held in (("memory", False, TEMPORARY), ("memory-cuda", True, 3 * TEMPORARY)):
        result = Result("memory", "a device", rows(Amount.of(gpu), 0.5, 1.5, held), versions={"cupy": "14"})
        (tmp_path / f"{name}.json").write_text(json.dumps(result.as_json()))
    text = memory_tables.memory_figures(tmp_path)
    assert "not measured" not in text
    assert "| Figure | Must be | a device |" in text
    assert "| the pool's own time, 4 KiB | at most 0.60 µs | 0.50 µs |" in text
    assert "| at most 1.00 blocks | 0.00 blocks |" in text and "| at most 1.00 blocks | 2.00 blocks (missed) |" in text
    assert "| 4 KiB in, pageable memory, over C | at most +0.50 µs | -1.00 µs |" in text
    assert "| at least 2.50 × | 3.00 × |" in text
    assert "| Time of a call, or rate | C | launchpath | CuPy (14) | torch |" in text
    assert "| 256 MiB in, pinned, until complete | 178956.97 GB/s | 536870.91 GB/s |  |  |" in text
