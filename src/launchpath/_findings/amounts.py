"""Amounts with their intervals, and source lines, as text."""

from __future__ import annotations

from launchpath._findings.interval import Interval
from launchpath._findings.site import short_site
from launchpath._report.console import printable
from launchpath._report.units import UNITS, format_time

_WHOLE = 9.95  # numbers from it on have no decimals
_LOPSIDED = 2.0  # from this ratio of its two sides on, an interval is written with its bounds


def short_time(nanoseconds: float) -> str:
    """Write a time with three digits: ``920ms``, ``33.6ms``, ``4.40s``."""
    size, unit = _unit(nanoseconds)
    return f"{nanoseconds / size:.{_digits(nanoseconds / size)}f}{unit}"


def plain_time(nanoseconds: float) -> str:
    """Write a time for a sentence: ``3.1 us``, ``84 us``, ``280 ns``."""
    text = format_time(nanoseconds)
    unit = text.lstrip("-0123456789.")
    value = float(text[: -len(unit)])
    return f"{value:.{0 if abs(value) >= _WHOLE or unit == 'ns' else 1}f} {unit}"


def time_text(time: Interval) -> str:
    """Write a time with its interval: ``2.30ms ± 0.10``, or ``2.30ms (2.20 to 2.90)``."""
    if time.low == time.high:
        return short_time(time.value)
    size, unit = _unit(time.value or max(abs(time.low), abs(time.high)))
    value, half = time.value / size, time.half / size
    digits = max(_digits(value), 2 if half < 0.5 else 1 if half < 5 else 0)
    text = f"{value:.{digits}f}{unit}"
    if _is_lopsided(time):
        return f"{text} ({time.low / size:.{digits}f} to {time.high / size:.{digits}f})"
    return f"{text} ± {max(half, 10.0**-digits):.{digits}f}"


def share_text(share: Interval) -> str:
    """Write a share with its interval, in per cent: ``52 % ± 2``."""
    percent = share.scaled(100)
    digits = 0 if percent.half >= 1 or abs(percent.value) >= 10 else 1
    text = f"{percent.value:.{digits}f} %"
    if percent.low == percent.high:
        return text
    if _is_lopsided(percent):
        return f"{text} ({percent.low:.{digits}f} to {percent.high:.{digits}f})"
    return f"{text} ± {max(percent.half, 10.0**-digits):.{digits}f}"


def number_text(number: Interval) -> str:
    """Write a number with its interval: ``0.97 ± 0.03``."""
    if number.low == number.high:
        return f"{number.value:.2f}"
    return f"{number.value:.2f} ± {max(number.half, 0.01):.2f}"


def percent_text(part: float, whole: float = 1.0) -> str:
    """Write a share without an interval, in per cent: ``29 %``, and below 10 ``2.9 %``."""
    percent = 100 * part / whole if whole else 0.0
    return f"{percent:.{0 if round(percent, 1) >= 10 else 1}f} %"


def counted(count: float, noun: str, plural: str = "") -> str:
    """Write a number of things: ``1 process``, ``96 launches``."""
    whole = round(count)
    return f"{whole:,} {noun if whole == 1 else plural or noun + ('es' if noun.endswith('s') else 's')}"


def site_text(site: str) -> str:
    """Write a source line without the folder: ``simulate.py:57``. What could move a cursor is escaped."""
    return printable(short_site(site))


def cut(text: str, most: int) -> str:
    """Leave out the middle of a text that is longer than ``most`` characters. What could move a cursor is escaped."""
    text = printable(text)
    if len(text) <= most:
        return text
    end = (most - 3) // 3
    return f"{text[: most - 3 - end]}...{text[len(text) - end :]}"


def _unit(nanoseconds: float) -> tuple[float, str]:
    return next((pair for pair in UNITS if abs(nanoseconds) / pair[0] < 999.5), UNITS[-1])


def _digits(value: float) -> int:
    """Decimals of a number that is written with three digits."""
    return 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0


def _is_lopsided(interval: Interval) -> bool:
    sides = sorted((interval.value - interval.low, interval.high - interval.value))
    return sides[1] > _LOPSIDED * sides[0]
