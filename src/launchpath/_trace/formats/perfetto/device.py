"""The devices' side of a Perfetto file: commands on the tracks of streams."""

from __future__ import annotations

from typing import Any

import numpy

from launchpath._trace.columns import Array, Table
from launchpath._trace.format import COMMAND_NAMES, LAUNCH
from launchpath._trace.formats.perfetto.lanes import begun
from launchpath._trace.formats.perfetto.packets import Packets
from launchpath._trace.formats.perfetto.slices import Columns, Rows, events
from launchpath._trace.kernels import KernelName
from launchpath._trace.ranges import STREAM_TYPES
from launchpath._trace.records import Records

_NUMBERS = ("correlation", "external", "bytes", "shared", "step", "node", "run")
_SIZES = ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z")


class DeviceSlices:
    """What the streams of a process's devices ran."""

    def __init__(self, records: Records) -> None:
        self._records, self._labels = records, records.labels
        slots = records.streams
        self._types = dict(zip(slots["stream"].tolist(), slots["type"].tolist(), strict=True))
        self._commands = Columns(
            device="u2", stream="u4", started="i8", ended="i8", driver_begin="i8", name="u4", command="u1",
            correlation="u8", external="u8", bytes="u8", shared="u4", step="u4", node="u4", run="u4",
            **dict.fromkeys(_SIZES, "u4"),
        )  # fmt: skip

    def add(self, commands: Table) -> None:
        """Take the commands of a chunk that have times, and ran in the stretch that is wanted."""
        chosen = commands["timed"] & self._records.overlap(commands["started"], commands["ended"])
        self._commands.add(
            int(numpy.count_nonzero(chosen)), **{name: column[chosen] for name, column in commands.items()}
        )

    def write(self, packets: Packets, process: int) -> None:
        """Write the tracks of all streams."""
        devices: dict[int, int] = {}
        for (device, stream), table in self._commands.groups("device", "stream"):
            if device not in devices:
                devices[device] = packets.track(self._labels.device(device), process)
            self._write_stream(packets, devices[device], stream, table)

    def _write_stream(self, packets: Packets, device: int, stream: int, table: dict[str, Array]) -> None:
        rows = Rows(table, "started", "ended")
        type_ = self._types.get(stream)
        kind = f" ({STREAM_TYPES[type_]})" if type_ is not None and type_ < len(STREAM_TYPES) else ""
        drawn = events(rows.table["started"], rows.table["ended"])
        for event, lane in begun(packets, drawn, f"stream {stream}{kind}", device):
            row = rows[event.place]
            launch = row["command"] == LAUNCH
            kernel = self._labels.kernel_name(row["name"]) if launch else None
            name = kernel.short if kernel else COMMAND_NAMES.get(row["command"], "command")
            ends = [packets.flow(row["correlation"])]
            packets.event(event, lane, name, "kernel" if launch else "copy", _annotations(row, kernel), ends=ends)


def _annotations(row: dict[str, Any], kernel: KernelName | None) -> dict[str, int | str]:
    annotations: dict[str, int | str] = {name: row[name] for name in _NUMBERS if row[name]}
    if row["step"]:
        annotations.update(node=row["node"], run=row["run"])
    if kernel:
        if kernel.full != kernel.short:
            annotations["kernel"] = kernel.full
        if kernel.symbol != kernel.full:
            annotations["symbol"] = kernel.symbol
        for noun in ("grid", "block"):
            annotations[noun] = ", ".join(str(row[f"{noun}_{axis}"]) for axis in "xyz")
    annotations["enqueue to start (ns)"] = row["started"] - row["driver_begin"]
    return annotations
