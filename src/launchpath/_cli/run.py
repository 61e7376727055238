"""``launchpath run``: compile a HIP or CUDA program and run it as it is; or run a Python program with fast launches."""

from __future__ import annotations

import os

import click

from launchpath._cli.words.raw import RawCommand
from launchpath._fast import running
from launchpath._host import run_words
from launchpath._host.compiler.words import UsageError


@click.command("run", cls=RawCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS] SOURCES... [ARGUMENTS]...")
def run(words: tuple[str, ...]) -> None:
    """Compile a HIP or CUDA program and run it, unchanged, on any device.

    \b
    launchpath run particles.cu --steps 100
    launchpath run --device pocl app/*.hip -Iinclude -DN=4 -- input.txt
    launchpath run --fast train.py --epochs 3
    launchpath run --fast -m pytest tests

    The options before the sources are `launchpath c++`'s (-I, -D, -O, -std and the others), and these two:

    \b
    --device WHICH  the program's device 0: an index, or words, as in LAUNCHPATH_DEVICE
    --trace FILE    write a trace, see `launchpath report`

    The words behind the sources are the program's arguments. With `--` before the arguments, options may stand behind
    the sources too. What is compiled is kept, until a file that it was made of changes. The exit code is the program's.

    With --fast, which comes first, the program is Python's, and the kernels of Triton, Numba and CuPy in it and in its
    child processes are launched by launchpath. LAUNCHPATH_FAST=quiet omits the line that it writes at the end.
    """  # noqa: D301 (click's own sign)
    if words[:1] == ("--fast",):
        try:
            running.execute(words[1:])
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    try:
        asked = run_words.read(words)
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    for remark in run_words.remarks(asked):
        click.echo(remark, err=True)
    if asked.device is not None:
        os.environ["LAUNCHPATH_DEVICE"] = asked.device
    from launchpath._host import built, executable  # noqa: PLC0415 (they open devices, which the environment chooses)

    if run_words.is_program(asked.files):
        path = os.path.abspath(asked.files[0])
    else:
        path = built.program(asked.files, asked.options)
    executable.run(path, [asked.files[0], *asked.arguments], asked.trace_file)
