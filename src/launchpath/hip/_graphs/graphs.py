"""Graphs: nodes, and the edges between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from launchpath.hip._graphs.user_objects import UserObject
from launchpath.hip._graphs.works import Child, Work
from launchpath.hip._types.bindings import Error, address, types
from launchpath.hip._types.errors import HipError, function
from launchpath.hip._types.handles import Handles
from launchpath.hip._types.values import pointers_at, text_of


class Node:
    """A node: what it does, and the graph it is in."""

    def __init__(self, graph: Graph, work: Work) -> None:
        self.graph, self.work = graph, work
        self._handle: Any = None

    @property
    def handle(self) -> Any:
        """The node's only handle."""
        if self._handle is None:
            self._handle = _nodes.add(self)
        return self._handle

    def end(self) -> None:
        """Take the handle back."""
        if self._handle is not None:
            _nodes.remove(self._handle)
            self._handle = None
        if isinstance(self.work, Child):
            self.work.graph.end()


class Graph:
    """Nodes, in the order in which they were added, and what each depends on."""

    def __init__(self) -> None:
        self.before: dict[Node, dict[Node, None]] = {}
        self.objects: Counter[UserObject] = Counter()
        self.copies: dict[Node, Node] = {}  # of a copy: its nodes by those of the graph it is a copy of
        self.owned = False  # by a node
        self._handle: Any = None

    @property
    def nodes(self) -> list[Node]:
        """All nodes."""
        return list(self.before)

    @property
    def handle(self) -> Any:
        """The graph's only handle."""
        if self._handle is None:
            self._handle = graphs.add(self)
        return self._handle

    def add(self, work: Work, before: Iterable[Node] = ()) -> Node:
        """Add a node that depends on others."""
        needed = dict.fromkeys(before)
        if any(node.graph is not self for node in needed):
            raise HipError(Error.hipErrorInvalidValue, "expected dependencies of the same graph")
        node = Node(self, work)
        self.before[node] = needed
        return node

    def remove(self, node: Node) -> None:
        """Remove a node and its edges."""
        del self.before[node]
        for needed in self.before.values():
            needed.pop(node, None)
        node.end()

    def edges(self) -> list[tuple[Node, Node]]:
        """Return all edges: each from a node to one that depends on it."""
        return [(first, node) for node, needed in self.before.items() for first in needed]

    def order(self) -> list[Node]:
        """Return the nodes, each behind those that it depends on."""
        left = {node: len(needed) for node, needed in self.before.items()}
        dependents: dict[Node, list[Node]] = {node: [] for node in left}
        for first, node in self.edges():
            dependents[first].append(node)
        ordered = [node for node, count in left.items() if not count]
        for node in ordered:
            for dependent in dependents[node]:
                left[dependent] -= 1
                if not left[dependent]:
                    ordered.append(dependent)
        if len(ordered) < len(left):
            placed = set(ordered)
            first = next(node for node in left if node not in placed)
            raise HipError(
                Error.hipErrorInvalidValue,
                "expected a graph without cycles, got one with a cycle: remove an edge of it",
                (None, first.handle, b"the graph has a cycle"),
            )
        return ordered

    def ancestors(self, nodes: Iterable[Node]) -> set[Node]:
        """Return these nodes and all that they depend on."""
        reached = {node for node in nodes if node in self.before}
        waiting = list(reached)
        while waiting:
            for node in self.before[waiting.pop()]:
                if node not in reached:
                    reached.add(node)
                    waiting.append(node)
        return reached

    def copy(self) -> Graph:
        """Return a copy, which knows its nodes by those of this graph; graphs within it are copied too."""
        copied = Graph()
        for node in self.before:
            work = node.work
            if isinstance(work, Child):
                inner = work.graph.copy()
                inner.owned = True
                copied.copies.update(inner.copies)
                work = Child(inner)
            copied.copies[node] = copied.add(work)
        for first, node in self.edges():
            copied.before[copied.copies[node]][copied.copies[first]] = None
        copied.retain(self.objects)
        return copied

    def retain(self, objects: Iterable[UserObject]) -> None:
        """Keep user objects as long as this graph."""
        for user_object in objects:
            user_object.retain(1)
            self.objects[user_object] += 1

    def end(self) -> None:
        """Forget everything."""
        if self._handle is not None:
            graphs.remove(self._handle)
            self._handle = None
        for node in self.nodes:
            node.end()
        self.before, self.copies = {}, {}
        for user_object, count in self.objects.items():
            user_object.release(count)
        self.objects = Counter()


graphs: Handles[Graph] = Handles(types.ihipGraph, Error.hipErrorInvalidValue)
_nodes: Handles[Node] = Handles(types.hipGraphNode, Error.hipErrorInvalidValue)


def node_of(handle: Any) -> Node:
    """Return the node of a handle."""
    return _nodes.find(handle)


def nodes_of(array: Any, count: int) -> list[Node]:
    """Return the nodes of an array of handles.

    Parameters
    ----------
    array : sequence of handles, a single handle, or the address of an array
        None if there are none.
    count : int
        How many.
    """
    if count == 0:
        return []
    handles = array
    if isinstance(array, types.hipGraphNode):
        handles = [array]
    elif not isinstance(array, (tuple, list)):
        if not address(array):
            raise HipError(Error.hipErrorInvalidValue, f"expected {count} nodes, got a null pointer")
        handles = pointers_at(array, count, "node")
    if len(handles) < count:
        raise HipError(Error.hipErrorInvalidValue, f"expected {count} nodes, got {len(handles)}")
    return [node_of(handle) for handle in handles[:count]]


