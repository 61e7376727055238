"""From a finding to the mend that replay forces: as ``LAUNCHPATH_MEND`` has it."""

from __future__ import annotations

from collections.abc import Sequence

from launchpath._findings.anchor import KERNEL, Anchor
from launchpath._findings.site import split_site

_AT_SITES = {
    "equal-uploads": "skip-upload",
    "needless-synchronize": "no-wait",
}


def mend_text(kind: str, sites: Sequence[str], anchor: Anchor | None) -> str:
    """Give the mend of a kind of finding; empty: there is none that can be forced.

    Parameters
    ----------
    kind : str
        The finding's.
    sites : sequence of str
        The source lines, as "path:line function". Each becomes a mend.
    anchor : Anchor or None
        What tells the repetitions of its region: of ``launch-bound``, they become steps.
    """
    if kind == "launch-bound" and anchor is not None:
        if anchor.kind != KERNEL:
            return _escaped(f"step:{anchor.name}")
        times = f"*{anchor.every}" if anchor.every > 1 or _seems_counted(anchor.name) else ""
        return _escaped(f"step:@{anchor.name}{times}")
    if kind in _AT_SITES:
        places = dict.fromkeys(_place(site) for site in sites)
        return ",".join(_escaped(f"{_AT_SITES[kind]}:{place}") for place in places if place)
    return ""


def _place(site: str) -> str:
    parts = split_site(site)
    return f"{parts.path}:{parts.line}" if parts else ""


def _seems_counted(name: str) -> bool:
    """Whether a kernel's name ends as ``*N`` does."""
    return name.rpartition("*")[2].isdigit() and "*" in name


def _escaped(mend: str) -> str:
    return mend.replace(",", r"\,")
