"""The rows of views that a Parquet folder has, as `write_parquet` makes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from launchpath._trace.extra import imported
from launchpath._trace.files.facts import Facts
from launchpath._trace.formats.parquet import NO_RANK
from launchpath._trace.formats.sql.batches import Batches
from launchpath._trace.formats.sql.views import OF_PROCESS, RECORDS
from launchpath._trace.labels import text_of
from launchpath._trace.process import Process
from launchpath.errors import TraceFileError

_ROWS = 1 << 17  # of a batch
_PARTITION = re.compile(r"rank=(-?\d{1,9})/pid=(\d{1,9})/[^/]*")
_MOST = 1 << 63


class _Part(NamedTuple):
    """A file of a folder: its view, its name, and the row of `processes` of its process."""

    view: str
    path: Path
    about: dict[str, Any]


class Folder:
    """A Parquet folder, of which rows are read.

    Parameters
    ----------
    path : str
    first : int
        Number of its first process.

    Attributes
    ----------
    processes : int
        How many it has.

    Raises
    ------
    TraceFileError
        It is no such folder, or a file of it cannot be read.
    LibraryError
        pyarrow is not installed.
    """

    def __init__(self, path: str, first: int) -> None:
        root = Path(path)
        if not any((root / view).is_dir() for view in RECORDS):
            raise TraceFileError(
                f"{path}: expected a folder with {', '.join(RECORDS)}, got another one: "
                "`launchpath report --parquet FOLDER` writes one"
            )
        self._parts: list[_Part] = []
        self._processes: dict[tuple[str, ...], dict[str, Any]] = {}
        for view in RECORDS:
            for file in sorted((root / view).rglob("*.parquet")):
                self._add(root, view, file, first)
        self.processes = len(self._processes)

    def batches(self, view: str, batches: Batches, columns: list[str]) -> Iterator[Any]:
        """Read the rows of a view in batches; only the columns that are named."""
        if view == "processes":
            yield batches.of_rows(list(self._processes.values()), columns)
        for part in self._parts:
            if part.view == view:
                constants = {name: part.about[name] for name in OF_PROCESS}
                with _opened(part.path) as file:
                    there = [name for name in columns if name in file.schema_arrow.names and name not in constants]
                    # Without a column Parquet's reader does not count rows.
                    for batch in file.iter_batches(_ROWS, columns=there or file.schema_arrow.names[:1]):
                        yield batches.of_arrow(batch, constants, columns)

    def _add(self, root: Path, view: str, path: Path, first: int) -> None:
        place = _PARTITION.fullmatch(path.relative_to(root / view).as_posix())
        if place is None:
            raise TraceFileError(f"{path}: expected a file in rank=NUMBER/pid=NUMBER, got another one: move it away")
        with _opened(path) as file:
            metadata = file.schema_arrow.metadata or {}
        process, real = metadata.get(b"process", b"{}"), metadata.get(b"real", b"")
        # Processes of several hosts may have the same number: then their metadata differ.
        key = (*place.groups(), repr(process), repr(real))
        if key not in self._processes:
            about = _about(process, int(place[1]), int(place[2]), real)
            self._processes[key] = {**about, "process": first + len(self._processes), "file": str(root)}
        self._parts.append(_Part(view, path, self._processes[key]))


def _about(data: bytes, rank: int, pid: int, real: bytes) -> dict[str, Any]:
    facts = Facts()
    with suppress(ValueError):  # it says nothing of its process
        facts.add(b'{"process": ' + data + b"}")
    process = Process(facts.values)
    number = int(real) if re.fullmatch(rb"-?\d{1,19}", real) else None
    return {
        "host": process.host,
        "rank": None if rank == NO_RANK else rank,
        "pid": pid,
        "command": " ".join(process.argv),
        "executable": process.executable,
        "python": text_of(process.facts.get("python")) or None,
        "real": number if number is not None and -_MOST <= number < _MOST else None,
    }


def _opened(path: Path) -> Any:
    try:
        return imported("pyarrow.parquet").ParquetFile(path)
    except (OSError, ValueError) as error:
        raise TraceFileError(f"{path}: expected a Parquet file that can be read, got: {error}") from None
