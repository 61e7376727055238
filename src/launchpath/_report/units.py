"""Times and shares as text for readers."""

from __future__ import annotations

UNITS = ((1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s"))


def format_time(nanoseconds: float) -> str:
    """Write a time in the unit that leaves it below 1000, at most seconds: ``5.26us``, ``100.67ms``, ``1.43s``."""
    size, unit = next((pair for pair in UNITS if round(abs(nanoseconds) / pair[0], 2) < 1000), UNITS[-1])
    return f"{nanoseconds / size:.2f}{unit}"


def format_share(part: float, whole: float) -> str:
    """Write a part in per cent of the whole: ``85.15%``. Nothing has no parts: 0."""
    return f"{100 * part / whole if whole else 0.0:.2f}%"


def format_bytes(size: float) -> str:
    """Write a number of bytes in powers of 1024: ``1000 B``, ``48 KiB``, ``23.5 GiB``."""
    unit = "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if abs(size) < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:.1f}".removesuffix(".0") + f" {unit}"
