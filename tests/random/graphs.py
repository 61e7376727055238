"""Freezes steps and captures graphs, and launches them."""

from typing import Any

import launchpath as lp


class Graphs:
    """What a `machine.Machine` freezes and captures.

    Where it cannot be done, since another thread has used the streams meanwhile, the commands are launched one by one.
    """

    devices: list[lp.Device]
    streams: dict[int, lp.Stream]

    def __init__(self) -> None:
        self.graphs: dict[int, Any] = {}
        self.rows: dict[int, Any] = {}
        self.graph_streams: dict[int, tuple[int, int]] = {}

    def freeze(self, graph: int, streams: tuple[int, int], rows: Any) -> None:
        self.rows[graph], self.graph_streams[graph] = rows, streams
        step = lp.Step()
        with step:
            self._run(rows, *streams)
        self.graphs[graph] = None
        try:
            self.graphs[graph] = step.freeze()
        except lp.LaunchpathError as error:
            if not any(reason in str(error) for reason in ("expected a last run", "recorded before them")):
                raise  # a first row that is empty: its event stands for what came before the step

    def launch_frozen(self, graph: int, times: int) -> None:
        frozen = self.graphs[graph]
        for _ in range(times):
            if frozen is None:
                self._run(self.rows[graph], *self.graph_streams[graph])
            else:
                frozen.launch()

    def capture(self, graph: int, device: int, blocking: bool, rows: Any) -> None:
        first, second = (lp.Stream(blocking=blocking, device=self.devices[device]) for _ in range(2))
        self.rows[graph] = rows
        self.streams[-1], self.streams[-2] = first, second
        first.begin_capture()
        try:
            self._run(rows, -1, -2)
        finally:
            del self.streams[-1], self.streams[-2]
            captured = first.end_capture()
        if self.graphs.get(graph) is None:
            self.graphs[graph] = captured.instantiate()
        else:
            self.graphs[graph].update(captured)

    def launch_captured(self, graph: int, stream: int, times: int) -> None:
        executable = self.graphs[graph]
        for _ in range(times):
            if executable is None:
                self._run(self.rows[graph], stream, stream)
            else:
                executable.launch(self.streams[stream])

    def drop_graph(self, graph: int) -> None:
        del self.graphs[graph]

    def _run(self, rows: Any, first: int, second: int) -> None:
        for stream, other, row in zip((first, second, first), (second, first, first), rows, strict=True):
            for command in row:
                arguments = {name: value for name, value in command.items() if name != "name"}
                getattr(self, command["name"])(stream=stream, **arguments)
            if other != stream:
                self.streams[other].wait(self.streams[stream].record())
