"""Executables: copies of graphs that can be launched."""

from __future__ import annotations

import threading
from typing import Any

from launchpath._streams.device import Device
from launchpath._streams.event import Event
from launchpath._streams.graph import ExecutableGraph
from launchpath._streams.stream import Stream
from launchpath.errors import LaunchpathError
from launchpath.hip._graphs.graphs import Graph, Node, node_of
from launchpath.hip._graphs.works import Child, Empty, Work
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.errors import HipError
from launchpath.hip._types.handles import Handles

Result: Any = types.hipGraphExecUpdateResult


class Joined:
    """Nodes that follow each other, as one graph of launchpath's: a single submission."""

    def __init__(self, nodes: list[Node], device: Device, executable: ExecutableGraph | None) -> None:
        self.works = [node.work for node in nodes]
        self.device = device
        self.executable, self._current = executable, False

    def submit(self, stream: Stream) -> None:
        """Submit all of them."""
        if not self._current:
            self._capture()
        if self.executable is not None and self._current:
            self.executable.launch(stream)
            return
        for work in self.works:
            work.submit(stream)

    def _capture(self) -> None:
        stream = Stream(blocking=False, device=self.device)
        try:
            stream.begin_capture()
        except LaunchpathError:  # the thread is in a step, or captures by launchpath's own functions
            return
        try:
            for work in self.works:
                work.submit(stream)
        finally:
            graph = stream.end_capture()
        if self.executable is None:
            self.executable = graph.instantiate()
        else:
            self.executable.update(graph)
        self._current = True


class Executable:
    """A copy of a graph that can be launched."""

    def __init__(self, graph: Graph, flags: int) -> None:
        _check_order(graph)
        self.flags = flags
        self.graph = graph.copy()
        self.disabled: set[Node] = set()
        self.lock = threading.RLock()
        self._nodes: list[Node] = []  # those that run, in their order
        self._parts: list[Any] | None = None
        self._runs: list[tuple[tuple[Node, ...], Joined]] = []
        self._last: tuple[Event, Stream] | None = None
        self._left: list[tuple[Work, Event]] = []  # replaced while a launch may still use them

    def node(self, handle: Any) -> Node:
        """Return the node that is the copy of a graph's node."""
        copied = self.graph.copies.get(node_of(handle))
        if copied is None:
            raise HipError(Error.hipErrorInvalidValue, "expected a node of the graph that this was instantiated from")
        return copied

    def change(self, node: Node, work: Work) -> None:
        """Let a node do something else of the same type, on the same device."""
        with self.lock:
            if type(node.work) is not type(work):
                raise HipError(
                    Error.hipErrorInvalidValue,
                    f"expected parameters of type {node.work.kind.name}, got {work.kind.name}",
                )
            if None not in (node.work.device, work.device) and node.work.device is not work.device:
                raise HipError(Error.hipErrorInvalidValue, "a node of an executable graph cannot change its device")
            self._replace(node, work)

    def _replace(self, node: Node, work: Work) -> None:
        if self._last is not None:
            self._left.append((node.work, self._last[0]))
        node.work = work
        self._parts = None

    def _works(self, graph: Graph) -> list[Node]:
        nodes = []
        for node in graph.order():
            if isinstance(node.work, Child):
                nodes += self._works(node.work.graph)
            elif node not in self.disabled:
                nodes.append(node)
        return nodes

    def _make_parts(self) -> list[Any]:
        runs: list[list[Node]] = []
        for node in self._nodes:
            last = runs[-1][-1].work if runs else None
            if last is not None and last.joins and node.work.joins and last.device is node.work.device:
                runs[-1].append(node)
            else:
                runs.append([node])
        before = {nodes: joined.executable for nodes, joined in self._runs}  # to be updated
        parts: list[Any] = []
        self._runs = []
        for run in runs:
            device = run[0].work.device
            if len(run) == 1 or device is None:
                parts += [node.work for node in run]
                continue
            joined = Joined(run, device, before.get(tuple(run)))
            self._runs.append((tuple(run), joined))
            parts.append(joined)
        return parts

    def launch(self, stream: Stream) -> None:
        """Submit all nodes, behind the launch before."""
        with self.lock:
            if self._parts is None:
                self._nodes = self._works(self.graph)
                self._parts = self._make_parts()
            self._check(stream)
            if self._last is not None and self._last[1] is not stream:
                stream.wait(self._last[0])
            try:
                for part in self._parts:
                    part.submit(stream)
            finally:
                self._last = stream.record(), stream
            self._left = [(work, event) for work, event in self._left if not event.query()]

    def _check(self, stream: Stream) -> None:
        for node in self._nodes:
            node.work.check()
            if node.work.device is not None and node.work.device is not stream.device:
                raise HipError(
                    Error.hipErrorInvalidValue,
                    f"expected a stream of {node.work.device.name!r}, which the graph uses, got one of "
                    f"{stream.device.name!r}",
                )

    def update(self, graph: Graph) -> None:
        """Take another graph's parameters over, if it has the same nodes and edges."""
        self.update_part(self.graph, graph)

    def update_part(self, part: Graph, graph: Graph) -> None:
        """Do so with a graph within it."""
        with self.lock:
            for node, other in _same(part, graph):
                self._replace(node, other.work)

    def switch(self, node: Node, enabled: bool) -> None:
        """Let a node run in later launches, or not."""
        with self.lock:
            (self.disabled.discard if enabled else self.disabled.add)(node)
            self._parts = None

    def snapshot(self) -> Graph:
        """Return a copy of its graph, in which nodes that do not run are empty."""
        with self.lock:
            graph = self.graph.copy()
            for node in self.disabled:
                graph.copies[node].work = Empty()
            graph.owned = True
            return graph

    def wait(self) -> None:
        """Wait for the last launch."""
        with self.lock:
            if self._last is not None:
                self._last[0].synchronize()

    def end(self) -> None:
        """Wait for the last launch, and forget everything."""
        with self.lock:
            try:
                self.wait()
            finally:
                self.graph.end()
                self._parts, self._left, self._runs, self._nodes = [], [], [], []


