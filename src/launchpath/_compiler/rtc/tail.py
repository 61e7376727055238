"""The text after a program: requested names, checks of the kernels' parameters, entry points."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..build import GENERATED
from ..instance import Instance
from ..layout import Layout
from ..signature import Signature
from .messages import NAMES

_MOST = 1024  # threads of a block: what any launch bound is within


def tail(
    instances: Iterable[Instance], expressions: Iterable[str], layout: Layout, called: Collection[str] = ()
) -> str:  # fmt: skip
    """Write the checks: arguments are packed by Clang's layout, and the compiler that makes the code must share it.

    Offsets follow from sizes and alignments.

    Parameters
    ----------
    instances : iterable of Instance
    expressions : iterable of str
        Their addresses.
    layout : Layout
        What they take.
    called : collection of str
        The entry points to write: of kernels that are device functions now, see `blocks`.
    """
    text = [""]
    for number, (instance, expression, signature) in enumerate(
        zip(instances, expressions, layout.signatures, strict=True)
    ):
        # What is wrong with its name or its types is said on a line that messages show as the kernel's own.
        text.append(f'#line 1 "{GENERATED}{number}"')
        name = f"__lp_type_{number}"
        text.append(
            f"typedef decltype({expression}) {name};"
            + "".join(
                f" static_assert(sizeof(__lp_parameter<{i}, {name}>::__type) == {p.size} && "
                f"alignof(__lp_parameter<{i}, {name}>::__type) == {p.align}, "
                f"\"parameter '{p.name}' of kernel '{instance.name}' has another layout on this device\");"
                for i, p in enumerate(signature.parameters)
                if p.kind == "struct"
            )
            + (_entry(instance, expression, signature, name) if instance.entry in called else "")
        )
    return "\n".join([*text, f'#line 1 "{NAMES}"', ""])


def _entry(instance: Instance, expression: str, signature: Signature, name: str) -> str:
    """Write a kernel that calls the user's: with what a block holds, or with what it is given itself."""
    types = [f"__lp_parameter<{i}, {name}>::__type" for i in range(len(signature.parameters))]
    if signature.block:
        taken = "const unsigned char *__restrict__ __lp_block"
        given = [
            f"{'__lp_in_block' if parameter.kind == 'pointer' else '__lp_value'}<{type_}>::__load(__lp_block + "
            f"{parameter.offset})"
            for type_, parameter in zip(types, signature.parameters, strict=True)
        ]
    else:
        taken = ", ".join(
            f"{type_ if parameter.kind == 'pointer' else f'__lp_value<{type_}>::__type'} __lp_{i}"
            for i, (type_, parameter) in enumerate(zip(types, signature.parameters, strict=True))
        )
        given = [f"__lp_{i}" for i in range(len(types))]
    # A template's own bound is not known here; one that is too large costs registers and no launch.
    most = signature.max_threads or (_MOST if instance.declaration.bound else None)
    bound = f" __attribute__((launch_bounds({most})))" if most else ""
    attributes = f'extern "C" __attribute__((global)){bound}'
    return f" {attributes} void {instance.entry}({taken}) {{ (*({expression}))({', '.join(given)}); }}"


def symbol(name: str) -> str:
    """The expression that stands for a device global."""
    return f"&::{name}"
