"""Mends that the environment asks for."""

from __future__ import annotations

import os

from launchpath._environment import MEND


def force_by_environment() -> None:
    """Force the mends that ``LAUNCHPATH_MEND`` names, from now on.

    Raises
    ------
    ArgumentValueError
        It names something else.
    """
    if text := os.environ.get(MEND, "").strip():
        from launchpath._mends.forcing import force  # noqa: PLC0415 (few processes need it)

        force(text)
