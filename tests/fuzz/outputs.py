"""Every output of a trace, with the memory, the time and the bytes that it takes."""

import itertools
import json
import re
import shutil
import time
import warnings
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import launchpath as lp
from launchpath._cli.shown.output import Output
from launchpath._trace.formats.sql.views import VIEWS
from launchpath._tracing.saved import SavedTrace
from launchpath.errors import TraceFileError

MEMORY = 256 << 20  # bytes that an output may take
SECONDS = 5.0  # of the processor
LONGER = 100  # times as long as the trace may an output be
_ALWAYS = 1 << 20  # bytes, however small the trace
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


class Taken(NamedTuple):
    """What an output took: bytes of memory, seconds of the processor, bytes written."""

    output: str
    memory: int
    seconds: float
    written: int


class _Tags(HTMLParser):
    """The tags of a page: those of the tables, and no other."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"p", "h4", "table", "thead", "tbody", "tr", "th", "td"}, tag
        assert not attrs, attrs


class Made(NamedTuple):
    """An output: how many bytes it has, and what checks it, which is none of its time and memory."""

    written: int
    check: Callable[[], None] = lambda: None


def _text(saved: SavedTrace, _: Path) -> Made:
    text = str(saved.summary())

    def check() -> None:
        assert all(line.isprintable() for line in text.split("\n"))

    return Made(len(text), check)


def _html(saved: SavedTrace, _: Path) -> Made:
    text = saved.summary()._repr_html_()

    def check() -> None:
        assert text.isprintable()
        _Tags().feed(text)

    return Made(len(text), check)


def _json(saved: SavedTrace, folder: Path) -> Made:
    target = folder / "out.json"
    Output(str(target)).json(saved.summary().as_json())
    return Made(target.stat().st_size, lambda: json.loads(target.read_bytes(), parse_constant=_refused))


def _csv(saved: SavedTrace, folder: Path) -> Made:
    target = folder / "out.csv"
    saved.write_csv(target)

    def check() -> None:
        with target.open(encoding="utf-8", newline="") as file:
            for line in itertools.islice(file, 2000):
                assert not CONTROL.search(line.removesuffix("\n")), line
                assert not any(f',"{sign}' in line for sign in "=+-@"), line

    return Made(target.stat().st_size, check)


def _perfetto(saved: SavedTrace, folder: Path) -> Made:
    target = folder / "out.pftrace"
    saved.write_perfetto(target)
    return Made(target.stat().st_size)


def _parquet(saved: SavedTrace, folder: Path) -> Made:
    target = folder / "out.parquet"
    try:
        saved.write_parquet(target)
        return Made(sum(file.stat().st_size for file in target.rglob("*") if file.is_file()))
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _frames(saved: SavedTrace, _: Path) -> Made:
    return Made(sum(len(saved.to_pandas(table)) for table in ("dispatches", "calls", "ranges")))


def _arrays(saved: SavedTrace, _: Path) -> Made:
    tables = (saved.dispatches(), saved.calls(), saved.ranges(), saved.streams())
    return Made(sum(len(table) for of_file in tables for table in of_file))


def _sums(saved: SavedTrace, _: Path) -> Made:
    return Made(len(saved.summary().to_pandas()))


def _sql(saved: SavedTrace, _: Path) -> Made:
    return Made(sum(saved.sql(f"select max(columns(*)) from {view}").num_rows for view in VIEWS))


def _stretch(saved: SavedTrace, folder: Path) -> Made:
    target = folder / "stretch.csv"
    saved.write_csv(target, seconds=(0.1, 0.2))
    return Made(target.stat().st_size)


OUTPUTS: dict[str, Callable[[SavedTrace, Path], Made]] = {
    "text": _text, "html": _html, "json": _json, "csv": _csv, "perfetto": _perfetto, "parquet": _parquet,
    "frames": _frames, "arrays": _arrays, "sums": _sums, "sql": _sql, "stretch": _stretch,
}  # fmt: skip


def outputs(data: bytes, folder: Path) -> list[Taken]:
    """Make every output of a trace with these bytes; one that is refused took what it took.

    Raises
    ------
    AssertionError
        An output is not safe, or takes more than the limits.
    """
    path = folder / "run.lptrace"
    path.write_bytes(data)
    all_taken = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, output in OUTPUTS.items():
            begin, before = time.process_time(), _reset_peak()
            try:
                made = output(lp.read_trace(path), folder)
            except TraceFileError:
                made = Made(0)
            except BaseException as error:
                error.add_note(f"output: {name}")
                raise
            taken = Taken(name, _peak() - before, time.process_time() - begin, made.written)
            made.check()
            assert taken.memory <= MEMORY, taken
            assert taken.seconds <= SECONDS, taken
            assert taken.written <= LONGER * len(data) + _ALWAYS, (taken, len(data))
            all_taken.append(taken)
    return all_taken


def warm(folder: Path, data: bytes) -> None:
    """Import what the outputs need: that is no memory and no time of theirs."""
    for output in OUTPUTS.values():
        path = folder / "warm.lptrace"
        path.write_bytes(data)
        output(lp.read_trace(path), folder)


def _refused(constant: str) -> Any:
    raise AssertionError(f"{constant} is not JSON")


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise AssertionError(name)


def _reset_peak() -> int:
    """Let the process's peak of memory be what it has now, and give that."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS:")


def _peak() -> int:
    return _status("VmHWM:")
