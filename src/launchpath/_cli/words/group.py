"""Groups of commands, which name the command that a misspelled word is like."""

from __future__ import annotations

from difflib import get_close_matches

import click

from launchpath._cli.words.help import HelpContext


class Group(click.Group):
    """A group that knows what a misspelled command is like, and whose help fits the terminal."""

    context_class = HelpContext

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give a command, whose help fits the terminal too; None if there is no such command."""
        command = self.named(ctx, cmd_name)
        if command is not None:
            command.context_class = HelpContext
        return command

    def named(self, ctx: click.Context, name: str) -> click.Command | None:
        """Give the command of a name, if there is one."""
        return super().get_command(ctx, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for a word that is none names the command that is like it, or all of them."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchOption:
            raise
        except click.UsageError as error:
            names = self.list_commands(ctx)
            like = get_close_matches(args[0], names, 1)
            if like and like[0] in error.message:  # newer versions of click name it
                raise
            remark = f"Did you mean {like[0]!r}?" if like else f"Expected one of {', '.join(names)}."
            raise click.UsageError(f"{error.message} {remark}", ctx) from None


def no_such_option(word: str) -> click.NoSuchOption:
    """Make the error for a word that is no option of the command that runs, with the options that it is like."""
    context = click.get_current_context()
    name = word.partition("=")[0]
    options = [each for option in context.command.params for each in option.opts if each.startswith("--")]
    return click.NoSuchOption(name, possibilities=get_close_matches(name, options) or None, ctx=context)
