"""Crafted and damaged traces into every output: little memory and time for each, and nothing that is not safe."""

from pathlib import Path
from random import Random

import pytest

from tests.fuzz import outputs
from tests.fuzz.cases import run
from tests.fuzz.crafted import HEAVY, trace
from tests.sample import amount
from tests.trace.program import write

pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")
pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "t", 1, 20)
    outputs.warm(tmp_path, (tmp_path / "t").read_bytes())
    return tmp_path


def test_crafted_traces(folder: Path) -> None:
    run("traces", lambda random: outputs.outputs(trace(random), folder), amount(20, 60))


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", HEAVY)
def test_traces_that_make_readers_slow_or_their_outputs_long(kind: str, folder: Path) -> None:
    """An eighth of what `python -m tests.fuzz.traces` makes: what grows with the square of it is seen in both."""
    outputs.outputs(b"".join(HEAVY[kind](Random(1), 11_000)), folder)
