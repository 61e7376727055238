"""What is told beside errors: lines for `logging` about what takes long, and warnings at the caller's line."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import FrameType

NAME = "launchpath"  # of the logger
_FOLDER = f"{Path(__file__).parent}/"
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


def _caller() -> tuple[FrameType | None, int]:
    """The innermost frame outside of launchpath, and its level for `warnings.warn` in this function's caller."""
    frame: FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame, level = frame.f_back, level + 1
    return frame, level


def warn_caller(text: str, category: type[Warning]) -> None:
    """Warn at the caller's line."""
    frame, level = _caller()
    warnings.warn(text, category, stacklevel=1 if frame is None else level)  # a thread of launchpath's has no caller


def tell_caller(text: str) -> None:
    """The same by a RuntimeWarning, where nothing is to fail if warnings are errors."""
    frame, level = _caller()
    try:
        warnings.warn(text, RuntimeWarning, stacklevel=1 if frame is None else level)
    except RuntimeWarning as error:
        place = (__file__, 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
        warnings.showwarning(error, RuntimeWarning, *place)
