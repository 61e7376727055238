"""The environment that child processes inherit: `LAUNCHPATH_FAST`, and a sitecustomize on `PYTHONPATH`."""

from __future__ import annotations

import os

NAME = "LAUNCHPATH_FAST"
QUIET = "quiet"  # no line at the process's end
SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")


def is_quiet() -> bool:
    """Whether nothing is to be written at the end."""
    return os.environ.get(NAME, "").strip().lower() == QUIET


def hand_down() -> None:
    """Have child processes launch fast."""
    if os.environ.get(NAME, "0").strip().lower() in ("", "0", "off", "false", "no"):
        os.environ[NAME] = "1"
    paths = _paths()
    if SITE not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([SITE, *paths])


def take_back() -> None:
    """Have child processes launch as their libraries do."""
    os.environ.pop(NAME, None)
    paths = [path for path in _paths() if path != SITE]
    if paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)


def _paths() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
