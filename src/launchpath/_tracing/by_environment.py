"""Traces that the environment asks for: ``launchpath trace`` starts programs so, unchanged."""

from __future__ import annotations

import json
import os
import sys

from launchpath._tracing.session import trace_by_environment
from launchpath.errors import ArgumentValueError

PATH, OPTIONS, BEGUN = "LAUNCHPATH_TRACE", "LAUNCHPATH_TRACE_OPTIONS", "LAUNCHPATH_TRACE_BEGUN"


def begin_by_environment() -> None:
    """Begin a trace if ``LAUNCHPATH_TRACE`` names its file; it ends when the interpreter exits.

    Several processes may have inherited the name. Each after the first puts its number into it. What keeps a trace from
    beginning is written to the standard error, and the program goes on without: it did not ask for it.
    """
    path = os.environ.get(PATH)
    if not path:
        return
    try:
        options = json.loads(os.environ.get(OPTIONS) or "{}")
        if not isinstance(options, dict):
            raise ArgumentValueError(f"{OPTIONS}: expected a JSON object, got {os.environ[OPTIONS]!r}")
        trace_by_environment(path, options, int(os.environ.get(BEGUN) or 0))
    except Exception as error:
        print(f"launchpath: no trace was begun: {type(error).__name__}: {error}", file=sys.stderr)
