"""Facts of data and order from traces of real devices: what launchpath records is what the facts read."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

import launchpath as lp
from launchpath._findings.facts import equal_uploads, needless_synchronize, serial_streams, small_copies
from launchpath._findings.ordering.overlap import units
from launchpath._findings.ordering.pointers import pointer_byte, pointers
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import Region
from launchpath._findings.timeline.building import read_timeline
from launchpath._findings.timeline.roles import Role
from launchpath._trace.format import PAGEABLE, PINNED

SOURCE = """
__global__ void move(float *x, const float *v, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int k = 0; k < rounds; k++) x[i] = x[i] * 0.5f + v[i];
}
"""
REPETITIONS = 16
N = 1 << 16

Traced = Callable[[Callable[[int], Any]], Region]


@pytest.fixture
def traced(device: lp.Device, tmp_path: Path) -> Iterator[Traced]:
    """Give a function that runs a loop in a trace of its own, on the device, and gives its region."""

    def run(body: Callable[[int], Any]) -> Region:
        path = tmp_path / "loop.lptrace"
        body(0)
        with lp.trace(path, findings=True):
            for number in range(REPETITIONS):
                with lp.range("step"):
                    body(number)
            device.synchronize()
        [region, *_] = find_regions(read_timeline(path))
        return region

    with device:
        yield run


def quiet(monkeypatch: pytest.MonkeyPatch, fact: Any) -> None:
    """Let a fact speak of times that a busy machine's noise hides."""
    monkeypatch.setattr(fact, "floor", lambda region: 1.0)


def apart(count: int, size: int) -> list[lp.Array]:
    """Arrays whose addresses have different bytes in the evidence: of 256 bytes two would be the same now and then."""
    arrays: dict[int, lp.Array] = {}
    others = []  # are kept, for their memory would come again
    while len(arrays) < count:
        others.append(lp.zeros(size))
        arrays.setdefault(pointer_byte(others[-1].pointer), others[-1])
    return list(arrays.values())


def test_equal_uploads(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, equal_uploads)
    same, other = lp.zeros(N), lp.zeros(N)
    values = numpy.ones(N, "float32")

    def body(number: int) -> None:
        same.copy_from(values)
        other.copy_from(values + number)

    [found] = equal_uploads.facts(traced(body))
    assert REPETITIONS - 2 <= found.count <= REPETITIONS - 1  # a large upload that is the first of its kind is not read
    [site] = found.sites
    assert site.startswith(f"{__file__}:{body.__code__.co_firstlineno + 1} ")


def test_a_fill_in_between(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, equal_uploads)
    array, values = lp.zeros(N), numpy.ones(N, "float32")

    def body(number: int) -> None:
        array.copy_from(values)
        array[:16] = 3

    assert equal_uploads.facts(traced(body)) == []


def test_a_needless_synchronize(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, needless_synchronize)
    x, v, stream = lp.zeros(N), lp.zeros(N), lp.Stream()
    move = lp.compile(SOURCE).move[64, 64, stream]

    def body(number: int) -> None:
        move(x, v, N, 10)
        stream.synchronize()
        move(x, v, N, 10)
        x[:1].to_numpy(stream)

    [found] = needless_synchronize.facts(traced(body))
    [site] = found.sites
    assert site.startswith(f"{__file__}:{body.__code__.co_firstlineno + 2} ")


def test_a_synchronize_before_pinned_memory_is_changed(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, needless_synchronize)
    x, stream, values = lp.zeros(N), lp.Stream(), lp.pinned_empty(N, "float32")

    def body(number: int) -> None:
        values[:] = number
        x.copy_from(values, stream)
        stream.synchronize()

    region = traced(body)
    assert needless_synchronize.facts(region) == []
    ops = region.timeline.ops
    assert set((ops.flags[ops.direction == 1] & (PINNED | PAGEABLE)).tolist()) == {PINNED}


def test_pointers_of_launches_are_those_of_copies(traced: Traced) -> None:
    x, v = apart(2, N)
    move, values = lp.compile(SOURCE).move[64, 64], numpy.ones(N, "float32")

    def body(number: int) -> None:
        v.copy_from(values)
        move(x, v, N, 10)
        x.to_numpy()

    ops = traced(body).timeline.ops
    launches = numpy.flatnonzero(ops.role == Role.LAUNCH).tolist()
    used = pointers(ops, launches)
    assert used is not None
    copies = numpy.flatnonzero((ops.role == Role.COPY) & (ops.direction == 2)).tolist()
    assert {pointer_byte(int(ops.source[copy])) for copy in copies} < used
    assert len(used) == 2
    assert pointers(ops, launches + copies) == used


def test_the_record_of_a_copy_begins_when_its_bytes_begin_to_move(traced: Traced) -> None:
    x, values = lp.zeros(1 << 20), numpy.ones(1 << 20, "float32")
    ops = traced(lambda number: x.copy_from(values)).timeline.ops
    uploads = ops.take((ops.role == Role.COPY) & (ops.direction == 1) & (ops.size >= 1 << 18))
    assert len(uploads)
    staged = uploads.take((uploads.flags & PAGEABLE) != 0)
    assert (staged.end - staged.begin > staged.driver).all()


def test_rows_one_by_one(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, small_copies)
    table, rows = lp.zeros((16, 64)), numpy.ones((16, 64), "float32")

    def body(number: int) -> None:
        for k in range(16):
            table[k] = rows[k]

    [found] = small_copies.facts(traced(body))
    assert found.evidence["copies"] == 16


def test_two_chains_in_one_stream(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch, serial_streams)
    monkeypatch.setattr(serial_streams, "overlaps", lambda timeline, device: True)
    x, v, y, w = apart(4, 64)
    pairs = [(x, v), (y, w)]
    move = lp.compile(SOURCE).move[1, 64]

    def body(number: int) -> None:
        for _ in range(3):
            for x, v in pairs:
                move(x, v, 64, 1000)
        for x, _ in pairs:
            x.to_numpy()

    region = traced(body)
    [found] = serial_streams.facts(region)
    assert found.evidence["groups"] == 2
    assert units(region, int(region.timeline.ops.device[found.edit.rows[0]])) == lp.current_device().compute_units
