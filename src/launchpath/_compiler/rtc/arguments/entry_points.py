"""Entry points that call the user's kernels, where those are device functions now; see `blocks`.

Tools show the demangled name. So an entry point is a function of the kernel's own name, in the kernel's namespace and
with its template parameters: an overload that takes a packed block. Where the arguments come by value, it would have
the kernel's own parameters. So it stands in a namespace of its own, which holds a copy of the kernel's namespaces.
"""

from __future__ import annotations

from typing import NamedTuple

from ...kernels.declaration import address
from ...kernels.instance import Instance
from ...signature import Signature

FILE = "__lp_entry_"  # and a number: the file in messages about the entry points
_MOST = 1024  # threads of a block: no launch bound is larger


class EntryPoint(NamedTuple):
    """An entry point."""

    text: str  # its definition
    expression: str  # the expression whose lowered name is its name; empty if `name` is known
    name: str = ""  # its name for the driver, if that is known


def caller(number: int, expression: str) -> str:
    """Write the type that calls a kernel. It comes before the entry points, which overload the kernel's name."""
    return f" typedef __lp_caller<__lp_type_{number}, {expression}> __lp_call_{number};"


def own_name(instance: Instance, signature: Signature, number: int) -> EntryPoint:
    """Write an entry point of the kernel's own name."""
    declaration = instance.declaration
    *scopes, name = declaration.name.split("::")
    around = "::".join(scopes)
    types, values = _arguments(signature, number, f"const __lp_block_of<{number}> *__restrict__")
    spaces, base = scopes, declaration.name
    within = ""
    if not signature.block:
        unique = f"__launchpath_{number}"
        spaces, base = [unique, *scopes], f"{unique}::{declaration.name}"
        within = f"using namespace ::{around}; " if around else ""
    template = f"template <{', '.join(declaration.arguments)}> " if declaration.template else ""
    text = (
        f"typedef void (*__lp_own_{number})({', '.join(types)}); "
        + "".join(f"namespace {space} {{ " for space in spaces)
        + f"{within}{template}__attribute__((global)){_bound(instance, signature)} void {name}({_named(types)}) "
        + f"{{ {_call(number, values)} }}"
        + " }" * len(spaces)
    )
    arguments = instance.name[instance.name.index("<") :] if declaration.template else ""
    return EntryPoint(text, f"static_cast<__lp_own_{number}>({address(base + arguments)})")


def plain_name(instance: Instance, signature: Signature, number: int) -> EntryPoint:
    """Write an entry point of another name, for kernels with which `own_name` does not compile."""
    types, values = _arguments(signature, number, "const unsigned char *__restrict__")
    text = (
        f'extern "C" __attribute__((global)){_bound(instance, signature)} void {instance.entry}({_named(types)}) '
        f"{{ {_call(number, values)} }}"
    )
    return EntryPoint(text, "", instance.entry)


def _arguments(signature: Signature, number: int, block: str) -> tuple[list[str], list[str]]:
    """The types of an entry point's parameters, and its arguments for the kernel: from a packed block, or unchanged."""
    parameter_types = [f"__lp_parameter<{i}, __lp_type_{number}>::__type" for i in range(len(signature.parameters))]
    if signature.block:
        return [block], [
            f"{'__lp_in_block' if parameter.kind == 'pointer' else '__lp_value'}<{type_}>::__load("
            f"(const unsigned char *)__lp_0 + {parameter.offset})"
            for type_, parameter in zip(parameter_types, signature.parameters, strict=True)
        ]
    types = [
        type_ if parameter.kind == "pointer" else f"__lp_value<{type_}>::__type"
        for type_, parameter in zip(parameter_types, signature.parameters, strict=True)
    ]
    return types, [f"__lp_{i}" for i in range(len(types))]


def _named(types: list[str]) -> str:
    return ", ".join(f"{type_} __lp_{i}" for i, type_ in enumerate(types))


def _call(number: int, values: list[str]) -> str:
    return f"__lp_call_{number}::__call({', '.join(values)});"


def _bound(instance: Instance, signature: Signature) -> str:
    """The launch bound. A template's own is not known here: too large a bound costs registers, but no launch fails."""
    most = signature.max_threads or (_MOST if instance.declaration.bound else None)
    return f" __attribute__((launch_bounds({most})))" if most else ""
