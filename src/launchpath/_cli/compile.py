"""``launchpath compile``: compile files, and say how long each stage took."""

from __future__ import annotations

import os
from contextlib import suppress
from time import perf_counter
from typing import Any

import click

from launchpath._cli.failure import Failure
from launchpath._cli.shown.description import description_as_json, print_description
from launchpath._cli.shown.output import Output
from launchpath._cli.words.options import chosen, json_option
from launchpath._compiler import stages
from launchpath._compiler.process import pool
from launchpath._programs.compilation import Compilation, compilation
from launchpath._programs.description import describe
from launchpath._programs.program import Program
from launchpath._report import format_time
from launchpath._report.console import table


@click.command()
@click.argument("files", metavar="FILE...", type=click.Path(dir_okay=False), nargs=-1, required=True)
@click.option("-o", "--output", "to", type=click.Path(dir_okay=False), metavar="FILE.lp", help="The file to write.")
@click.option("-D", "defines", metavar="NAME[=VALUE]", help="A macro. May be repeated.", multiple=True)
@click.option("-I", "folders", metavar="FOLDER", help="A folder to search for headers. May be repeated.", multiple=True)
@click.option("--names", metavar="NAME", help="An instance of a template: 'reduce<float, 256>'. May be repeated.",
              multiple=True)  # fmt: skip
@click.option("--device", "device_name", metavar="WHICH", help="As of `launchpath demo`. Default: the current device.")
@click.option("--std", metavar="STANDARD", help="c++17 or later.")
@click.option("--fast-math", is_flag=True, help="Fast approximations in single precision.")
@click.option("--warnings", type=click.Choice(["show", "hide", "error"]), default="show", help="What becomes of them.")
@click.option("--option", "words", metavar="WORD", help="An option in NVRTC's words, as --option=-lineinfo. May be "
              "repeated.", multiple=True)  # fmt: skip
@json_option
def compile(
    files: tuple[str, ...], to: str | None, defines: tuple[str, ...], folders: tuple[str, ...], names: tuple[str, ...],
    device_name: str | None, std: str | None, fast_math: bool, warnings: str, words: tuple[str, ...],
    json_file: str | None,
) -> None:  # fmt: skip
    """Compile FILE for a device, and write what `launchpath.load` takes there without a compiler.

    Several files become one program, whose files may call each other's device functions.

    Without -o nothing is written. The times are those of the stages; a program from the cache has few of them.
    """
    output = Output(json_file)
    devices = chosen((device_name,) if device_name else ())
    if len(devices) != 1:
        raise click.BadParameter(f"expected one device, got {len(devices)}", param_hint="--device")
    options = [*words, *(f"-D{macro}" for macro in defines), *(f"-I{folder}" for folder in folders)]
    origin: dict[str, Any] = {"path": files[0]} if len(files) == 1 else {"paths": files}
    file = ", ".join(files)
    began = perf_counter()
    try:
        work = compilation(
            None, devices[0], **origin, names=names, standard=std, fast_math=fast_math,
            warnings="error" if warnings == "error" else False, options=options,
        )  # fmt: skip
    except OSError as error:
        raise Failure(f"cannot read {error.filename or file}: {error.strerror}") from None
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    program, times = _timed(work)
    work.tell(program.log, 1)
    data = _written(program, to, times)
    total = perf_counter() - began
    description = describe(data, to or file)
    about: dict[str, Any] = {
        "seconds": total,
        "stages": [{"name": name, "seconds": duration} for name, duration in times],
    }
    output.json({**description_as_json(to or file, description), **about})
    shown = description._replace(log="") if warnings == "hide" else description
    print_description(to or f"{file} (not written: no -o)", shown, output)
    drawn = table("Stage", "Time", right=("Time",))
    for name, duration in [*times, ("all", total)]:
        drawn.add_row(name, format_time(duration * 1e9))
    output.print("")
    output.print(drawn)
    with suppress(KeyboardInterrupt):  # all is written
        pool.finish()


def _timed(work: Compilation) -> tuple[Program, list[tuple[str, float]]]:
    """Make the program; give the seconds of each stage too, the first of which is what is in none."""
    began = perf_counter()
    with stages.record() as recorded:
        program = work.program()
    duration = perf_counter() - began
    times = [(stage.name, stage.seconds) for stage in recorded]
    around = "read the cache" if [name for name, _ in times] == ["driver"] else "start the compiler"
    return program, [(around, max(0.0, duration - sum(seconds for _, seconds in times))), *times]


def _written(program: Program, to: str | None, times: list[tuple[str, float]]) -> bytes:
    began = perf_counter()
    data = program._to_bytes()
    if to is not None:
        try:
            program.save(to)
        except OSError as error:
            raise Failure(f"cannot write {os.fsdecode(to)}: {error.strerror}") from None
    times.append(("write the file" if to is not None else "read the device's binary", perf_counter() - began))
    return data
