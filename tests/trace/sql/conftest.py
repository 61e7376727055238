"""Traces and Parquet folders that tests of queries in SQL ask."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from launchpath._cli import main
from launchpath._trace.formats.parquet import write_parquet
from launchpath._trace.formats.sql.query import result_of
from tests.trace.program import write


def rows(path: Path | list[Path], query: str) -> list[tuple[Any, ...]]:
    table = result_of([path] if isinstance(path, Path) else path, query)
    return [tuple(row.values()) for row in table.to_pylist()]


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["sql", *map(str, args)])


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    write(tmp_path / "run.lptrace", 1, process={"pid": 7, "host": "node0", "rank": 3, "argv": ["python", "a.py"]})
    return tmp_path / "run.lptrace"


@pytest.fixture
def both(trace: Path, tmp_path: Path) -> list[Path]:
    """Two traces, of two hosts."""
    write(tmp_path / "other.lptrace", 2, process={"pid": 7, "host": "node1"})
    return [trace, tmp_path / "other.lptrace"]


@pytest.fixture
def folder(both: list[Path], tmp_path: Path) -> Path:
    write_parquet(both, tmp_path / "parquet")
    return tmp_path / "parquet"
