"""Odd words to the command line."""

import contextlib
import os
import random
import tempfile
import traceback

from click.testing import CliRunner

import launchpath as lp
from launchpath._cli import main

_ODD = (
    "", " ", "x" * 1000, "é", "\udcff", "-1", "9" * 30, "nan", "inf", "1e999", "--", "²", "no such", "--no-such",
    "\n", "-", ".",
)  # fmt: skip
_COMMANDS = (
    ("devices", None), ("cache", None), ("cache", "path", None), ("cache", "clear", "--older-than", None), (None,),
    ("cache", "show", None), ("demo", "--device", None), ("demo", "--json", "nowhere/x", None),
    ("bench", "launch", "--device", None), ("bench", "arguments", "--device", None), ("bench", None), ("--version", None),
)  # fmt: skip


def choose(random_: random.Random) -> list[str]:
    """Give the words of a command, which does nothing that takes long: no device goes by its odd word."""
    words = [random_.choice(_ODD) if word is None else word for word in random_.choice(_COMMANDS)]
    if "--device" in words:
        with contextlib.suppress(lp.LaunchpathError):
            lp.device(words[-1])  # some names have a "-" or a "."
            words[-1] = "no such"
    return words


def run(words: list[str]) -> str:
    """Run a command; says what is wrong with how it ended."""
    before = os.environ.get("LAUNCHPATH_CACHE_DIR", "")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAUNCHPATH_CACHE_DIR"] = folder
        try:
            result = CliRunner().invoke(main, words)
        finally:
            os.environ["LAUNCHPATH_CACHE_DIR"] = before
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join(traceback.format_exception(result.exception))[-1000:]
    return "" if result.exit_code in (0, 1, 2, 3) else f"exit code {result.exit_code}"
