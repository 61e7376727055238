"""``launchpath run``: compile a HIP or CUDA program, host code and kernels, and run it as it is."""

from __future__ import annotations

import os

import click

from launchpath._cli.raw import RawCommand
from launchpath._host import run_words
from launchpath._host.compiler.words import UsageError


@click.command("run", cls=RawCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS] SOURCES... [ARGUMENTS]...")
def run(words: tuple[str, ...]) -> None:
    """Compile a HIP or CUDA program and run it, unchanged, on any device.

    \b
    launchpath run particles.cu --steps 100
    launchpath run --device pocl app/*.hip -Iinclude -DN=4 -- input.txt

    The options before the sources are `launchpath c++`'s (-I, -D, -O, -std and the others), and these two:

    \b
    --device WHICH  the program's device 0: an index, or words, as in LAUNCHPATH_DEVICE
    --trace FILE    write a trace, see `launchpath report`

    The words behind the sources are the program's arguments. With `--` before the arguments, options may stand behind
    the sources too. What is compiled is kept, until a file that it was made of changes. The exit code is the program's.
    """  # noqa: D301 (click's own sign)
    try:
        asked = run_words.read(words)
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    if asked.device is not None:
        os.environ["LAUNCHPATH_DEVICE"] = asked.device
    from launchpath._host import built, executable  # noqa: PLC0415 (they open devices, which the environment chooses)

    if run_words.is_program(asked.files):
        path = os.path.abspath(asked.files[0])
    else:
        path = built.program(asked.files, asked.options)
    executable.run(path, [asked.files[0], *asked.arguments], asked.trace_file)
