"""The path of ended threads through a function, from barrier to barrier."""

from __future__ import annotations

from ..flow import EXIT, PHI, Body, DominatorTree, components, dominators, reachable, reverse
from ..module import Instruction
from ..opcodes import NO_RESULT
from .uniform import Level, Uniformity


class TooTangled(Exception):
    """Control flow that the pass does not know how to lead ended threads through; the message says why."""


class Plan:
    """Where ended threads go, and what they still compute.

    Parameters
    ----------
    body : Body
        With its early returns redirected.
    barriers : set of int
        Blocks that hold a barrier and nothing else.
    uniform : Uniformity
    marks : set of int
        Blocks in which threads end.
    split : set of int
        Branches with several ways to barriers, and others to early ends.

    Attributes
    ----------
    stops : set of int
        Blocks that ended threads come through.
    walk : dict of list of int
        Where they go from each.
    relevant : set of int
        Blocks that decide which barrier comes next, or a value that this depends on.
    needed : set of int
        Values that ended threads compute as well.
    shared_decisions : set of int
        Relevant blocks whose condition the other threads have to send to ended threads.
    votes : set of int
        Barriers at which threads learn whether all have ended.
    """

    def __init__(self, body: Body, barriers: set[int], uniform: Uniformity, marks: set[int], split: set[int]) -> None:
        self.body, self.barriers, self.uniform, self.marks = body, barriers, uniform, marks
        self.edges = body.edges()
        back = reverse(self.edges)
        self.before = back
        self.ends = body.blocks.keys() - reachable(back, barriers)
        self.after = dominators(back, EXIT)
        self.behind = reachable(self.edges, marks) - {EXIT}
        self.headers = self._headers()
        self.votes: set[int] = set()
        self._open()
        body.locate()
        self.definitions: dict[int, Instruction] = {
            i.words[1]: i
            for block in body.blocks.values()
            for i in (*block.phis, *block.body)
            if i.opcode not in NO_RESULT
        }
        self.branches = [label for label, targets in self.edges.items() if len(targets) > 1 and label in self.after]
        self.regions = {label: self._region(label) for label in self.branches}
        self.relevant = {label for label in self.branches if self.regions[label] & barriers}
        if split & self.relevant:
            raise TooTangled("a switch decides both the threads that return and the next barrier")
        self.needed: set[int] = set()
        self.possible: set[int] = set()
        self.stops: set[int] = set()
        self.walk: dict[int, list[int]] = {}
        self._settle()
        self.shared_decisions = {label for label in self.stops & self.relevant if self._level(label) > Level.CHEAP}
        loops = components(self.edges, body.blocks.keys() - barriers)
        if any(self.shared_decisions & loop for loop in loops):
            raise TooTangled("the decision about the next barrier is in a loop without a barrier")
        self.votes &= self.stops
        self._vote(self.stops - self.shared_decisions - self.votes)
        for label in self.shared_decisions:
            # Where the compiler has joined two conditions, threads may differ here that come to the same barriers.
            others = self.regions[label] & (self.shared_decisions | self.votes) - {label}
            if self._level(label) == Level.VARYING and others:
                raise TooTangled("each thread decides the next barrier, and decides again before the threads meet")

    def next(self, label: int) -> int:
        """Say where an ended thread goes instead of a block: to itself if it is a stop, to `EXIT` if none comes."""
        while label != EXIT and label not in self.possible:
            if label in self.ends or label not in self.after:
                return EXIT
            label = self.after[label]
        return label

    def _level(self, label: int) -> Level:
        return self.uniform.decides(self.body.blocks[label])

    def _open(self) -> None:
        """Have votes lead out of loops that threads leave only by returning."""
        while closed := self.behind - self.ends - self.after.keys():
            loops = components(self.edges, closed - self.votes)
            barriers = self.barriers.intersection(*[set().union(*loops)])
            around = components(self.edges, closed - self.barriers)
            # Runtimes fail where threads go round such a loop without coming to its barriers.
            if not barriers or any(loop & self.headers for loop in around):
                raise TooTangled(
                    "it has a loop that threads leave only by returning, with branches around its barriers"
                )
            self.votes.add(min(barriers))
            out = {label: [*self.edges[label], EXIT] for label in self.votes}
            self.after = dominators(reverse(self.edges | out), EXIT)

    def _region(self, label: int) -> set[int]:
        """Find the blocks between a branch and where its ways meet."""
        join = self.after[label]
        return reachable(self.edges, self.edges[label], (join,)) - {EXIT}

    def _headers(self) -> set[int]:
        """Find where loops with barriers begin: a loop keeps a single entry, so ended threads come there as well."""
        above = dominators(self.edges, self.body.entry)
        tree = DominatorTree(above)
        headers = set()
        for label in above:
            for target in self.edges.get(label, ()):
                if tree.dominates(target, label):
                    loop = reachable(self.before, [label], [target]) | {target}
                    if loop & self.barriers:
                        headers.add(target)
        return headers

    def _settle(self) -> None:
        """Find the stops: the values that they need make further stops."""
        before = (-1, -1, -1)
        while before != (len(self.needed), len(self.relevant), len(self.possible)):
            before = len(self.needed), len(self.relevant), len(self.possible)
            homes = {self.body.home[value] for value in self.needed}
            joins = {self.body.home[value] for value in self.needed if self.definitions[value].opcode == PHI}
            ways = {label for join in joins for label in self.before[join]} & self.behind
            self.possible = (self.barriers | self.headers | self.relevant | homes | ways) - self.marks - self.ends
            self._follow()
            for label in self.stops & self.relevant:
                if self._level(label) == Level.CHEAP:
                    self._need(self.body.blocks[label].end.words[0])

    def _follow(self) -> None:
        """Follow ended threads."""
        self.walk = {mark: [self.next(self.edges[mark][0])] for mark in self.marks}
        waiting = list(self.marks)
        for label in waiting:
            for target in self.walk[label]:
                if target not in self.walk and target != EXIT:
                    several = len(self.edges[target]) > 1 and target not in self.relevant
                    ways = [self.after[target]] if several else self.edges[target]
                    self.walk[target] = [self.next(way) for way in ways]
                    waiting.append(target)
        self.stops = self.walk.keys() - self.marks

    def _need(self, wanted: int) -> None:
        """Have ended threads compute a value, if it is defined where there may be ended threads."""
        waiting = [wanted]
        for value in waiting:
            home = self.body.home.get(value)
            if home is None or home not in self.behind or value in self.needed:
                continue
            self.needed.add(value)
            definition = self.definitions[value]
            if definition.opcode != PHI:
                waiting += [word for word in definition.words[2:] if word in self.definitions]
                continue
            waiting += definition.words[2::2]
            for label in self.branches:
                # Threads differ here only where some end, and then the others have a single way.
                if self._level(label) == Level.CHEAP and home in self.regions[label] | {self.after[label]}:
                    self.relevant.add(label)

    def _vote(self, among: set[int]) -> None:
        """Choose barriers for votes: each cycle has to end when all have ended.

        A cycle with an exit that depends on the arguments alone ends as it would for a thread that has not ended. An
        exit that stays the same from round to round is none: threads may leave only by ending. The message of a shared
        decision also says that no thread is left.
        """
        around = components(self.edges, self.body.blocks.keys() - (self.stops - among))
        for loop in components(self.walk, among):
            inside = set().union(*(cycle for cycle in around if cycle & loop))
            out = {
                label for label in loop & self.relevant
                if any(target not in loop for target in self.walk[label]) and self._changes(label, inside)
            }  # fmt: skip
            if not out:
                barriers = loop & self.barriers
                if not barriers:
                    raise TooTangled("it has a loop without a barrier and without an exit")
                out = {min(barriers)}
                self.votes |= out
            self._vote(loop - out)

    def _changes(self, label: int, loop: set[int]) -> bool:
        """Whether what a block decides may change from round to round of a loop."""
        waiting = [self.body.blocks[label].end.words[0]]
        seen = set(waiting)
        for value in waiting:
            definition = self.definitions.get(value)
            if definition is not None and self.body.home[value] in loop:
                if definition.opcode == PHI:
                    return True
                fresh = {word for word in definition.words[2:] if word in self.definitions} - seen
                seen |= fresh
                waiting += fresh
        return False
