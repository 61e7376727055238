"""``launchpath cache``: show the compiled programs on disk, or remove them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.words.group import Group
from launchpath._cli.words.options import json_option
from launchpath._compiler.cache.cache import ADVICE, NO_FOLDER, SWITCH, Cache, Stored, settings
from launchpath._compiler.clang.precompiled_store import beside
from launchpath._report import format_bytes
from launchpath._report.console import printable, table
from launchpath.errors import LaunchpathError

DAY = 24 * 3600.0
WIDTH = 48  # of the kernels of an entry, which may be many
NARROW = 24  # of its source, options and device
SHOWN = 20  # entries


@click.group(cls=Group, invoke_without_command=True)
@click.option("--all", "every", is_flag=True, help="Show all programs, not only those that were used last.")
@json_option
@click.pass_context
def cache(context: click.Context, every: bool, json_file: str | None) -> None:
    """Show the cache of compiled programs: its folder, its size, and the programs that were used last.

    Long texts are cut, and of many kernels the table shows the first, and their number; the JSON has all of it, of all
    programs.
    """
    if context.invoked_subcommand is not None:
        if json_file is not None or every:
            raise click.UsageError("--json goes after the command" if json_file else "--all is for no command")
        return
    output = Output(json_file)
    programs, enabled = _cache()
    entries = _or_fail(lambda: programs.entries(None if every or json_file is not None else SHOWN))
    size = sum(entry.size for entry in entries)
    output.json(
        {
            "folder": programs.folder,
            "on": enabled,
            "limit": programs.limit,
            "size": size,
            "oldest": _time(entries[-1].used) if entries else None,
            "newest": _time(entries[0].used) if entries else None,
            "entries": [_as_json(entry) for entry in entries],
        }
    )
    output.print(f"folder: {programs.folder}")
    if not enabled:
        output.print(f"the cache is off: {SWITCH} is 0")
    output.print(f"entries: {len(entries)}, {format_bytes(size)} of at most {format_bytes(programs.limit)}")
    if entries:
        output.print(f"last used: {_local(entries[-1].used)} (oldest) to {_local(entries[0].used)} (newest)\n")
        drawn = table("Kernels", "Source", "Options", "Device", "Size", "Last use", "Key", right=("Size",),
                      spare=("Options", "Key", "Device", "Last use", "Source"))  # fmt: skip
        shown = entries if every else entries[:SHOWN]
        for entry in shown:
            drawn.add_row(*map(printable, _cells(entry)))
        output.print(drawn)
        if len(shown) < len(entries):
            output.print(f"... and {len(entries) - len(shown)} more, used before: --all shows them")


@cache.command("path")
def path() -> None:
    """Print the folder."""
    click.echo(_cache()[0].folder)


@cache.command("clear")
@json_option
@click.option(
    "--older-than",
    type=click.FloatRange(min=0),
    metavar="DAYS",
    help="Only entries whose last use was more days ago.",
)
def clear(json_file: str | None, older_than: float | None) -> None:
    """Remove the entries, and precompiled headers. Running programs are not affected."""
    output = Output(json_file)
    programs, _ = _cache()
    seconds = None if older_than is None else older_than * DAY
    count, size = _or_fail(lambda: programs.clear(seconds))
    _or_fail(lambda: beside(programs).clear(seconds))
    output.json({"folder": programs.folder, "entries": count, "size": size})
    output.print(
        f"removed {count} {'entry' if count == 1 else 'entries'}, {format_bytes(size)}, from {programs.folder}"
    )


def _cache() -> tuple[Cache, bool]:
    """The cache, on or off, and which of these it is."""
    folder, limit, enabled = _or_fail(settings)
    if folder is None:
        raise Failure(f"no cache of compiled programs: {NO_FOLDER}. {ADVICE}")
    return Cache(folder, limit), enabled


def _or_fail(do: Any) -> Any:
    try:
        return do()
    except LaunchpathError as error:
        raise Failure(f"{error}. {ADVICE}" if type(error) is LaunchpathError else str(error)) from None


def _kernels(meta: dict[str, Any]) -> list[str]:
    names = meta.get("kernels")
    return [str(name) for name in names] if isinstance(names, (list, dict)) else []


def _cut(names: list[str]) -> str:
    """As many of the names as fit, and how many there are if that is not all."""
    text = ", ".join(names)
    if len(text) <= WIDTH:
        return text
    end = f", ... ({len(names)})" if len(names) > 1 else ""
    shown = list(names)
    while len(shown) > 1 and len(", ".join(shown) + end) > WIDTH:
        shown.pop()
    text, room = ", ".join(shown), WIDTH - len(end)
    return (text if len(text) <= room else f"{text[: room - 3]}...") + end


def _device(meta: dict[str, Any]) -> str:
    device = meta.get("device", "")
    return str(device.get("name", "")) if isinstance(device, dict) else str(device)


def _cells(entry: Stored) -> list[str]:
    end = [format_bytes(entry.size), _local(entry.used), entry.key[:8]]
    if entry.meta is None:
        return ["(cannot be read; replaced when next compiled)", "", "", "", *end]
    kernels = _cut(_kernels(entry.meta)) or "(none: templates only)"
    source, options = (str(entry.meta.get(name, "")) for name in ("source", "options"))
    # The end of a path tells more than its begin.
    source = source if len(source) <= NARROW else f"...{source[3 - NARROW :]}"
    return [kernels, source, *(_begin(text) for text in (options, _device(entry.meta))), *end]


def _begin(text: str) -> str:
    return text if len(text) <= NARROW else f"{text[: NARROW - 3]}..."


def _as_json(entry: Stored) -> dict[str, Any]:
    meta = entry.meta or {}
    return {
        "key": entry.key,
        "readable": entry.meta is not None,
        "kernels": _kernels(meta),
        "source": str(meta.get("source", "")),
        "options": str(meta.get("options", "")),
        "device": _device(meta),
        "size": entry.size,
        "last_use": _time(entry.used),
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _local(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(" ", timespec="minutes")
