"""What came of a forced mend: how often it took effect, and how often it was refused, and why."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from launchpath._mends.request import Mend

_REASONS_MOST = 32  # with texts of their own


class Effect:
    """What came of a mend in this process. Any thread may count."""

    def __init__(self, mend: Mend) -> None:
        self.mend = mend
        self._lock = threading.Lock()
        self._count = self._unneeded = self._nanoseconds = 0
        self._refused: Counter[str] = Counter()

    def took(self, count: int = 1, nanoseconds: int = 0) -> None:
        """It took effect. To find out that it may took so long, which a mended program need not do."""
        with self._lock:
            self._count += count
            self._nanoseconds += nanoseconds

    def was_not_needed(self) -> None:
        """There was nothing to mend: bytes that differ were sent."""
        with self._lock:
            self._unneeded += 1

    def refused(self, reason: str) -> None:
        """It was not done, since it could have changed results; or it could not be done."""
        with self._lock:
            if reason not in self._refused and len(self._refused) >= _REASONS_MOST:
                reason = "other reasons"
            self._refused[reason] += 1

    def facts(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        with self._lock:
            return {
                "mend": self.mend.text,
                "kind": self.mend.kind,
                "effects": self._count,
                "ns": self._nanoseconds,
                "not_needed": self._unneeded,
                "refused": dict(self._refused),
            }

    def renew(self) -> None:
        """In a forked child: a thread of the parent may have held the lock."""
        self._lock = threading.Lock()
