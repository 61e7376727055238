"""Mends in force: put on when launchpath is imported, reported in the trace."""

from __future__ import annotations

import os
from typing import Any

from launchpath import _core
from launchpath._mends.effect import Effect
from launchpath._mends.request import NO_WAIT, READ_BACKS, SKIP_UPLOAD, STEP, mends
from launchpath._tracing.session import add_at_end


def force(text: str) -> None:
    """Force mends on this process, from now on.

    Parameters
    ----------
    text : str
        As ``LAUNCHPATH_MEND`` has it.

    Raises
    ------
    ArgumentValueError
        It names something else.
    """
    effects = [Effect(mend) for mend in mends(text)]
    if getattr(_core, "mends", None) == text:  # a second import of the package
        return
    by_kind = {
        kind: [effect for effect in effects if effect.mend.kind == kind] for kind in (STEP, SKIP_UPLOAD, NO_WAIT)
    }
    facts: dict[str, Any] = {"text": text}
    read = None
    if any(effect.mend.kind == READ_BACKS for effect in effects):
        from launchpath._mends.read_backs import keep_read_backs  # noqa: PLC0415 (not in runs that are timed)

        read = keep_read_backs()
    if by_kind[STEP]:
        from launchpath._mends.steps import force_steps  # noqa: PLC0415 (what is not asked for changes nothing)

        force_steps(by_kind[STEP])
    if by_kind[SKIP_UPLOAD]:
        from launchpath._mends.uploads import force_uploads  # noqa: PLC0415

        force_uploads(by_kind[SKIP_UPLOAD])
    if by_kind[NO_WAIT]:
        from launchpath._mends.waits import force_waits  # noqa: PLC0415

        force_waits(by_kind[NO_WAIT])

    def told() -> dict[str, Any]:
        forced = [effect.facts() for effect in effects if effect.mend.kind != READ_BACKS]
        return {"mends": {**facts, "forced": forced, "read_backs": read.facts() if read else None}}

    def renew() -> None:
        for effect in effects:
            effect.renew()
        if read:
            read.renew()

    add_at_end(told)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)
    vars(_core)["mends"] = text