def _check_order(graph: Graph) -> None:
    for node in graph.order():
        if isinstance(node.work, Child):
            _check_order(node.work.graph)


def _same(graph: Graph, other: Graph) -> list[tuple[Node, Node]]:
    nodes, others = graph.nodes, other.nodes
    if len(nodes) != len(others):
        longer = others[len(nodes)] if len(others) > len(nodes) else None
        raise Refusal(Result.hipGraphExecUpdateErrorTopologyChanged, longer, "another number of nodes")
    places = {node: place for place, node in enumerate(nodes)}
    their_places = {node: place for place, node in enumerate(others)}
    pairs = []
    for node, their in zip(nodes, others, strict=True):
        if type(node.work) is not type(their.work):
            raise Refusal(Result.hipGraphExecUpdateErrorNodeTypeChanged, their, "a node of another type")
        before = {places[first] for first in graph.before[node]}
        if before != {their_places[first] for first in other.before[their]}:
            raise Refusal(Result.hipGraphExecUpdateErrorTopologyChanged, their, "other edges")
        if isinstance(node.work, Child) and isinstance(their.work, Child):
            pairs += _same(node.work.graph, their.work.graph)
        elif node.work.device is not their.work.device:
            raise Refusal(Result.hipGraphExecUpdateErrorParametersChanged, their, "work of another device")
        else:
            pairs.append((node, their))
    return pairs


class Refusal(HipError):
    """An update that is refused, with the node because of which."""

    def __init__(self, result: Any, node: Node | None, difference: str) -> None:
        super().__init__(
            Error.hipErrorGraphExecUpdateFailure,
            f"expected a graph with the same nodes and edges, got {difference}: instantiate it",
            (result,),
        )
        self.node = node


executables: Handles[Executable] = Handles(types.hipGraphExec, Error.hipErrorInvalidValue)
