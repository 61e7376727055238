"""Signatures from the user, compared with the kernels of a module."""

from __future__ import annotations

from dataclasses import replace

from ...errors import ArgumentValueError
from ..signature import Parameter, Signature
from .arguments import Argument, Passing


def agreed(found: Signature, arguments: list[Argument], given: Signature, name: str) -> Signature:
    """Give a kernel's signature with its parameters as the given one describes them.

    Parameters
    ----------
    found : Signature
        What the module says.
    arguments : list of Argument
        The same, with the pointer to local memory if there is one.
    given : Signature
    name : str
        What errors call the module.

    Raises
    ------
    ArgumentValueError
        They do not agree in number, size or kind.
    """
    parameters = given.parameters
    if _is_block(found, parameters) and given.size == found.size:
        return replace(found, parameters=parameters)
    local = [place for place, one in enumerate(arguments) if one.passing is Passing.LOCAL]
    if local and len(parameters) == len(arguments):
        parameters = parameters[: local[0]] + parameters[local[0] + 1 :]  # as in the kernel's own source
    where = f"{name}: the signature for kernel {found.name!r}"
    if len(parameters) != len(found.parameters):
        has = ", ".join(map(str, found.parameters)) or "none"
        besides = " (and a pointer to local memory, which the launch passes)" if local else ""
        raise ArgumentValueError(
            f"{where} has {len(parameters)} parameters; the module's has {len(found.parameters)}: {has}{besides}"
        )
    made = []
    for index, (one, there) in enumerate(zip(parameters, found.parameters, strict=True)):
        what = f"{where} has '{one}' as parameter {index}"
        if one.size != there.size:
            sizes = f", of {_bytes(one.size)}; the module has '{there}', of {_bytes(there.size)}"
            raise ArgumentValueError(what + sizes)
        if _form(one) != _form(there) and "struct" not in (one.kind, there.kind):
            raise ArgumentValueError(f"{what}; the module has '{there}', another kind of value")
        made.append(replace(one, align=there.align, offset=there.offset))
    return replace(found, parameters=tuple(made))


def _is_block(found: Signature, given: tuple[Parameter, ...]) -> bool:
    """Whether a kernel that takes one struct is described by what is in that: launchpath's own kernels are so."""
    if [one.kind for one in found.parameters] != ["struct"]:
        return False
    return len(given) != 1 or given[0].size != found.parameters[0].size


def _form(parameter: Parameter) -> str:
    """Tell numbers with a point from whole ones; an address is a whole one."""
    return "point" if parameter.kind.startswith("float") else "whole"


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"
