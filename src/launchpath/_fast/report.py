"""Reports: a table of the launches by each way, and the line at the process's end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from launchpath._fast.records import RECORDS, Record

_MOST_REASONS = 3  # of a kernel in the table


@dataclass(frozen=True, slots=True)
class KernelLaunches:
    """The launches of one kernel.

    Attributes
    ----------
    library : str
        "triton", "numba" or "cupy".
    name : str
    fast, original : int
        Launches by launchpath, and by the library itself.
    reasons : dict of str to int
        Why the library itself launched, and how often.
    fast_time, original_time : float or None
        Seconds of one call: the median of those that were timed. None: none was.
    """

    library: str
    name: str
    fast: int
    original: int
    reasons: dict[str, int]
    fast_time: float | None
    original_time: float | None

    @property
    def saved(self) -> float | None:
        """Seconds that the fast launches have saved; None: one of the two ways was not timed."""
        if not self.fast:
            return 0.0
        if self.fast_time is None or self.original_time is None:
            return None
        return self.fast * (self.original_time - self.fast_time)


@dataclass(frozen=True, slots=True)
class FastReport:
    """What was launched by each way in this process: ``print(launchpath.fast.report())``.

    Attributes
    ----------
    kernels : tuple of KernelLaunches
        Most launches first.
    notes : tuple of str
        What holds for a whole library.
    """

    kernels: tuple[KernelLaunches, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def fast(self) -> int:
        """Launches by launchpath."""
        return sum(kernel.fast for kernel in self.kernels)

    @property
    def original(self) -> int:
        """Launches by the libraries themselves."""
        return sum(kernel.original for kernel in self.kernels)

    @property
    def reasons(self) -> dict[str, int]:
        """Why the libraries themselves launched, and how often; most often first."""
        total: Counter[str] = Counter()
        for kernel in self.kernels:
            total.update(kernel.reasons)
        return dict(total.most_common())

    @property
    def saved(self) -> float:
        """Seconds that the fast launches have saved, of the kernels for which both ways were timed."""
        return sum(kernel.saved or 0.0 for kernel in self.kernels)

    def line(self) -> str:
        """Say all of it in a line."""
        text = f"launchpath: {self.fast:,} launches were fast, {self.original:,} went their library's own way"
        reasons = [(reason, count) for reason, count in self.reasons.items() if not reason.startswith(_EXPECTED)]
        if reasons:
            reason, count = reasons[0]
            text += f" (most often: {reason}, {count:,})"
        unmeasured = sum(kernel.fast for kernel in self.kernels if kernel.saved is None)
        text += f"; saved {_seconds(self.saved)} of the host's time"
        return text + (f" (not measured for {unmeasured:,})" if unmeasured else "")

    def __str__(self) -> str:
        rows = [("Kernel", "Fast", "Own way", "Fast µs", "Own µs", "Saved", "Why the own way")]
        for kernel in self.kernels:
            reasons = Counter(kernel.reasons).most_common()
            why = "; ".join(f"{reason} {count:,}" for reason, count in reasons[:_MOST_REASONS])
            why += f"; {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
            saved = "-" if kernel.saved is None else _seconds(kernel.saved)
            rows.append((
                f"{kernel.library}: {kernel.name}", f"{kernel.fast:,}", f"{kernel.original:,}",
                _micros(kernel.fast_time), _micros(kernel.original_time), saved, why,
            ))  # fmt: skip
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
        lines = []
        for row in rows:
            cells = [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:], strict=True)),
            ]
            lines.append("  ".join([*cells, row[-1]]).rstrip())
        return "\n".join([*lines, *self.notes, self.line()])


_EXPECTED = ("on trial", "the first launch of its kind")


def _seconds(seconds: float) -> str:
    if abs(seconds) >= 1:
        return f"{seconds:,.2f} s"
    return f"{seconds * 1e3:,.2f} ms"


def _micros(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e6:,.2f}"


def _of(record: Record) -> KernelLaunches:
    reasons = record.reasons()
    return KernelLaunches(
        record.library, record.name, record.fast_launches(), sum(reasons.values()),
        dict(reasons.most_common()), record.fast_seconds(), record.original_seconds(),
    )  # fmt: skip


def report() -> FastReport:
    """Return what was launched by each way in this process so far.

    Returns
    -------
    FastReport
    """
    kernels = [_of(record) for record in RECORDS.all()]
    kernels = [kernel for kernel in kernels if kernel.fast or kernel.original]
    kernels.sort(key=lambda kernel: kernel.fast + kernel.original, reverse=True)
    return FastReport(tuple(kernels), tuple(RECORDS.notes))
