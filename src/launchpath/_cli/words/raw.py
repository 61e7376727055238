"""Commands whose words click does not read: those behind `--` and unknown options stay where they are."""

from __future__ import annotations

import click


class RawCommand(click.Command):
    """A command that gets all its words as they are, as `words`; ``--help`` is for those that name it first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words."""
        if self.add_help_option and args[:1] in (["--help"], ["-h"]):
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        ctx.params = {"words": tuple(args)}
        return []
