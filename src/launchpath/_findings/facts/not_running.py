"""Threads that are ready to run and have no processor, while a device waits for them."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.facts.locks import without
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import idle_of
from launchpath._findings.noise import least
from launchpath._findings.regions.region import Region
from launchpath._findings.statistics import mean_interval
from launchpath._findings.wording import device_word, share_of

KIND = "thread-not-running"
_SHARE = 0.02  # of the time, that is worth speaking of


def facts(region: Region) -> list[Finding]:
    """Find what a region's device loses because its thread has no processor.

    A thread that has to share its processor runs many repetitions at full speed, and then none for some milliseconds:
    those that took long count here, which are left out elsewhere.
    """
    idle = idle_of(region)
    if idle is None:
        return []
    calls, timeline = idle.calls, region.timeline
    each, period = idle.each(calls.ready), idle.period
    if mean_interval(each).low < least(region):
        each = numpy.bincount(idle.repetition, calls.ready, minlength=len(region))[idle.repetitions]
        period = float(region.durations[idle.repetitions].mean())
    lost = mean_interval(each)
    if lost.low < max(least(region), _SHARE * period):
        return []
    rows = calls.rows[calls.ready > 0]
    device, thread = device_word(timeline, idle.device), timeline.thread_names[region.thread]
    looks = timeline.looks.take(timeline.looks.thread == region.thread)
    evidence = {
        "us_idle": us(lost.value),
        "us_idle_low": us(lost.low),
        "us_idle_high": us(lost.high),
        "share_of_looks": round(float(looks.runnable.sum() / max((looks.end - looks.begin).sum(), 1)), 4),
        "busy": round(idle.busy, 4),
    }
    finding = draft(
        region,
        KIND,
        rows,
        subject=thread,
        sentence=f"`{thread}` is ready to run and has no processor, and {device} is idle for "
        f"{plain_time(lost.value)}, {share_of(lost.value, region, period)}.",
        mend="Run fewer threads than there are processors, or give this thread a processor of its own.",
        evidence=evidence,
        edit=without(idle, timeline.ops, calls.ready, calls.ready_inside),
    )
    finding.period = period
    return [finding]
