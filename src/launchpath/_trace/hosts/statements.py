"""Sentences about what chrony, PTP and the kernel say of a host's time of day."""

from __future__ import annotations

from launchpath._report import format_time
from launchpath._trace.hosts.host_clock import HostClock
from launchpath._trace.labels import text_of
from launchpath._trace.process import is_int


def sentences(clock: HostClock) -> list[str]:
    """Tell what is said of the time of day of a clock's host: a line for each of those who say it."""
    lines, told, host = [], clock.statements, clock.host or "a host"
    for name, source in (("chrony", "its source"), ("ptp", "its grandmaster")):
        facts = told.get(name, {})
        offset, bound = facts.get("offset"), facts.get("bound")
        if is_int(offset):
            within = f", within {format_time(bound)} of UTC" if is_int(bound) else ""
            lines.append(
                f"{name} on {host}: the time of day is {format_time(abs(offset))} from that of {source}, "
                f"{text_of(facts.get('source')) or 'which it does not name'}{within}"
            )
    kernel = told.get("kernel", {})
    if kernel.get("synchronized") is True and is_int(kernel.get("bound")):
        lines.append(f"the kernel of {host}: the time of day is within {format_time(kernel['bound'])} of UTC")
    elif kernel.get("synchronized") is False:
        lines.append(f"the kernel of {host}: no daemon keeps the time of day")
    return lines
