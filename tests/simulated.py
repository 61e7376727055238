"""A simulated machine with a launchpath device on it, for tests."""

from __future__ import annotations

from typing import Any

import launchpath as lp
from launchpath import _core
from launchpath._compiler import Parameter, Signature

MIX = Signature(
    name="mix",
    parameters=(
        Parameter("dst", "unsigned int *", "pointer", 8, 8, 0, "uint32", False),
        Parameter("src", "const unsigned int *", "pointer", 8, 8, 8, "uint32", True),
        Parameter("n", "unsigned int", "uint32", 4, 4, 16, None, False),
        Parameter("tag", "unsigned int", "uint32", 4, 4, 20, None, False),
    ),
    size=24,
    shared=0,
    max_threads=None,
    dynamic_shared=False,
)


class Machine:
    """A simulated machine, its devices as launchpath sees them, and the built-in kernel ``mix``.

    Leaving the ``with`` block waits for everything, closes the devices, and asserts that the machine found nothing
    wrong, leaks included; ``check=False`` leaves the reports to the test.
    """

    def __init__(self, devices: int = 1, check: bool = True, **options: Any) -> None:
        self.machine = _core.Simulated(devices, **options)
        self.check = check
        self.devices = [lp.Device(driver) for driver in self.machine.devices]
        for device in self.devices:
            assert device.legacy_stream  # opened first: it is the simulated device's queue 0
        self.device = self.devices[0]
        self.kept: list[Any] = []

    def kernel(
        self, name: str = "mix", signature: Signature = MIX, device: lp.Device | None = None, waits: bool = False
    ) -> lp.Kernel:
        """A kernel that the machine implements; with `waits` it waits at its entry for the kernel before it."""
        device = device or self.device
        return lp.Kernel(device.driver_device.build("").kernel(name, waits=waits), device, signature)

    def streams(self, kinds: tuple[str, ...], device: lp.Device | None = None) -> list[lp.Stream]:
        """One stream of each kind, in the order of the simulated queues if "legacy" is the first."""
        device = device or self.device
        streams = [
            device.legacy_stream if kind == "legacy" else lp.Stream(blocking=kind == "blocking", device=device)
            for kind in kinds
        ]
        self.kept += streams
        return streams

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            return  # the test's own failure is the one to see
        self.machine.automatic = True
        self.kept.clear()
        for device in self.devices:
            device.close()
        self.device = None  # type: ignore[assignment]
        self.devices.clear()
        reports = self.machine.close()
        if self.check:
            assert not reports, "\n".join(report.text for report in reports)
