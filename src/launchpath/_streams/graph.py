"""Graphs: captured from a stream, instantiated and launched."""

from __future__ import annotations

from launchpath import _core
from launchpath._listed import Listed
from launchpath._shown import described
from launchpath._streams.step import keeps_back
from launchpath._streams.step_report import StepReport, step_report


class Graph(_core.GraphBase, Listed):
    """Commands that were captured, from ``stream.end_capture()`` (hipGraph_t). ``len(graph)`` of them.

    It keeps the kernels and the arrays that they use. Arguments are those of the capture. Dropping it destroys it;
    what was instantiated stays.
    """

    def instantiate(self) -> ExecutableGraph:
        """Prepare it to be launched (hipGraphInstantiate).

        Returns
        -------
        ExecutableGraph
        """
        executable = ExecutableGraph.__new__(ExecutableGraph)
        _core.executable(self, executable, True, keeps_back())
        return executable


class ExecutableGraph(_core.ExecutableBase, Listed):
    """A graph that can be launched, from ``graph.instantiate()`` (hipGraphExec_t).

    Its launches come one after the other, on whatever streams. Branches that the capture had on other streams run on
    streams of its own, beside the stream that it is launched on.
    """

    def launch(self, stream: _core.QueueBase | None = None) -> None:
        """Submit all its commands to a stream, without waiting for them (hipGraphLaunch).

        Parameters
        ----------
        stream : Stream, optional
            The stream's further commands come after all of the graph's. By default the legacy stream of its device.

        Raises
        ------
        ArgumentValueError
            The stream is another device's.
        DriverError
            The driver refused a command: those before it were submitted.
        """
        self.launch_on(stream)

    def update(self, graph: Graph) -> None:
        """Launch another graph's commands from now on (hipGraphExecUpdate).

        Where they are the same commands, only the arguments and grids that differ are changed; others are prepared
        anew.

        Parameters
        ----------
        graph : Graph

        Raises
        ------
        TypeError
            It is not a `Graph`.
        """
        if not isinstance(graph, Graph):
            raise TypeError(f"expected a launchpath Graph, from stream.end_capture(), got {described(graph)}")
        self.replace(graph)

    def report(self) -> StepReport:
        """Say what the launches did so far.

        Returns
        -------
        StepReport
        """
        return step_report(self.counts())
