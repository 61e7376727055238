"""What is written after a program: the names that it is asked for, and checks of what its kernels take."""

from __future__ import annotations

from collections.abc import Iterable

from ..build import GENERATED
from ..instance import Instance
from ..layout import Layout
from .messages import NAMES


def tail(instances: Iterable[Instance], expressions: Iterable[str], layout: Layout) -> str:
    """Write the checks: arguments are packed by Clang's layout, and the compiler that makes the code must share it.

    Offsets follow from sizes and alignments.

    Parameters
    ----------
    instances : iterable of Instance
    expressions : iterable of str
        Their addresses.
    layout : Layout
        What they take.
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
                f" static_assert(sizeof(__lp_parameter<{i}, {name}>::type) == {p.size} && "
                f"alignof(__lp_parameter<{i}, {name}>::type) == {p.align}, "
                f"\"parameter '{p.name}' of kernel '{instance.name}' has another layout on this device\");"
                for i, p in enumerate(signature.parameters)
                if p.kind == "struct"
            )
        )
    return "\n".join([*text, f'#line 1 "{NAMES}"', ""])


def symbol(name: str) -> str:
    """The expression that stands for a device global."""
    return f"&::{name}"