def _handles(nodes: Iterable[Node]) -> tuple[tuple[Any, ...], int]:
    handles = tuple(node.handle for node in nodes)
    return handles, len(handles)


@function(1)
def hipGraphCreate(flags: int) -> Any:
    """Create a graph without nodes."""
    if flags:
        raise HipError(Error.hipErrorInvalidValue, f"expected flags of 0, got {flags}")
    return Graph().handle


@function()
def hipGraphDestroy(graph: Any) -> None:
    """Destroy a graph; what was instantiated from it stays."""
    subject = graphs.find(graph)
    if subject.owned:
        raise HipError(Error.hipErrorInvalidValue, "the graph is a node's, or of a capture that goes on")
    subject.end()


@function(1)
def hipGraphClone(originalGraph: Any) -> Any:
    """Copy a graph."""
    return graphs.find(originalGraph).copy().handle


@function(1)
def hipGraphNodeFindInClone(originalNode: Any, clonedGraph: Any) -> Any:
    """Return the node of a copy that is the copy of a node."""
    node, clone = node_of(originalNode), graphs.find(clonedGraph)
    copied = clone.copies.get(node)
    if copied is None or copied not in clone.before:
        raise HipError(Error.hipErrorInvalidValue, "expected a graph that is a copy of the node's, and has the node")
    return copied.handle


@function(2)
def hipGraphGetNodes(graph: Any) -> tuple[tuple[Any, ...], int]:
    """Return a graph's nodes, as a tuple, and how many there are."""
    return _handles(graphs.find(graph).nodes)


@function(2)
def hipGraphGetRootNodes(graph: Any) -> tuple[tuple[Any, ...], int]:
    """Return the nodes that depend on none, as a tuple, and how many there are."""
    return _handles(node for node, needed in graphs.find(graph).before.items() if not needed)


@function(3)
def hipGraphGetEdges(graph: Any) -> tuple[tuple[Any, ...], tuple[Any, ...], int]:
    """Return the begins and the ends of a graph's edges, as two tuples, and how many there are."""
    edges = graphs.find(graph).edges()
    return tuple(first.handle for first, _ in edges), tuple(last.handle for _, last in edges), len(edges)


@function(2)
def hipGraphNodeGetDependencies(node: Any) -> tuple[tuple[Any, ...], int]:
    """Return the nodes that a node depends on, as a tuple, and how many there are."""
    subject = node_of(node)
    return _handles(subject.graph.before[subject])


@function(2)
def hipGraphNodeGetDependentNodes(node: Any) -> tuple[tuple[Any, ...], int]:
    """Return the nodes that depend on a node, as a tuple, and how many there are."""
    subject = node_of(node)
    return _handles(other for other, needed in subject.graph.before.items() if subject in needed)


@function(1)
def hipGraphNodeGetType(node: Any) -> Any:
    """Return a node's type."""
    return node_of(node).work.kind


@function()
def hipGraphDestroyNode(node: Any) -> None:
    """Remove a node and its edges."""
    subject = node_of(node)
    subject.graph.remove(subject)


def _pairs(graph: Any, first: Any, last: Any, count: int) -> tuple[Graph, list[tuple[Node, Node]]]:
    subject = graphs.find(graph)
    pairs = list(zip(nodes_of(first, count), nodes_of(last, count), strict=True))
    if any(node.graph is not subject for pair in pairs for node in pair):
        raise HipError(Error.hipErrorInvalidValue, "expected nodes of the graph, got a node of another one")
    return subject, pairs


@function()
def hipGraphAddDependencies(graph: Any, from_: Any, to: Any, numDependencies: int) -> None:
    """Add edges."""
    subject, pairs = _pairs(graph, from_, to, numDependencies)
    edges = set(subject.edges())
    if len(set(pairs)) < len(pairs) or any(pair in edges or pair[0] is pair[1] for pair in pairs):
        raise HipError(Error.hipErrorInvalidValue, "expected new edges between two nodes, got one that there is")
    for first, last in pairs:
        subject.before[last][first] = None


@function()
def hipGraphRemoveDependencies(graph: Any, from_: Any, to: Any, numDependencies: int) -> None:
    """Remove edges."""
    subject, pairs = _pairs(graph, from_, to, numDependencies)
    if not set(pairs) <= set(subject.edges()):
        raise HipError(Error.hipErrorInvalidValue, "expected edges of the graph, got one that it does not have")
    for first, last in pairs:
        subject.before[last].pop(first, None)


@function()
def hipGraphDebugDotPrint(graph: Any, path: Any, flags: int) -> None:
    """Write a graph as a file for Graphviz."""
    subject, name = graphs.find(graph), text_of(path)
    names = {node: f"node_{number}" for number, node in enumerate(subject.nodes)}
    lines = [f'    {name} [label="{name}: {node.work.text()}"];' for node, name in names.items()]
    lines += [f"    {names[first]} -> {names[last]};" for first, last in subject.edges()]
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n".join(["digraph graph_of_hip {", *lines, "}", ""]))
    except OSError as error:
        raise HipError(Error.hipErrorOperatingSystem, str(error)) from error
