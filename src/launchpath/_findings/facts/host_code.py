"""Host code between calls that holds a region's device back."""

from __future__ import annotations

import numpy

from launchpath._findings.amounts import counted, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.facts.launch_bound import runs
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.places import Places, places_of
from launchpath._findings.noise import floor
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Before
from launchpath._findings.site import short_site
from launchpath._findings.statistics import median_interval
from launchpath._findings.timeline.ops import Array
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import device_word, program_word, share_of, sites_of

KIND = "host-code"
_WORTH = 0.05  # of a repetition: less is what any loop needs between its calls
_LONG = 50e3  # nanoseconds of a piece of code: shorter ones must be more of the time
# Of a repetition: host code or queries that take so much are spoken of, hidden or not. Waits for other threads and
# processes too: where several share a work evenly, each waits for another one now and then.
_COSTLY = 0.2
_LITTLE = 0.05  # of that time in which the device is idle all the same
_ALIKE = 1.5  # by which the times of code differ at most that is the same code
_ASLEEP = 0.5  # of a pause that the thread did not run


def facts(region: Region) -> list[Finding]:
    """Find the code between calls during which a region's device is idle."""
    idle = idle_of(region)
    least = floor(region)
    if idle is None or least == float("inf"):
        return []
    places = places_of(region, idle)
    if not len(places):
        return []
    own = ~places.loads  # what compiles and loads is said elsewhere
    own[1:] &= ~places.loads[:-1]
    for run in runs(region, places):
        own[run.columns[run.calling]] = False  # what makes the next launch belongs to the launches
    columns = numpy.flatnonzero(own)
    findings, rest = [], []
    for group in _groups(region, places, columns):
        waited = float(numpy.median(places.before[:, group].sum(axis=1)))
        running = waited * (1 - (_asleep(places, group) or 0.0))
        worth = _WORTH if running >= _LONG * len(group) else _COSTLY
        if running >= max(least, worth * idle.period) or waited >= max(least, _COSTLY * idle.period):
            findings.append(_between(region, idle, places, group))
        else:
            rest.append(group)
    others = numpy.concatenate([*rest, numpy.zeros(0, "i8")]).astype("i8")
    if float(numpy.median(places.before[:, others].sum(axis=1))) >= max(least, _COSTLY * idle.period):
        findings.append(_between(region, idle, places, others))
    if not findings:
        findings += _hidden_code(region, idle, places, columns, least)
    return [*findings, *_queries(region, idle, least)]


def _groups(region: Region, places: Places, columns: Array) -> list[Array]:
    """Put places together that are before the same call: of the same name, at the same line."""
    ops, rows = region.timeline.ops, places.rows[0, columns]
    key = ops.name[rows].astype("i8") << 32 | ops.site[rows].astype("i8")
    # The first call behind a wait stands by itself, the device has nothing to do before it: but for the same code.
    behind = places.waits[columns - 1] & ~places.waits[columns]
    pieces = numpy.median(places.pieces[:, columns], axis=0)
    for code in numpy.unique(key[behind]).tolist():
        rest = pieces[(key == code) & ~behind]
        if len(rest):
            usual = float(numpy.median(rest))
            behind &= (key != code) | (pieces > _ALIKE * usual) | (pieces < usual / _ALIKE)
    _, codes = numpy.unique(key * 2 + behind, return_inverse=True)
    codes = codes.reshape(-1)
    return [columns[codes == code] for code in numpy.unique(codes).tolist()]


