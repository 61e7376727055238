"""How a program is started with a trace of each of its processes, and which files they have written."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from launchpath._findings.intervention.delays import VARIABLE, DelaysError, parse
from launchpath._recorder.environment import loading
from launchpath._tracing.beginning import trace
from launchpath._tracing.by_environment import BEGUN, OPTIONS, PATH
from launchpath._tracing.file_name import clock_of
from launchpath.errors import ArgumentValueError, LaunchpathError


class OutputError(LaunchpathError):
    """A trace cannot be written where it is to go."""


class Start(NamedTuple):
    """How a program is started.

    Attributes
    ----------
    environment : dict
        All of its environment.
    remarks : list of str
        For the user: what is recorded less than one may expect, and why.
    output : str
        Where the trace goes, an absolute path.
    begun : int
        Files that were written later are those of the program's processes: nanoseconds since 1970.
    """

    environment: dict[str, str]
    remarks: list[str]
    output: str
    begun: int

    def written(self) -> list[str]:
        """Find the files that the program's processes have written."""
        root, extension = os.path.splitext(self.output)
        root = root.replace("%%", "\0")
        pattern = re.sub(r"%(pid|rank|hostname|env\\?\{[^}]*\})%", "*", glob.escape(root)).replace("\0", "%")
        candidates = {*glob.glob(pattern + extension), *glob.glob(pattern + ".*" + extension)}
        return sorted(os.path.relpath(path) for path in candidates if os.stat(path).st_mtime_ns >= self.begun)


def start(output: str, options: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Start:
    """Prepare the start of a program with a trace.

    Parameters
    ----------
    output : str
        The trace's file, perhaps with patterns.
    options : mapping
        Those of `launchpath.trace` that differ from the defaults.
    environment : mapping
        What the program would have.

    Raises
    ------
    ArgumentValueError
        An option has no such value, or the delays of the environment are wrong.
    OutputError
        The file cannot be written.
    """
    trace(output, **options)  # it refuses wrong options, once
    try:
        if environment.get(VARIABLE):
            parse(environment[VARIABLE])
    except DelaysError as error:
        raise ArgumentValueError(f"{VARIABLE}: {error}") from None
    output = os.path.abspath(output)
    begun = _checked(output)
    recorder = loading(options, begun, environment)
    own = {PATH: output, OPTIONS: json.dumps(dict(options)), BEGUN: str(begun)}
    return Start({**environment, **recorder.variables, **own}, recorder.remarks, output, begun)


def _checked(output: str) -> int:
    """Refuse a name that no trace can be written to; return its file system's time now."""
    folder = os.path.dirname(output)
    if not os.access(folder, os.W_OK):
        raise OutputError(f"cannot write {output}: it is not in a writable folder")
    if os.path.exists(output) and not os.path.isfile(output):
        raise OutputError(f"cannot write {output}: expected a file or a new name, got a folder, a device or a pipe")
    try:
        return clock_of(folder)
    except OSError as error:
        raise OutputError(f"cannot write {output}: {error.strerror}") from None
