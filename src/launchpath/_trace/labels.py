"""Names for readers: of calls, kernels, devices and threads."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from launchpath._trace.format import COMMAND_NAMES, RANGE_NAMES
from launchpath._trace.kernels import KernelName, kernel_names
from launchpath._trace.text import joined

# The driver's calls that wait for a queue or an event: by the names of the core's table, and of libraries.
_WAITS = {
    "queue_finish", "event_wait", "clFinish", "clWaitForEvents", "cuCtxSynchronize", "cuStreamSynchronize",
    "cuEventSynchronize",
}  # fmt: skip


class Labels:
    """Names of one file. What the file does not name has its number as its name.

    Parameters
    ----------
    meta : dict
        The file's ``META``.
    names : dict
        Names by number.
    threads : dict, optional
        Names of threads by the system's numbers. Those of the ``META`` come first.
    mangled : dict, optional
        Whole names by number, of those names that were cut.
    """

    def __init__(
        self,
        meta: dict[str, Any],
        names: dict[int, str],
        threads: dict[int, str] | None = None,
        mangled: dict[int, str] | None = None,
    ) -> None:
        self.names = names
        self._mangled = mangled or {}
        self._system_threads = threads or {}
        # Whether the file was written by the recorder, the library that traces any program: see docs/tracing.md.
        self.recorder = meta.get("recorder") is True
        self._entries = [text_of(name) for name in _list(meta, "entries")]
        self._api = [text_of(name) for name in _list(meta, "api")]
        self._devices = [device if isinstance(device, dict) else {} for device in _list(meta, "devices")]
        self._library = _dict(meta, "library_names")
        self._threads = _dict(meta, "threads")

    def name(self, number: int) -> str:
        """Name a range or a domain; a kernel as its binary does."""
        return self.names.get(number, f"(name {number})")

    def kernel(self, number: int) -> str:
        """Name a kernel as C++ writes it."""
        return self.kernel_name(number).full

    def kernel_name(self, number: int) -> KernelName:
        """Give a kernel's names."""
        known = self._kernels.get(number)
        return KernelName(*[self.name(number)] * 4) if known is None else known

    @cached_property
    def _kernels(self) -> dict[int, KernelName]:
        kernels = {number: name for number, name in self.names.items() if number < RANGE_NAMES}
        return kernel_names(kernels, self._mangled)

    def site(self, number: int) -> str:
        """Name a source line, as "path:line function"; empty if it is not known."""
        return self.names.get(number, "") if number else ""

    def range(self, domain: int, number: int) -> str:
        """Name a range with its domain, if it has one."""
        return joined(self.name(domain), self.name(number)) if domain else self.name(number)

    def driver(self, device: int) -> str:
        """Name the driver of a device: ``opencl``, ``cuda``, ``hip``, ``simulated``; empty if it is not known."""
        return text_of(self._devices[device].get("driver")) if device < len(self._devices) else ""

    def devices(self) -> list[dict[str, Any]]:
        """Give what is known of each device, in the order of their places."""
        return self._devices

    def device(self, device: int) -> str:
        """Name a device."""
        named = self._devices[device].get("name") if device < len(self._devices) else None
        return text_of(named) or f"device {device}"

    def agent(self, device: int) -> int:
        """Give a device's ordinal in its driver; its place in the file if that is not known."""
        ordinal = self._devices[device].get("ordinal") if device < len(self._devices) else None
        return ordinal if isinstance(ordinal, int) and 0 <= ordinal < 1 << 31 else device

    def entry(self, device: int, entry: int) -> str:
        """Name a call of a driver as its library does."""
        return self._in_library(device, self._entries[entry] if entry < len(self._entries) else f"(call {entry})")

    def command(self, device: int, command: int) -> str:
        """Name the driver's call of a command as its library does."""
        return self._in_library(device, COMMAND_NAMES.get(command, f"(command {command})"))

    def function(self, device: int, command: int, entry: int) -> str:
        """Name the driver's function that submitted a command: `entry` is what the recorder has noted."""
        return self.entry(device, entry) if self.recorder else self.command(device, command)

    def graph_run(self, device: int) -> str:
        """Name the driver's call that runs a graph."""
        return self._in_library(device, "graph_run")

    def api(self, entry: int) -> str:
        """Name a call of launchpath."""
        return self._api[entry] if entry < len(self._api) else f"(call {entry} of launchpath)"

    def thread(self, thread: int) -> str:
        """Name a thread; empty if it has no name."""
        return text_of(self._threads.get(str(thread))) or self._system_threads.get(thread, "")

    def synchronizing(self) -> tuple[list[int], list[int]]:
        """List the entries that wait for the device: of launchpath, and of the driver."""
        calls = [place for place, name in enumerate(self._api) if "synchronize" in name]
        return calls, [
            place for place, name in enumerate(self._entries) if name.partition("_")[0] in _WAITS or name in _WAITS
        ]

    def _in_library(self, device: int, entry: str) -> str:
        facts = self._devices[device] if device < len(self._devices) else {}
        library = _dict(self._library, text_of(facts.get("library", self.driver(device))))
        return text_of(library.get(entry)) or entry


def text_of(value: Any) -> str:
    """A text of the facts, which is not too long; empty for anything else."""
    return value if isinstance(value, str) else ""


def _list(meta: dict[str, Any], key: str) -> list[Any]:
    value = meta.get(key)
    return value if isinstance(value, list) else []


def _dict(meta: dict[str, Any], key: str) -> dict[str, Any]:
    value = meta.get(key)
    return value if isinstance(value, dict) else {}
