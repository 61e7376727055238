"""The command line: ``launchpath devices``, ``compile``, ``run``, ``trace``, ``report``, ``sql``, ``why`` and others.

Exit codes: 0 all is well; 1 a run, its verification or a required figure failed; 2 the command was misused; 3 there is
no device, or none such.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from launchpath import __version__
from launchpath._cli.failure import in_words, output_written
from launchpath._cli.words.group import Group

__all__ = ["main"]

# Each is the function of that name in the module of that name here, or of that in `_MODULES`.
COMMANDS = (
    "bench", "c++", "cache", "clock", "compile", "demo", "devices", "info", "report", "run", "sql", "trace", "why",
)  # fmt: skip
_MODULES = {"c++": "cxx"}


class Commands(Group):
    """A group that imports a command when it is used, and prints errors of its commands without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names."""
        return list(COMMANDS)

    def named(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command; None if there is no such command."""
        if name not in COMMANDS:
            return None
        module = _MODULES.get(name, name)
        command: click.Command = getattr(import_module(f"launchpath._cli.{module}"), module)
        return command

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line."""
        with output_written():
            return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with in_words():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="launchpath")
def main() -> None:
    """Launch HIP and CUDA kernels from Python at the driver's own cost."""
