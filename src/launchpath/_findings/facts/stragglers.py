"""Stragglers: the slowest of several threads or processes that do the same, for which the others wait."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy

from launchpath._findings.amounts import counted, percent_text, plain_time
from launchpath._findings.draft import draft, us
from launchpath._findings.finding import Finding
from launchpath._findings.idle.idle import Idle, idle_of
from launchpath._findings.idle.spans import Spans, union
from launchpath._findings.idle.turns import partners
from launchpath._findings.noise import floor
from launchpath._findings.regions.region import Region
from launchpath._findings.simulation.edits import Before, Edit, Faster
from launchpath._findings.timeline.roles import SUBMITS, Role
from launchpath._findings.wording import device_facts, share_of

KIND = "straggler"
WAITS = "waits for the slowest"  # a note of the regions that do
_WORTH = 0.05  # of a repetition
_SAME = 0.1  # by which the times of repetitions of threads that wait for each other differ at most
_WAITED = 0.5  # of what the slowest takes longer, for which the others must be seen to wait
_STEADY = 0.8  # of the mean of unit vectors, an angle for the part of a period: 1 if all repetitions begin alike
_NEAR = 0.1  # of a period, by which threads begin apart when a barrier lets them go on
_COLLECTIVE = re.compile(r"nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|mpi", re.IGNORECASE)
_WAITS = (Role.SYNCHRONIZE, Role.COPY)


@dataclass
class Member:
    """A thread's part in what several do.

    Attributes
    ----------
    region : Region
    idle : Idle
    period : float
        Nanoseconds of a repetition.
    device, host : float
        Of these, the time of its works, and the time of its own calls and code beside them. The rest is waiting.
    """

    region: Region
    idle: Idle
    period: float
    device: float
    host: float

    @property
    def active(self) -> float:
        """Nanoseconds of a repetition in which it does not wait for others."""
        return self.device + self.host


def facts_of_groups(regions: Sequence[Region]) -> list[tuple[Region, Finding]]:
    """Find the slowest of threads and processes that do the same.

    Parameters
    ----------
    regions : sequence of Region
        Of all threads of all processes.
    """
    groups: dict[tuple[str, ...], list[tuple[Region, Idle]]] = {}
    for region in regions:
        idle = idle_of(region)
        if idle is not None and floor(region) < float("inf"):
            groups.setdefault(_signature(region), []).append((region, idle))
    findings = [_finding([_member(*each) for each in group]) for group in groups.values() if len(group) > 1]
    return [pair for pair in findings if pair is not None]


def _signature(region: Region) -> tuple[str, ...]:
    """Tell what a region submits: regions of several threads that submit the same do the same."""
    ops, timeline = region.timeline.ops, region.timeline
    first = region.aligned()[:1].reshape(-1)
    rows = first[numpy.isin(ops.role[first], SUBMITS)]
    return tuple(sorted({timeline.names[name] for name in ops.name[rows].tolist()}))


def _member(region: Region, idle: Idle) -> Member:
    timeline, calls, ordinary = region.timeline, idle.calls, idle.ordinary
    ops, works = timeline.ops, timeline.works
    collective = numpy.array([bool(_COLLECTIVE.search(name)) for name in timeline.names] or [False])
    own = (ops.thread[works.op] == region.thread) & ~collective[works.name]
    busy: Spans = union(works.begin[own], works.end[own])[0]
    begin, end = ops.begin[calls.rows], ops.end[calls.rows]
    waits = numpy.isin(ops.role[calls.rows], _WAITS)
    inside = numpy.where(waits, 0, end - begin - busy.between(begin, end))
    code = calls.pieces - busy.between(begin - calls.pieces, begin)
    code = numpy.maximum(code - calls.away, 0)
    device = busy.between(region.begun[ordinary], region.ended[ordinary])
    return Member(
        region=region,
        idle=idle,
        period=float(numpy.median(region.durations[ordinary])),
        device=float(numpy.median(device)),
        host=float(numpy.median(idle.each(inside + code))),
    )


def _finding(members: list[Member]) -> tuple[Region, Finding] | None:
    if _share_gpu(members):
        members = [replace(member, device=0.0) for member in members]
    members = sorted(members, key=lambda member: -member.active)
    slowest, others = members[0], members[1:]
    region = slowest.region
    usual = float(numpy.median([member.active for member in others]))
    longer = slowest.active - usual
    if longer < max(_WORTH * slowest.period, *(floor(member.region) for member in members)):
        return None
    of_others = float(numpy.median([member.period for member in others]))
    together = abs(of_others - slowest.period) <= _SAME * slowest.period
    waited = float(numpy.median([member.period - member.active for member in others]))
    if (together and waited < _WAITED * longer) or (not together and of_others > slowest.period):
        return None
    if together and not all(_in_step(slowest, member, longer) for member in others):
        return None  # each takes work when it has done its own: nothing waits for the slowest
    if (
        any(member.region.timeline is region.timeline for member in others)
        and len(partners(region.timeline, region.thread)) > 1
    ):
        return None  # they wait for a lock, and not for each other
    noun, name = _noun(members), _name(slowest, members)
    mean = float(numpy.mean([member.active for member in members]))
    waits = (waited, of_others) if together else None
    sentence = _sentence(slowest, len(others), noun, name, usual, waits)
    rows = region.rows()[numpy.isin(region.timeline.ops.role[region.rows()], SUBMITS)]
    finding = draft(
        region,
        KIND,
        rows,
        subject=name,
        sentence=sentence,
        mend=f"Divide the work so that each {noun} has the same: {plain_time(mean)} of each repetition.",
        evidence={
            "us_slowest": us(slowest.active),
            "us_slowest_device": us(slowest.device),
            "us_slowest_host": us(slowest.host),
            "us_others": us(usual),
            "us_others_wait": us(waited),
            "members": len(members),
            "active": [{"name": _name(member, members), "us": us(member.active)} for member in members],
        },
        edit=_edit(slowest, members, mean),
    )
    finding.threads = [_name(member, members) for member in members]
    if together:
        for member in others:
            member.region.notes[WAITS] = True
    return region, finding


def _sentence(
    slowest: Member, others: int, noun: str, name: str, usual: float, waits: tuple[float, float] | None
) -> str:
    """Say by how much the slowest is slower than the others usually are.

    Parameters
    ----------
    others : int
        How many there are.
    usual : float
        Nanoseconds of a repetition in which the others are active.
    waits : tuple of float or None
        Nanoseconds of a repetition for which the others wait for it, and all nanoseconds of theirs; None: they do not.
    """
    several = others > 1
    rest = f"the other {noun}"
    if several:
        rest = f"the other {counted(others, noun, f'{noun}es' if noun == 'process' else '')}"
    took = (
        f"`{name}` takes {plain_time(slowest.active)} of each repetition of `{slowest.region.name}`, {rest} "
        f"{plain_time(usual)}"
    )
    if waits is None:
        return f"{took}: it is {share_of(slowest.active - usual, slowest.region, slowest.period)} slower."
    wait, (waited, period) = "they wait" if several else "it waits", waits
    return f"{took}: {wait} {plain_time(waited)} for it, {percent_text(waited, period)} of the time."


def _in_step(slowest: Member, other: Member, longer: float) -> bool:
    """Tell whether a thread begins its repetitions with those of the slowest one, as threads behind a barrier do.

    The first call of a repetition can come later by what the slowest does before it, which is `longer` at most.
    """
    hosts = {member.region.timeline.process.facts.get("host") for member in (slowest, other)}
    begins, its = slowest.region.begins, other.region.begins
    its = its[(its >= begins[0]) & (its < begins[-1])]
    if len(hosts) > 1 or not len(its):
        return True  # clocks of two hosts are not compared here
    since = (its - begins[numpy.searchsorted(begins, its, "right") - 1]) / slowest.period
    mean = numpy.exp(2j * numpy.pi * since).mean()
    apart = abs(float(numpy.angle(mean))) / (2 * numpy.pi) * slowest.period
    return bool(abs(mean) >= _STEADY) and apart <= longer + _NEAR * slowest.period


def _share_gpu(members: list[Member]) -> bool:
    """Tell whether a GPU does the work of several processes: in turn, so its time says nothing of a member's own."""
    used = set()
    for member in members:
        timeline = member.region.timeline
        facts = device_facts(timeline, member.idle.device)
        if facts.get("pci_bus"):
            used.add((timeline.process.facts.get("host"), facts["pci_bus"], id(timeline)))
    return len({gpu[:2] for gpu in used}) < len(used)


def _edit(slowest: Member, members: list[Member], mean: float) -> Edit:
    """Make the edit that gives the slowest as much to do as all have on the average."""
    region, saved = slowest.region, slowest.active - mean
    rows = region.aligned().reshape(-1)
    device = slowest.device - float(numpy.mean([member.device for member in members]))
    if device >= saved / 2 and slowest.device > 0:
        submits = rows[numpy.isin(region.timeline.ops.role[rows], SUBMITS)]
        return Faster(submits, work=max(1 - saved / slowest.device, 0.0))
    return Before(rows, max(1 - saved / slowest.host, 0.0) if slowest.host > 0 else 1.0)


def _noun(members: list[Member]) -> str:
    return "thread" if len({id(member.region.timeline) for member in members}) == 1 else "process"


def _name(member: Member, members: list[Member]) -> str:
    timeline, thread = member.region.timeline, member.region.thread
    process, name = timeline.process, timeline.thread_names[thread]
    if _noun(members) == "process":
        return f"rank {process.rank}" if process.rank is not None else f"process {process.pid}"
    alike = timeline.thread_names.count(name) > 1
    return f"{name} {timeline.threads[thread]}" if alike else name
