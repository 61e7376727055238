"""Lines for Python's `logging` about what takes long, by the logger ``launchpath``."""

from __future__ import annotations

import sys

NAME = "launchpath"
SHORTAGE = 1.0  # seconds: a longer wait for memory is logged


def is_logged() -> bool:
    """Whether a program has set up `logging` so that it shows these lines. Else `logging` is not even imported."""
    logging = sys.modules.get("logging")
    # Another thread may be importing it for the first time: then the program has not set it up.
    if logging is None or getattr(logging.__spec__, "_initializing", False):
        return False
    logger = logging.getLogger(NAME)
    return bool(logger.isEnabledFor(logging.INFO) and logger.hasHandlers())


def log(text: str) -> bool:
    """Log a line of the level INFO; False if no logger shows it."""
    if not is_logged():
        return False
    sys.modules["logging"].getLogger(NAME).info("%s", text)
    return True
