"""A plain source to SPIR-V, in one run of Clang: its kernels and what they take are known before.

Behind the source stand the kernels that a driver sees: each unpacks the packed block of arguments, or the block at an
address. All names in that text are reserved: a program may not have them, so neither side hides the other's names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..clang import frontend
from ..clang.run import Outcome
from ..kernels.instance import Instance
from ..llvm_text import build
from ..signature import Signature
from ..source.unit import Unit
from ..target import Target

if TYPE_CHECKING:
    from .image import Clang


def compile(
    unit: Unit,
    kernels: list[tuple[Instance, Signature]],
    target: Target,
    clang: Clang,
    meanwhile: Callable[[], object],
) -> Outcome:
    """Compile a plain source; the outcome's module has the instances' entry points."""
    path = unit.source.path
    files = {path: unit.source.text + "\n".join(["", *_entries(kernels), ""]).encode()}
    macros: dict[str, str | None] = {**target.macros, "_LIBCPP_REMOVE_TRANSITIVE_INCLUDES": None}
    if unit.source.options.fast_math:
        macros[frontend.FAST_MATH] = None
    return build.translated(
        unit, files, target, lambda mode: clang(unit.source, files, macros, mode, meanwhile=meanwhile)
    )


def _entries(kernels: list[tuple[Instance, Signature]]) -> Iterator[str]:
    yield '#line 1 "launchpath kernels"'
    for instance, signature in kernels:
        offsets = ", ".join(str(parameter.offset) for parameter in signature.parameters)
        parameter, argument, call = "", "nullptr", "__call"
        if signature.block:
            call = "__call_with_block"
            parameter, argument = f"__LP_BLOCK({signature.align}) __lp_block", "(const unsigned char *)__lp_block"
        elif signature.parameters:
            packed = f"__lp_packed{instance.entry}"  # by which `spirv.foreign` knows our own modules
            parameter, argument = f"{packed} __lp_block", "__lp_block.__bytes"
            yield f"struct alignas({signature.align}) {packed} {{ unsigned char __bytes[{signature.size}]; }};"
        entry = f'extern "C" __attribute__((global)) void {instance.entry}({parameter})'
        yield f"{entry} {{ __LP_CALL_OF({instance.expression})::{call}<{offsets}>({argument}); }}"
