"""Operations that freeze steps and capture graphs, and launch them among the rest of a program.

A graph's commands are a row on one stream, one on a second stream behind it, and one on the first again behind that.
"""

from dataclasses import dataclass
from typing import Any

from .draft import Draft
from .order import Command

MOST_GRAPHS = 3
Commands = list[list[dict[str, Any]]]  # three rows


@dataclass
class Graph:
    """A graph of a part, as the generator sees it."""

    target: int  # the arrays
    source: int
    streams: tuple[int, int] | None  # of a frozen step; a captured graph is launched on any stream
    rows: Commands


def freeze(draft: Draft) -> None:
    """Run commands in a step of their own, and freeze it."""
    drawn = None if draft.entered or len(draft.graphs) >= MOST_GRAPHS else draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    number, streams = next(draft.numbers), (draft.stream(device), draft.stream(device))
    graph = Graph(target, source, streams, _rows(draft, target, source))
    _runs(draft, graph)
    draft.step("freeze", graph=number, streams=streams, rows=graph.rows)
    draft.graphs[number] = graph


def launch_frozen(draft: Draft) -> None:
    """Launch a frozen step, in a step too."""
    graphs = [number for number, graph in draft.graphs.items() if _is_usable(draft, graph) and graph.streams]
    if graphs:
        number = draft.chance.choice(graphs)
        _runs(draft, draft.graphs[number])
        draft.step("launch_frozen", graph=number, times=draft.chance.randint(1, 4))


def capture(draft: Draft) -> None:
    """Capture commands, and instantiate the graph; or update one that there is."""
    drawn = None if draft.entered else draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    captured = [number for number, graph in draft.graphs.items() if not graph.streams and _is_usable(draft, graph)
                and draft.arrays[graph.target].device == device]  # fmt: skip
    if captured and draft.chance.random() < 0.6:
        number = draft.chance.choice(captured)
        target, source = draft.graphs[number].target, draft.graphs[number].source
    elif len(draft.graphs) < MOST_GRAPHS:
        number = next(draft.numbers)
    else:
        return
    draft.release_all()  # the host may have to wait for what an array's memory awaits
    draft.graphs[number] = graph = Graph(target, source, None, _rows(draft, target, source))
    draft.step("capture", graph=number, device=device, blocking=draft.chance.random() < 0.3, rows=graph.rows)


def launch_captured(draft: Draft) -> None:
    """Launch a captured graph on a stream, in a step too."""
    graphs = [number for number, graph in draft.graphs.items() if _is_usable(draft, graph) and not graph.streams]
    if graphs:
        number = draft.chance.choice(graphs)
        graph = draft.graphs[number]
        stream = draft.stream(draft.arrays[graph.target].device)
        draft.use(stream, writes=(graph.target, graph.source))
        draft.step("launch_captured", graph=number, stream=stream, times=draft.chance.randint(1, 4))


def drop_graph(draft: Draft) -> None:
    """Drop a graph, perhaps in flight."""
    if draft.graphs:
        draft.drop_graph(draft.chance.choice(list(draft.graphs)))


def _is_usable(draft: Draft, graph: Graph) -> bool:
    return {graph.target, graph.source} <= set(draft.arrays) and set(graph.streams or ()) <= set(draft.streams)


def _runs(draft: Draft, graph: Graph) -> None:
    """Order what comes next on a frozen step's streams after all that uses its arrays, and note what it does."""
    assert graph.streams is not None
    first, second = graph.streams
    target, source = draft.arrays[graph.target], draft.arrays[graph.source]
    for stream in graph.streams:
        draft.come_after(stream, target.conflicts(writes=True) + source.conflicts(writes=True))
    order, commands = draft.order, list[Command]()
    for stream, other, row in zip((first, second, first), (second, first, first), graph.rows, strict=True):
        commands += [order.command(stream) for _ in row]
        if other != stream:
            order.wait(other, order.record(stream))
    for command in commands:
        target.write(command)
        source.write(command)


def _rows(draft: Draft, target: int, source: int) -> Commands:
    """Draw the commands."""
    return [[_command(draft, target, source) for _ in range(draft.chance.choice((0, 1, 2, 5, 9)))] for _ in range(3)]


def _command(draft: Draft, target: int, source: int) -> dict[str, Any]:
    if draft.chance.random() < 0.5:
        target, source = source, target
    name = draft.chance.choice(("affine", "affine", "mix", "mix", "fill", "copy"))
    if name == "fill":
        return {"name": name, "array": target, "value": draft.seed(), "way": "given"}
    if name == "copy":
        return {"name": name, "target": target, "source": source, "way": draft.chance.choice(("to", "from"))}
    launch = {"name": name, "a": draft.odd(), "way": draft.chance.choice(("given", "with", "kept")),
              "block": draft.chance.choice((1, 16, 64)), "rounds": draft.chance.choice((0, 0, 10, 1000))}  # fmt: skip
    if name == "mix":
        return launch | {"target": target, "source": source}
    return launch | {"array": target, "b": draft.seed(), "low": 0, "high": draft.chance.randrange(draft.size) + 1}


WEIGHTS = {freeze: 3, launch_frozen: 8, capture: 4, launch_captured: 8, drop_graph: 1}
