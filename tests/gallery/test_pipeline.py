"""The gallery's pipeline of two streams, and the timeline of its trace."""

from itertools import pairwise

import numpy as np
import pytest

import launchpath as lp
import pipeline
from tests.gallery.calls import picture_of


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(pipeline.SOURCE, device, defines={"TAPS": pipeline.TAPS})


@pytest.mark.parametrize(("pieces", "length"), [(1, 1), (3, 200), (4, pipeline.THREADS)])
def test_the_signal_is_numpys(program, pieces, length):
    whole = pipeline.signal(pieces, length)
    np.testing.assert_allclose(pipeline.filtered(program, whole, pieces), pipeline.numpy_filtered(whole), atol=1e-5)


def test_the_trace_has_each_piece_on_its_stream(program, tmp_path):
    with lp.trace(tmp_path / "x.lptrace"):
        pipeline.filtered(program, pipeline.signal(5, 300), 5)
    commands = pipeline.commands_of(tmp_path / "x.lptrace")
    streams = sorted({row["stream"] for row in commands})
    of_streams = [[row for row in commands if row["stream"] == stream] for stream in streams]
    piece = ["host to device", "filter_signal", "device to host"]
    for rows, pieces in zip(of_streams, (3, 2), strict=True):
        rows.sort(key=lambda row: row["number"])
        assert [row["shown"] for row in rows] == pieces * piece
        assert all(row["from"] <= row["to"] for row in rows)
        assert all(before["to"] <= after["from"] + 0.05 for before, after in pairwise(rows))
    assert min(row["from"] for row in commands) == 0


def test_the_program(monkeypatch, capsys, device, tmp_path):
    sizes = ("--pieces", 4, "--length", 500, "--runs", 2, "--trace", tmp_path / "kept.lptrace")
    _, printed = picture_of(pipeline, monkeypatch, capsys, device, tmp_path, *sizes)
    assert "12 commands on the device in " in printed and "the fastest of 2 runs" in printed
    assert lp.read_trace(tmp_path / "kept.lptrace").summary()
