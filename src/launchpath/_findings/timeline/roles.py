"""Roles: what a call on a host thread is for, as far as findings go."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache

from launchpath._trace.summaries.categories import LOADING, category


class Role(IntEnum):
    """What a call does."""

    OTHER = 0
    LAUNCH = 1
    COPY = 2
    FILL = 3
    GRAPH = 4  # one call that submits many commands: a graph, or a step of launchpath
    DEFERRED = 5  # a command that a step keeps back: host time, and no work yet
    RECORD = 6  # records an event, or places a marker
    ORDER = 7  # makes a stream wait for an event
    SYNCHRONIZE = 8
    QUERY = 9
    ALLOCATE = 10
    FREE = 11
    LOAD = 12  # loads, builds or compiles
    FLUSH = 13


class Scope(IntEnum):
    """What a synchronization waits for."""

    NOTHING = 0
    EVENT = 1
    STREAM = 2
    DEVICE = 3


class Direction(IntEnum):
    """Which way a copy goes."""

    UNKNOWN = 0
    TO_DEVICE = 1
    TO_HOST = 2
    ON_DEVICE = 3


SUBMITS = (Role.LAUNCH, Role.COPY, Role.FILL, Role.GRAPH)
_DEVICE = re.compile(r"(cu|hip)(Ctx|Device)Synchronize|Device\.synchronize|device_wait")
_EVENT = re.compile(r"(cu|hip)EventSynchronize|clWaitForEvents|Event\.synchronize|event_wait")
_FREE = re.compile(r".*(Free|Release|Destroy)|free")
_RECORD = re.compile(r"(cu|hip)EventRecord|clEnqueueMarker|marker")
_ORDER = re.compile(r"(cu|hip)Stream(WaitEvent|WaitValue)|clEnqueueBarrier|queue_wait")
_GRAPH = re.compile(r"(cu|hip)GraphLaunch|Step\.submit|ExecutableGraph\.launch|graph_run|clEnqueueCommandBuffer")
_BY_CATEGORY = {LOADING: Role.LOAD, "query": Role.QUERY, "copy and fill": Role.COPY}


@cache
def role_of(function: str) -> Role:
    """Tell what a function of a driver or of launchpath is for, by its name."""
    if _GRAPH.match(function):
        return Role.GRAPH
    if scope_of(function):
        return Role.SYNCHRONIZE
    if _RECORD.match(function):
        return Role.RECORD
    if _ORDER.match(function):
        return Role.ORDER
    if "Flush" in function:
        return Role.FLUSH
    group = category(function)
    if group == "allocate":
        return Role.FREE if _FREE.match(function) else Role.ALLOCATE
    if group == "submit":
        return Role.LAUNCH if "aunch" in function or "NDRange" in function else Role.OTHER
    return _BY_CATEGORY.get(group, Role.OTHER)


@cache
def scope_of(function: str) -> Scope:
    """Tell what a synchronization waits for; `Scope.NOTHING`: the function is none."""
    if _DEVICE.match(function):
        return Scope.DEVICE
    if _EVENT.match(function):
        return Scope.EVENT
    if category(function) == "wait" or "synchronize" in function:
        return Scope.STREAM
    return Scope.NOTHING
