"""Signatures from the user, compared with the kernels of a module."""

from __future__ import annotations

from dataclasses import replace

from launchpath.errors import ArgumentValueError

from ...signature import Parameter, Signature
from .arguments import Argument, Passing


def agreed(signature: Signature, arguments: list[Argument], declared: Signature, name: str) -> Signature:
    """Give a kernel's signature with its parameters as the user's signature describes them.

    Parameters
    ----------
    signature : Signature
        The signature in the module.
    arguments : list of Argument
        The same, with the pointer to local memory if the kernel has it.
    declared : Signature
        The user's.
    name : str
        The module's name in errors.

    Raises
    ------
    ArgumentValueError
        They do not agree in number, size or kind.
    """
    parameters = declared.parameters
    if _is_block(signature, parameters) and declared.size == signature.size:
        return replace(signature, parameters=parameters)
    local = [place for place, argument in enumerate(arguments) if argument.passing is Passing.LOCAL]
    if local and len(parameters) == len(arguments):
        parameters = parameters[: local[0]] + parameters[local[0] + 1 :]  # as in the kernel's own source
    where = f"{name}: the signature for kernel {signature.name!r}"
    if len(parameters) != len(signature.parameters):
        has = ", ".join(map(str, signature.parameters)) or "none"
        besides = " (and a pointer to local memory, which the launch passes)" if local else ""
        raise ArgumentValueError(
            f"{where} has {len(parameters)} parameters; the module's has {len(signature.parameters)}: {has}{besides}"
        )
    agreed_parameters = []
    for index, (parameter, existing) in enumerate(zip(parameters, signature.parameters, strict=True)):
        subject = f"{where} has '{parameter}' as parameter {index}"
        if parameter.size != existing.size:
            sizes = f", of {_bytes(parameter.size)}; the module has '{existing}', of {_bytes(existing.size)}"
            raise ArgumentValueError(subject + sizes)
        if _form(parameter) != _form(existing) and "struct" not in (parameter.kind, existing.kind):
            raise ArgumentValueError(f"{subject}; the module has '{existing}', another kind of value")
        agreed_parameters.append(replace(parameter, align=existing.align, offset=existing.offset))
    return replace(signature, parameters=tuple(agreed_parameters))


def _is_block(signature: Signature, declared: tuple[Parameter, ...]) -> bool:
    """Whether the user describes the fields of a kernel's only struct, as of launchpath's own kernels."""
    if [parameter.kind for parameter in signature.parameters] != ["struct"]:
        return False
    return len(declared) != 1 or declared[0].size != signature.parameters[0].size


def _form(parameter: Parameter) -> str:
    """Tell numbers with a point from whole ones; an address is a whole one."""
    return "point" if parameter.kind.startswith("float") else "whole"


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"
