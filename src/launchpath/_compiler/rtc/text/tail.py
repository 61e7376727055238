"""The text after a program: requested names, checks of the kernels' parameters, entry points."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from ...kernels.instance import GENERATED, Instance
from ...signature import Layout

if TYPE_CHECKING:
    from ..arguments.entry_points import EntryPoint

NAMES = "launchpath names"  # where hipRTC reads the expressions that names are asked for, which it adds at the end


def entry_points(
    instances: Iterable[Instance], layout: Layout, called: Collection[str], own_names: bool
) -> dict[str, EntryPoint]:
    """Write the entry points of kernels that are device functions now, see `blocks`.

    Parameters
    ----------
    instances : iterable of Instance
    layout : Layout
        What they take.
    called : collection of str
        The entries of those kernels.
    own_names : bool
        Whether the entry points get the kernels' names.

    Returns
    -------
    dict of str to EntryPoint
        By the instances' entries.
    """
    from ..arguments.entry_points import own_name, plain_name  # noqa: PLC0415 (most programs have none)

    return {
        instance.entry: (own_name if own_names and not instance.declaration.scope else plain_name)(
            instance, signature, number
        )
        for number, (instance, signature) in enumerate(zip(instances, layout.signatures, strict=True))
        if instance.entry in called
    }


def tail(
    instances: Iterable[Instance], expressions: Iterable[str], layout: Layout,
    entries: Mapping[str, EntryPoint] | None = None,
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
    entries : dict of str to EntryPoint, optional
        See `entry_points`.
    """
    entries = entries or {}
    text, after = [""], []
    for number, (instance, expression, signature) in enumerate(
        zip(instances, expressions, layout.signatures, strict=True)
    ):
        # Errors in its name or its types are on this line, which messages show as the kernel's own.
        place = f'#line 1 "{GENERATED}{number}"'
        name = f"__lp_type_{number}"
        checks = "".join(
            f" static_assert(sizeof(__lp_parameter<{i}, {name}>::__type) == {p.size} && "
            f"alignof(__lp_parameter<{i}, {name}>::__type) == {p.align}, "
            f"\"parameter '{p.name}' of kernel '{instance.name}' has another layout on this device\");"
            for i, p in enumerate(signature.parameters)
            if p.kind == "struct"
        )
        text += [place, f"typedef decltype({expression}) {name};{checks}"]
        if (entry := entries.get(instance.entry)) is not None:
            from ..arguments.entry_points import FILE, caller  # noqa: PLC0415 (most programs have none)

            text[-1] += caller(number, expression)
            after += [f'#line 1 "{FILE}{number}"' if entry.expression else place, entry.text]
    return "\n".join([*text, *after, f'#line 1 "{NAMES}"', ""])


def symbol(name: str) -> str:
    """The expression that stands for a device global."""
    return f"&::{name}"
