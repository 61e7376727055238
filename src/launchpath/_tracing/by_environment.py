"""Traces that the environment asks for: ``launchpath trace`` starts programs so, unchanged."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from launchpath._tracing.session import Trace
from launchpath.errors import ArgumentValueError

PATH, OPTIONS, BEGUN = "LAUNCHPATH_TRACE", "LAUNCHPATH_TRACE_OPTIONS", "LAUNCHPATH_TRACE_BEGUN"


def begin_by_environment() -> None:
    """Begin a trace if ``LAUNCHPATH_TRACE`` names its file; it ends when the interpreter exits.

    Several processes may have inherited the name. Each after the first puts its number into it. What keeps a trace from
    beginning is said on the standard error, and the program goes on without: it did not ask for it.
    """
    path = os.environ.get(PATH)
    if not path:
        return
    try:
        options = json.loads(os.environ.get(OPTIONS) or "{}")
        if not isinstance(options, dict):
            raise ArgumentValueError(f"{OPTIONS}: expected a JSON object, got {os.environ[OPTIONS]!r}")
        _begin(path, options, int(os.environ.get(BEGUN) or 0))
    except Exception as error:
        print(f"launchpath: no trace was begun: {type(error).__name__}: {error}", file=sys.stderr)


def _begin(path: str, options: Mapping[str, Any], since: int) -> None:
    """Begin the trace that the environment asks for. It ends when the program begins one itself.

    Files of the same name that were written after `since` (nanoseconds since 1970) are other processes' of the program:
    they are not written over.
    """
    wanted = Trace(path, **options)
    wanted._gives_way, wanted._kept_since = True, since
    wanted.start()
