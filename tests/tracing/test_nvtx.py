"""Ranges and marks of NVTX, by the package `nvtx`: they are in the trace like launchpath's own."""

from pathlib import Path

import numpy as np
import pytest

from launchpath._trace import format
from tests.faults.processes import end, start
from tests.tracing.raw import Raw, read

pytest.importorskip("nvtx")

CODE = """
import threading
import launchpath as lp
import nvtx

def work():
    with nvtx.annotate("on a thread", domain="other", color="red", payload=5):
        nvtx.mark("moment")

with lp.trace({path!r}, mode="host"):
    with nvtx.annotate("outer"), lp.range("own"):
        nvtx.push_range("pushed", domain="a", category="c")
        nvtx.push_range("déjà vu")
        nvtx.pop_range(domain="a")  # not the innermost range
        nvtx.pop_range()
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    started = nvtx.start_range("started", color="blue")
    nvtx.end_range(started)
    nvtx.push_range("left open")
with nvtx.annotate("after the trace"):
    nvtx.mark("after the trace")
nvtx.pop_range()
"""


def names(raw: Raw, kind: int) -> list[str]:
    return [raw.names[int(slot["name"])] for slot in np.sort(raw.slots(kind), order="begin")]


def test_ranges_and_marks(path: Path) -> None:
    end(start(CODE.format(path=str(path)), head=""))
    raw = read(path)
    assert names(raw, format.RANGE_BEGIN) == [
        "outer", "own", "pushed", "déjà vu", "on a thread", "started", "left open"]  # fmt: skip
    ended = {raw.names[int(slot["name"])]: slot for slot in raw.slots(format.RANGE)}
    assert set(ended) == {"outer", "own", "pushed", "déjà vu", "on a thread", "started"}
    assert ended["pushed"]["end"] < ended["déjà vu"]["end"]
    assert {name for name, slot in ended.items() if slot["flags"] & format.NVTX} == set(ended) - {"own"}
    assert raw.names[int(ended["on a thread"]["domain"])] == "other"
    assert (ended["on a thread"]["color"], ended["on a thread"]["payload"]) == (0x00FF0000, 5)
    assert names(raw, format.MARK) == ["moment"]
    assert len(raw.threads) >= 2


def test_ranges_that_begin_or_end_while_a_trace_pauses(path: Path) -> None:
    code = f"""
import launchpath as lp
import nvtx

with lp.trace({str(path)!r}, mode="host") as trace:
    nvtx.push_range("outer")
    trace.pause()
    nvtx.push_range("while it pauses")
    nvtx.pop_range()
    trace.resume()
    lp.mark("within")
    nvtx.pop_range()
    for i in range(100):
        nvtx.push_range(f"deep {{i}}")
    for i in range(100):
        nvtx.pop_range()
    nvtx.push_range("last")
    nvtx.pop_range()
"""
    end(start(code, head=""))
    raw = read(path)
    ended = {raw.names[int(slot["name"])]: slot for slot in raw.slots(format.RANGE)}
    assert set(ended) == {"outer", "last", *(f"deep {i}" for i in range(64))}
    (mark,) = raw.slots(format.MARK)
    assert ended["outer"]["end"] > mark["begin"]
    assert raw.counters["not_understood"] == 36


def test_the_environment_is_enough(path: Path) -> None:
    code = "import nvtx\nwith nvtx.annotate('before launchpath is imported'): pass\nimport launchpath\n"
    code += "with nvtx.annotate('after'): pass\n"
    from launchpath import _core

    end(start(code, head="", NVTX_INJECTION64_PATH=_core.__file__, LAUNCHPATH_TRACE=str(path)))
    assert names(read(path), format.RANGE) == ["after"]
