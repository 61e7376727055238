"""``launchpath devices``: the devices, and the skipped devices."""

from __future__ import annotations

from typing import Any

import click

from launchpath._cli.shown.output import Output
from launchpath._cli.words.options import json_option
from launchpath._drivers.workarounds import WORKAROUNDS
from launchpath._report import format_bytes
from launchpath._report.console import table
from launchpath._streams.device import Device, current_device, skipped_devices
from launchpath._streams.device import devices as all_devices
from launchpath.errors import NoDeviceError

NUMBERS = ("Index", "Memory", "Units", "Threads/block", "Shared/block", "Arguments")


@click.command()
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Also list the workarounds in force, and CUDA devices without dependent launches, with the reasons.",
)
@json_option
def devices(json_file: str | None, verbose: bool) -> None:
    """List the devices, their limits, and the skipped devices with the reason.

    The default device is marked with an asterisk. Limits: compute units, threads and bytes of shared memory in a block,
    bytes of arguments in a launch.
    """
    output = Output(json_file)
    present, skipped = all_devices(), skipped_devices()
    default = _default()
    output.json(
        {
            "devices": [_as_json(index, device, device is default) for index, device in enumerate(present)],
            "left_out": [{"what": name, "why": reason} for name, reason in skipped],
        }
    )
    if present:
        drawn = table("Index", "Name", "Driver", "Platform", "Kind", *NUMBERS[1:], right=NUMBERS)
        for index, device in enumerate(present):
            drawn.add_row(*_cells(f"{'*' if device is default else ''}{index}", device))
        output.print(drawn)
        if verbose:
            _print_workarounds(present, output)
            _print_without_dependent(present, output)
    for name, reason in skipped:
        output.print(f"skipped: {name}: {reason}")
    if not present:
        current_device()  # raises an error with the packages to install


def _print_workarounds(devices: list[Device], output: Output) -> None:
    """Print each workaround once, with the devices that have it."""
    for each in WORKAROUNDS:
        having = [str(index) for index, device in enumerate(devices) if each.name in device.info["workarounds"]]
        if having:
            numbers = f"device{'s' if len(having) > 1 else ''} {', '.join(having)}"
            output.print(f"workaround {each.name} ({numbers}): {each.does}. Reason: {each.reason}")


def _print_without_dependent(devices: list[Device], output: Output) -> None:
    """Print which CUDA devices have no dependent launches, and why."""
    for index, device in enumerate(devices):
        if device.driver == "cuda" and not device.dependent_launches:
            output.print(f"no dependent launches (device {index}): {device.driver_device.dependent_lacks}")


def _default() -> Device | None:
    try:
        return current_device()
    except NoDeviceError:
        return None


def _cells(index: str, device: Device) -> list[str]:
    return [
        index,
        device.name,
        f"{device.driver} {device.driver_version}",
        " ".join(filter(None, [device.platform, device.architecture])),
        device.kind,
        format_bytes(device.total_memory),
        str(device.compute_units),
        str(device.max_threads_per_block),
        format_bytes(device.shared_memory_per_block),
        format_bytes(device.parameter_bytes),
    ]


def _as_json(index: int, device: Device, default: bool) -> dict[str, Any]:
    return {"index": index, "default": default, **device.info}
