"""What a trace keeps of its records."""

from __future__ import annotations

from typing import Any, NamedTuple

from launchpath import _core
from launchpath._shown import described, shown
from launchpath.errors import ArgumentValueError

KINDS = ("records", "summary", "both", "slow")
_RECORDS, _SUMMARY, _WINDOW = 1, 2, 4  # bits of `trace_keep` of _core/trace/records/store.h
_BITS = {"records": 0, "summary": _SUMMARY, "both": _RECORDS | _SUMMARY, "slow": _SUMMARY | _WINDOW}
_MOST = 86400.0  # seconds
_USUAL_WINDOW = 1.0


class Keep(NamedTuple):
    """What is kept.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    slow, window : int
        Nanoseconds from which on a turn is slow, and of the records before and behind it that are kept.
    """

    kind: str
    slow: int = 0
    window: int = 0

    @classmethod
    def checked(cls, kind: Any, slow: Any = None, window: Any = None) -> Keep:
        """Check the arguments of `launchpath.trace`, which says what they mean: times in seconds.

        Raises
        ------
        ArgumentValueError
            One of them has no such value, or one is missing or superfluous.
        """
        if kind not in KINDS:
            raise ArgumentValueError(f"keep: expected one of {', '.join(KINDS)}, got {shown(kind)}")
        if kind != "slow":
            for name, value in (("slow", slow), ("window", window)):
                if value is not None:
                    raise ArgumentValueError(f"{name}: expected nothing with keep={kind!r}, got {shown(value)}")
            return cls(kind)
        if slow is None:
            raise ArgumentValueError(
                "slow: expected seconds with keep='slow', got nothing: give the time from which on a step is slow"
            )
        usual = _USUAL_WINDOW if window is None else window
        return cls(kind, _nanoseconds(slow, "slow"), _nanoseconds(usual, "window"))

    @property
    def bits(self) -> int:
        """The same for the core and the recorder."""
        return _BITS[self.kind]

    def for_core(self) -> tuple[int, tuple[list[int], list[int]], int, int]:
        """Give the arguments of the core: bits, the entries that wait, and times."""
        if self.kind == "records":
            return 0, ([], []), 0, 0
        from launchpath._trace.labels import Labels  # noqa: PLC0415 (only where a summary is kept)

        entries, api = _core.trace_entry_names()
        return self.bits, Labels({"entries": entries, "api": api}, {}).synchronizing(), self.slow, self.window

    def end(self, path: str) -> None:
        """Make the file of a trace that has ended what it is to be."""
        if self.kind == "summary":
            from launchpath._trace.condensed.condense import condense_in_place  # noqa: PLC0415 (only here)

            condense_in_place(path)


def _nanoseconds(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1e-9 <= value <= _MOST:
        raise ArgumentValueError(f"{name}: expected seconds, above 0 and at most {_MOST:.0f}, got {described(value)}")
    return round(value * 1e9)
