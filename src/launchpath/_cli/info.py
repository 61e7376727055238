"""``launchpath info``: what is in a compiled file; without a file, what a report of a bug needs."""

from __future__ import annotations

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.description import description_as_json, print_description
from launchpath._cli.shown.output import Output
from launchpath._cli.shown.surroundings import collect, print_surroundings
from launchpath._cli.words.options import json_option
from launchpath._programs.description import describe
from launchpath._programs.program_file import read_file


@click.command()
@click.argument("file", type=click.Path(dir_okay=False), required=False)
@json_option
def info(file: str | None, json_file: str | None) -> None:
    """Show what is in FILE: its target, its options, and its kernels with their signatures.

    Without FILE: show what a report of a bug needs. These are the versions of launchpath, Python and the system, the
    devices with their drivers, the compilers, the environment variables that count, and the cache with its size.

    FILE is a program that launchpath saved, SPIR-V, PTX, a cubin, a fat binary, an HSACO or a bundle of Clang's. No
    device and no compiler is needed.
    """
    output = Output(json_file)
    if file is None:
        about = collect()
        output.json(about)
        print_surroundings(about, output)
        return
    try:
        data = read_file(file)
    except OSError as error:
        raise Failure(f"cannot read {file}: {error.strerror}") from None
    description = describe(data, file)
    output.json(description_as_json(file, description))
    print_description(file, description, output)