def _between(region: Region, idle: Idle, places: Places, columns: Array) -> Finding:
    timeline = region.timeline
    held = median_interval(places.before[:, columns].sum(axis=1))
    device, code = device_word(timeline, idle.device), program_word(timeline)
    calls = region.aligned()[:, columns]
    evidence = {
        "us_idle": us(held.value),
        "us_idle_low": us(held.low),
        "us_idle_high": us(held.high),
        "us_code": us(float(numpy.median(places.pieces[:, columns].sum(axis=1)))),
        "pieces": len(columns),
        "busy": round(idle.busy, 4),
    }
    asleep = _asleep(places, columns)
    if asleep is not None:
        evidence["share_asleep"] = round(asleep, 3)
    first = int(columns[0])
    names = numpy.unique(timeline.ops.name[places.rows[0, columns]])
    subject = timeline.names[int(names[0])] if len(names) == 1 else region.name
    if len(names) > 1:
        where = f"in {len(columns)} places"
    elif len(columns) > 1:
        where = f"before {counted(len(columns), 'call')} of {_named(region, places, first)}"
    else:
        where = f"between {_named(region, places, first - 1)} and {_named(region, places, first)}"
    part = f"{plain_time(held.value)}, {share_of(held.value, region, idle.period)}"
    if asleep is not None and asleep >= _ASLEEP:
        doing = f"The thread sleeps, or waits for a file or another process, {where}"
        sentence = f"{doing}: {device} is idle for {part}."
    else:
        sentence = f"{_capital(code)} {where} holds {device} back: it is idle for {part}."
    behind = bool(places.waits[first - 1]) and len(columns) == 1
    mend = (
        f"Do it while {device} works: submit what follows before {_named(region, places, first - 1)} waits, "
        "or move the code before the wait."
        if behind
        else f"Do it before, beside {device}'s work, or in less time."
    )
    calls = calls.reshape(-1)
    return draft(
        region, KIND, calls, subject=subject, sentence=sentence, mend=mend, evidence=evidence, edit=Before(calls, 0.0)
    )


def _asleep(places: Places, columns: Array) -> float | None:
    """Give the share of the code's time in which the thread did not run at all; None: not known."""
    known = places.known[:, columns]
    waited = places.before[:, columns][known].sum()
    return float(places.asleep[:, columns][known].sum() / waited) if waited else None


def _named(region: Region, places: Places, column: int) -> str:
    """Name a call: "`integrate` (simulate.py:41)"."""
    timeline = region.timeline
    row = int(places.rows[0, column])
    sites = sites_of(timeline, places.rows[:1, column])
    return f"`{timeline.names[int(timeline.ops.name[row])]}`" + (f" ({short_site(sites[0])})" if sites else "")


def _hidden_code(region: Region, idle: Idle, places: Places, columns: Array, least: float) -> list[Finding]:
    """Find code that takes long and costs nothing: the device has work meanwhile."""
    device, code = device_word(region.timeline, idle.device), program_word(region.timeline)
    running = numpy.maximum(places.pieces - places.away, 0)[:, columns]
    taken = float(numpy.median(running.sum(axis=1)))
    waited = float(numpy.median(places.before[:, columns].sum(axis=1)))
    if taken < max(least, _COSTLY * idle.period) or waited >= _LITTLE * taken:
        return []
    # Nothing is known of pauses without a look: the thread may wait for other ones.
    alone = len(numpy.unique(region.timeline.ops.thread[numpy.isin(region.timeline.ops.role, SUBMITS)])) == 1
    if not alone and not places.known[:, columns].any():
        return []
    calls = region.aligned()[:, columns].reshape(-1)
    hidden = draft(
        region,
        KIND,
        calls,
        subject=region.name,
        sentence=f"{_capital(code)} between calls takes {plain_time(taken)}, {share_of(taken, region, idle.period)}, "
        f"and {device} has work meanwhile: it is idle for {plain_time(waited)} of that.",
        mend="Leave it: the code is hidden behind what the device does.",
        hidden=True,
        evidence={"us_code": us(taken), "us_idle": us(waited), "busy": round(idle.busy, 4)},
        edit=Before(calls, 0.0),
    )
    return [hidden]


def _queries(region: Region, idle: Idle, least: float) -> list[Finding]:
    """Find queries that cost the host much and the device nothing."""
    ops = region.timeline.ops
    rows = idle.calls.rows
    chosen = ops.role[rows] == Role.QUERY
    if not chosen.any():
        return []
    taken = float(numpy.median(idle.each(numpy.where(chosen, ops.end[rows] - ops.begin[rows], 0))))
    waited = float(numpy.median(idle.each(numpy.where(chosen, idle.calls.inside, 0))))
    if taken < least or waited >= least:
        return []
    rows = rows[chosen]
    names, counts = numpy.unique(ops.name[rows], return_counts=True)
    subject = region.timeline.names[int(names[numpy.argmax(counts)])]
    device = device_word(region.timeline, idle.device)
    return [
        draft(
            region,
            KIND,
            rows,
            subject=subject,
            sentence=f"`{subject}` takes {plain_time(taken)} of the host, {share_of(taken, region, idle.period)}, "
            f"and {device} is idle for {plain_time(waited)} of that.",
            mend="Leave it: queries change nothing.",
            hidden=True,
            evidence={
                "us_calls": us(taken),
                "us_idle": us(waited),
                "queries": round(len(rows) / len(idle.repetitions), 1),
            },
        )
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
