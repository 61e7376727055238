"""Signatures as JSON, for the cache and for saved programs."""

from __future__ import annotations

from dataclasses import asdict
from math import prod
from typing import Any

from launchpath._compiler.signature import Parameter, Signature
from launchpath._kinds import ELEMENTS, KIND_BYTES
from launchpath.errors import ArgumentValueError

_LARGEST = (1 << 31) - 1  # the core holds these values in 32 bits

_PARAMETER: dict[str, tuple[type, ...]] = {
    "name": (str,), "ctype": (str,), "kind": (str,), "size": (int,), "align": (int,), "offset": (int,),
    "pointee": (str, type(None)), "const": (bool,), "members": (list,), "shape": (list,), "no_members": (str,),
}  # fmt: skip
_SIGNATURE: dict[str, tuple[type, ...]] = {
    "name": (str,), "parameters": (list,), "size": (int,), "shared": (int,), "dynamic_shared": (bool,),
    "max_threads": (int, type(None)), "warps": (bool,), "block": (bool,), "writes_block": (bool,), "fields": (list,),
    "fields_size": (int,), "no_fields": (str,), "dynamic_variable": (str, type(None)),
}  # fmt: skip
_LATER: dict[str, Any] = {
    "block": False,
    "writes_block": False,
    "fields": [],
    "fields_size": 0,
    "no_fields": "",
    "dynamic_variable": None,
}  # programs that an older version saved lack these
_LATER_OF_PARAMETER: dict[str, Any] = {"members": [], "shape": [], "no_members": ""}
_DEEPEST = 100  # structs in structs


def to_json(signature: Signature) -> dict[str, Any]:
    """Encode a signature for `from_json`, as dicts, lists, strings, ints, bools and None."""
    encoded: dict[str, Any] = _with_lists(asdict(signature))
    return encoded


def _with_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_lists(item) for name, item in value.items()}
    return [_with_lists(item) for item in value] if isinstance(value, (tuple, list)) else value


def from_json(data: Any) -> Signature:
    """Make a signature.

    All of it is checked, because the core packs arguments to these offsets without a further check: a wrong offset
    would write over foreign memory.

    Raises
    ------
    ArgumentValueError
        It is not what `to_json` makes, or contradicts itself.
    """
    fields = _checked({**_LATER, **data} if type(data) is dict else data, _SIGNATURE, "a signature")
    subject = f"the signature of {fields['name']!r}"
    parameters, end = _parameters(fields["parameters"], "parameter", subject)
    of_struct, struct_end = _parameters(fields["fields"], "field", subject)
    signature = Signature(**{**fields, "parameters": parameters, "fields": of_struct})
    if signature.size < end or signature.size % 8:
        raise ArgumentValueError(f"{subject} has {signature.size} bytes, but its parameters end at {end}")
    if signature.fields_size < struct_end:
        raise ArgumentValueError(f"{subject} has {signature.fields_size} bytes, but its fields end at {struct_end}")
    if signature.max_threads == 0:
        raise ArgumentValueError(f"{subject} allows blocks of 0 threads only")
    return signature


def _parameters(items: list[Any], word: str, subject: str, depth: int = 0) -> tuple[tuple[Parameter, ...], int]:
    """Decode parameters, or fields, with the end of the last in bytes."""
    parameters: list[Parameter] = []
    end = 0
    for item in items:
        whole = {**_LATER_OF_PARAMETER, **item} if type(item) is dict else item
        values = _checked(whole, _PARAMETER, f"a {word} in {subject}")
        called = f"{word} {values['name']!r} in {subject}"
        values["members"], members_end = _members(values, called, depth)
        values["shape"] = _shape(values["shape"], called)
        parameter = Parameter(**values)
        _check_parameter(parameter, called)
        _check_members(parameter, members_end, called)
        if parameter.offset < end:
            raise ArgumentValueError(f"{called} begins at {parameter.offset}, inside the previous parameter or field")
        end = parameter.offset + parameter.size
        parameters.append(parameter)
    return tuple(parameters), end


def _members(values: dict[str, Any], subject: str, depth: int) -> tuple[tuple[Parameter, ...], int]:
    if depth > _DEEPEST:
        raise ArgumentValueError(f"{subject} is a struct in more than {_DEEPEST} others")
    return _parameters(values["members"], "field", subject, depth + 1)


def _shape(extents: list[Any], subject: str) -> tuple[int, ...]:
    if any(type(extent) is not int or not 0 < extent <= _LARGEST for extent in extents):
        raise ArgumentValueError(f"{subject} has shape {extents!r:.100}")
    return tuple(extents)


def _check_members(parameter: Parameter, end: int, subject: str) -> None:
    """Hold what is in a struct against its bytes."""
    if parameter.kind != "struct" and (parameter.members or parameter.shape):
        raise ArgumentValueError(f"{subject} is of kind {parameter.kind!r}, and has fields")
    if parameter.shape:
        is_right = len(parameter.members) == 1 and prod(parameter.shape) * parameter.members[0].size == parameter.size
    else:
        is_right = all(member.name for member in parameter.members) and end <= parameter.size
    if not is_right:
        raise ArgumentValueError(f"{subject} has {parameter.size} bytes, which is not what its fields have")


def _checked(data: Any, types: dict[str, tuple[type, ...]], subject: str) -> dict[str, Any]:
    if type(data) is not dict or data.keys() != types.keys():
        raise ArgumentValueError(f"{subject}: expected an object with {', '.join(types)}, got {data!r:.200}")
    for name, allowed in types.items():
        value = data[name]
        if type(value) not in allowed or (type(value) is int and not 0 <= value <= _LARGEST):
            raise ArgumentValueError(f"{subject} has {name} {value!r:.100}")
    return dict(data)


def _check_parameter(parameter: Parameter, subject: str) -> None:
    expected = max(1, parameter.size) if parameter.kind == "struct" else KIND_BYTES.get(parameter.kind)
    if parameter.size != expected:
        raise ArgumentValueError(f"{subject} is of kind {parameter.kind!r} with {parameter.size} bytes")
    if not parameter.align or parameter.align & (parameter.align - 1) or parameter.offset % parameter.align:
        raise ArgumentValueError(
            f"{subject} is aligned to {parameter.align} bytes, but its offset is {parameter.offset}"
        )
    if parameter.pointee is not None and parameter.pointee not in ELEMENTS:
        raise ArgumentValueError(f"{subject} points to {parameter.pointee!r}, which is not a known dtype")
