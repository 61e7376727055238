"""Options that several commands have: ``--device`` and ``--json``; and the devices that ``--device`` names."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from launchpath._streams.device import Device, current_device, device, devices
from launchpath._trace.files.blocks import is_trace

Command = Callable[..., Any]


def device_option(command: Command) -> Command:
    """Add ``--device``, which may be given several times; `chosen` says what it means."""
    return click.option(
        "--device",
        "device_words",
        multiple=True,
        metavar="WHICH",
        help="Index, or words of the kind, driver, platform, vendor or name, as in `launchpath devices`; "
        "`all` for all. May be repeated. Default: the current device.",
    )(command)


def json_option(command: Command) -> Command:
    """Add ``--json FILE``."""
    return click.option(
        "--json",
        "json_file",
        type=click.Path(dir_okay=False, writable=True, allow_dash=True),
        callback=check_writable,
        metavar="FILE",
        help="Write the results as JSON to FILE; `-` is standard output (then tables go to standard error).",
    )(command)


def check_writable(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Check that a file can be written: before the work is done, not after."""
    if value not in (None, "-") and not os.access(os.path.dirname(os.path.abspath(value)), os.W_OK):
        raise click.BadParameter(f"{value!r} is not in a writable folder")
    if value is not None and os.path.isfile(value) and is_trace(value):  # as in `report --csv a.lptrace b.lptrace`
        raise click.BadParameter(
            f"expected a file to write, got the trace {value!r}, which would be lost: name another one"
        )
    return value


def chosen(device_words: tuple[str, ...]) -> list[Device]:
    """Find the devices that ``--device`` names, each once.

    Raises
    ------
    NoDeviceError
        No device is present, or none matches.
    """
    if not device_words:
        return [current_device()]
    selected: list[Device] = []
    for name in device_words:
        selected += (devices() or [current_device()]) if name == "all" else [device(name)]
    return list(dict.fromkeys(selected))
