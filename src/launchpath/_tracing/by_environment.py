"""Traces that the environment asks for: ``launchpath trace`` starts programs so, unchanged."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from launchpath._shown import shown
from launchpath._tracing.beginning import trace_by_environment
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
        trace_by_environment(path, _options(), _since())
    except Exception as error:
        print(f"launchpath: no trace was begun: {type(error).__name__}: {error}", file=sys.stderr)


def _options() -> dict[str, Any]:
    text = os.environ.get(OPTIONS) or "{}"
    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict):
        raise ArgumentValueError(f"{OPTIONS}: expected a JSON object, got {shown(text)}")
    return options


def _since() -> int:
    text = os.environ.get(BEGUN) or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ArgumentValueError(f"{BEGUN}: expected nanoseconds since 1970, got {shown(text)}")
    return int(text)
