"""Whose trace a test's process has: the core's, or the recorder's, which sees launchpath as it sees any program."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

from launchpath._recorder.environment import OPTIONS, loading
from launchpath._tracing.by_environment import PATH
from tests.faults.processes import HEAD, start
from tests.gpu.process import HEAD as STANDIN_HEAD
from tests.gpu.process import OPEN, run

# The recorder has read its variables before Python runs. It traces the whole process, so begin and end mean nothing.
_HEAD = """
import os
os.environ.pop("LAUNCHPATH_TRACE")
class trace:
    start = stop = staticmethod(lambda: trace)
    __enter__ = __exit__ = lambda self, *error: None
trace = trace()
"""


@dataclass
class Tracer:
    """A tracer, and what tests of it must know.

    Parameters
    ----------
    name : {"core", "recorder"}
    path : path
        Of the file.
    index : int
        Of the device.
    """

    name: str
    path: Path
    index: int

    @property
    def is_core(self) -> bool:
        return self.name == "core"

    def begin(self, code: str, **options: Any) -> Popen[str]:
        """Start a process that has `spin`, a launcher, and `trace`, which has not begun. The code begins it once."""
        compiled = "\nspin = lp.compile(SOURCE).spin[1, 1, stream]\n"
        if self.is_core:
            words = "".join(f", {name}={value!r}" for name, value in options.items())
            return start(f"{compiled}trace = lp.trace({str(self.path)!r}{words})\n{code}", self.index)
        return start(compiled + code, self.index, _HEAD + HEAD, **_variables(self.path, options))


def on_standin(name: str, path: Path, code: str, **options: Any) -> str:
    """Run code on the stand-in of CUDA, with `gpu` and `trace`, and return what it printed."""
    if name == "core":
        return run("cuda", f"trace = lp.trace({str(path)!r}, **{options!r})\n{code}")
    return run("cuda", code, head=_HEAD + STANDIN_HEAD + OPEN, **_variables(path, options))


def _variables(path: Path, options: dict[str, Any]) -> dict[str, str]:
    variables = loading(options, time.time_ns(), {}).variables
    return variables | {OPTIONS: variables[OPTIONS] + ";whole=1", PATH: str(path)}
