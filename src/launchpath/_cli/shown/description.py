"""What is in a compiled file, as commands print it and as JSON has it."""

from __future__ import annotations

from typing import Any

from launchpath._cli.shown.output import Output
from launchpath._programs.description import Description, Part
from launchpath._report import format_bytes
from launchpath._report.console import printable, table


def print_description(file: str, description: Description, output: Output) -> None:
    """Print what is in a file."""
    output.print(printable(f"{file}: {description.form}, {format_bytes(description.size)}"))
    for name, text in (("source", description.source), ("options", description.options)):
        if text:
            output.print(printable(f"{name}: {text}"))
    for part in description.parts:
        output.print(printable(f"target: {part.target or 'any device'} ({part.form}, {format_bytes(part.size)})"))
        if part.symbols:
            output.print(printable("globals: " + ", ".join(f"{name} ({size} B)" for name, size in part.symbols)))
        drawn = table("Kernel", "Arguments", "Shared", "Threads/block", right=("Arguments", "Shared", "Threads/block"))
        for kernel in part.kernels:
            shared = format_bytes(kernel.shared) + (" + dynamic" if kernel.dynamic_shared else "")
            drawn.add_row(printable(str(kernel)), format_bytes(kernel.end), shared, str(kernel.max_threads or ""))
        output.print(drawn if part.kernels else "no kernels")
    if description.log:
        output.print("\n".join(map(printable, description.log.expandtabs().splitlines())), as_it_is=True)


def description_as_json(file: str, description: Description) -> dict[str, Any]:
    """Give what `print_description` prints, as JSON has it."""
    about = {"file": file, "form": description.form, "size": description.size, "source": description.source}
    return {
        **about,
        "options": description.options,
        "log": description.log,
        "parts": [_part(part) for part in description.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    kernels = [
        {
            "name": kernel.name, "signature": str(kernel), "argument_bytes": kernel.end, "shared": kernel.shared,
            "dynamic_shared": kernel.dynamic_shared, "max_threads": kernel.max_threads,
            "parameters": [
                {"name": parameter.name, "type": parameter.ctype, "size": parameter.size, "offset": parameter.offset}
                for parameter in kernel.parameters
            ],
        }
        for kernel in part.kernels
    ]  # fmt: skip
    symbols = [{"name": name, "size": size} for name, size in part.symbols]
    return {"form": part.form, "target": part.target, "size": part.size, "kernels": kernels, "globals": symbols}
