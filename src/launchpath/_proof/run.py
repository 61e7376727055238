"""One run of a program, with a trace of the host and with mends forced."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from launchpath._environment import MEND
from launchpath._shown import shown
from launchpath._trace.files.file import TraceFile
from launchpath._tracing.by_environment import BEGUN, OPTIONS, PATH
from launchpath._tracing.file_name import clock_of
from launchpath.errors import LaunchpathError, TraceFileError

_OF_OTHER_RUNS = (PATH, OPTIONS, BEGUN, MEND, *(f"LAUNCHPATH_{word}" for word in ("DELAYS", "RECORDER")))
_SAME_HASHES = {"PYTHONHASHSEED": "0"}  # the order of sets is the same in all runs, unless the program's own says else


@dataclass
class Run:
    """What came of a run.

    Attributes
    ----------
    code : int
        The exit code; negative: the signal that ended it.
    output : bytes
        What it wrote to the standard output.
    errors : str
        The end of what it wrote to the standard error.
    traces : list of str
        The files of its processes.
    mends : list of dict
        What each process says of forced mends, in the order of the files.
    """

    code: int
    output: bytes
    errors: str
    traces: list[str]
    mends: list[dict[str, Any]] = field(default_factory=list)

    def forced(self) -> list[dict[str, Any]]:
        """What came of each forced mend in all processes together."""
        together: dict[str, dict[str, Any]] = {}
        for mends in self.mends:
            for effect in mends.get("forced", ()):
                entry = together.setdefault(
                    effect["mend"], {**effect, "effects": 0, "ns": 0, "not_needed": 0, "refused": {}}
                )
                entry["effects"] += effect["effects"]
                entry["ns"] += effect["ns"]
                entry["not_needed"] += effect["not_needed"]
                for reason, count in effect["refused"].items():
                    entry["refused"][reason] = entry["refused"].get(reason, 0) + count
        return list(together.values())

    def read_backs(self) -> dict[str, tuple[Any, ...]]:
        """Hashes of what was read from devices, by site: how often, how many bytes, the hash; for each process one."""
        sites: dict[str, list[tuple[int, int, str]]] = {}
        for mends in self.mends:
            for site, read in ((mends.get("read_backs") or {}).get("sites") or {}).items():
                sites.setdefault(site, []).append((read["count"], read["bytes"], read["hash"]))
        return {site: tuple(sorted(reads)) for site, reads in sites.items()}


def run(
    command: Sequence[str],
    mend: str,
    folder: str | os.PathLike[str],
    environment: Mapping[str, str] = os.environ,
    timeout: float | None = None,
) -> Run:
    """Run a program.

    Parameters
    ----------
    command : sequence of str
        Its standard input is empty.
    mend : str
        As ``LAUNCHPATH_MEND`` has it; empty: none.
    folder : path
        For its traces, in a folder of their own.
    environment : mapping
        What it has besides.
    timeout : float, optional
        Seconds.

    Raises
    ------
    LaunchpathError
        It cannot be run, or took longer.
    """
    own = tempfile.mkdtemp(prefix="run-", dir=folder)
    variables = {name: text for name, text in environment.items() if name not in _OF_OTHER_RUNS}
    variables = {**_SAME_HASHES, **variables, PATH: os.path.join(own, "run.lptrace"), BEGUN: str(clock_of(own))}
    variables[OPTIONS] = json.dumps({"mode": "host"})
    if mend:
        variables[MEND] = mend
    output, errors = Path(own, "output"), Path(own, "errors")
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            code = subprocess.run(
                list(command), env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=timeout,
                check=False,
            ).returncode  # fmt: skip
    except subprocess.TimeoutExpired:
        raise LaunchpathError(
            f"expected {shown(command[0])} to end within {timeout:g} s: give it more time, or let it do less"
        ) from None
    except OSError as error:
        raise LaunchpathError(f"cannot run {command[0]}: {error.strerror}") from None
    traces = sorted(str(path) for path in Path(own).glob("*.lptrace"))
    end = errors.read_bytes()[-2000:].decode(errors="replace")
    return Run(code, output.read_bytes(), end, traces, [mends for path in traces if (mends := _mends(path))])


def _mends(path: str) -> dict[str, Any] | None:
    try:
        with TraceFile(path) as file:
            mends = file.meta.get("mends")
    except TraceFileError:
        return None
    return mends if isinstance(mends, dict) else None
