"""The command line: ``launchpath devices``, ``compile``, ``run``, ``trace``, ``report``, ``sql``, ``why`` and others.

Exit codes: 0 all is well; 1 a run, its verification or a required figure failed; 2 the command was misused; 3 there is
no device, or none such.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from launchpath import __version__
from launchpath._cli.failure import in_words, output_written

__all__ = ["main"]

# Each is the function of that name in the module of that name here, or of that in `_MODULES`.
COMMANDS = (
    "bench", "c++", "cache", "clock", "compile", "demo", "devices", "info", "report", "run", "sql", "trace", "why",
)  # fmt: skip
_MODULES = {"c++": "cxx"}


class Commands(click.Group):
    """A group that imports a command when it is used, and prints errors of its commands without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        name = _MODULES.get(cmd_name, cmd_name)
        command: click.Command = getattr(import_module(f"launchpath._cli.{name}"), name)
        return command

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line."""
        with output_written():
            return super().main(*args, **extra)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for a word that is none names the command that is like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            like = get_close_matches(args[0], COMMANDS, 1)
            if not like or like[0] in error.message:  # newer versions of click name it
                raise
            raise click.UsageError(f"{error.message} Did you mean {like[0]!r}?", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with in_words():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="launchpath")
def main() -> None:
    """Launch HIP and CUDA kernels from Python at the driver's own cost."""
