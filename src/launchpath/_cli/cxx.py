"""``launchpath c++``: the compiler driver, as hipcc, nvcc and g++ are. All its words are the driver's own."""

from __future__ import annotations

import sys

import click

from launchpath._cli.words.raw import RawCommand
from launchpath._host.compiler import driver


@click.command("c++", cls=RawCommand, add_help_option=False)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def cxx(words: tuple[str, ...]) -> None:
    """Compile and link HIP and CUDA programs, host code and kernels, as hipcc, nvcc and g++ do."""
    sys.exit(driver.run(words))
