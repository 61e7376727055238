"""All passes over a module: from Clang's output to the form that runtimes accept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from .barriers.lane_order import order_lanes
from .barriers.lockstep import make_warps, rely_on_step
from .barriers.returns import continue_ended
from .facts import KernelFacts, capabilities, collect
from .globals.block import Globals
from .globals.hidden import hide
from .module import Module
from .outline import Outline
from .runtime.argument_block import receive
from .runtime.arithmetic import check_signed_products, simplify
from .runtime.atomics import place_atomics
from .runtime.endless import end_endless_loops
from .runtime.fixups import fix_subgroups, tidy
from .runtime.own_atomics import make_own_atomics_plain
from .runtime.printed import put_widths_into_formats
from .runtime.private_pointers import separate_private_pointers
from .runtime.recursion import call_by_pointer
from .runtime.spaces import infer_spaces
from .runtime.unreachable import remove_unreachable
from .runtime.vectorization import limit_vectorization
from .runtime.wrapped import hide_masks

if TYPE_CHECKING:
    from .checks.accesses import Check


@dataclass(slots=True)
class Prepared:
    """A module that devices can load."""

    module: Module
    kernels: dict[str, KernelFacts]
    globals: Globals  # the block that kernels with ``globals`` take the address of
    capabilities: frozenset[str]  # by the specification's names; those that these passes do not know by number
    warnings: tuple[str, ...] = ()  # about kernels that may give wrong results on the device
    # for kernels that take the address of their packed block: the bytes of each thread's own variables
    private: dict[str, int] = field(default_factory=dict)
    in_step: frozenset[str] = frozenset()  # kernels that count on the lanes of a warp running in step, see `lockstep`
    checks: list[Check] = field(default_factory=list)  # the accesses that are checked, if any are
    scalar: frozenset[str] = frozenset()  # kernels that the device's compiler is not to vectorize, see `vectorization`

    def encode(self) -> bytes:
        """Write the module for devices that take SPIR-V: those have no recursion, so calls in cycles go by pointer.

        Raises
        ------
        CompileError
            A function that calls itself waits for other threads.
        """
        if any(kernel.recursion for kernel in self.kernels.values()):
            return call_by_pointer(self.module).encode()
        return self.module.encode()


def prepare(
    data: bytes, early_returns: bool = False, structured: bool = False, spaces: bool = False, flat: bool = False,
    blocks: Mapping[str, int] = MappingProxyType({}), contracted: bool = True,
    bounds: bool = False, vectorized: bool = True,
) -> Prepared:  # fmt: skip
    """Make a module ready that Clang has written.

    A kernel's parameters are then, in order: the packed block or its address (if the source's kernel has parameters),
    the address of the globals' block (if it uses globals), dynamic shared memory (if it uses that).

    Parameters
    ----------
    data : bytes
        SPIR-V.
    early_returns : bool
        Make threads that return count as arrived at barriers, for devices that do not do that themselves, and give
        endless loops an end.
    structured : bool
        Make branches with barriers such as devices with `early_returns` compile right, see `arms` and `unreachable`.
    spaces : bool
        Find the storage classes of generic pointers where they can be seen.
    flat : bool
        The device has one space of addresses, and no atomics on generic pointers.
    blocks : dict of str to int
        By entry point, for kernels that take the address of their packed block: its alignment.
    contracted : bool
        Whether devices may fuse a product and a sum into a single operation.
    bounds : bool
        Check each access to memory, see `checks`.
    vectorized : bool
        Whether all kernels may be vectorized, however long that takes.

    Raises
    ------
    SpirvError
        The bytes are no module.
    CompileError
        A global's initial value is not known before the program runs, or a kernel uses a global that is only declared.
    """
    outline = Outline(Module.decode(data))
    if bounds:
        from .checks.marks import take_marks  # noqa: PLC0415 (only some processes check accesses)

        take_marks(outline)
    private = receive(outline, blocks)
    globals_block = hide(outline)
    tidy(outline, contracted)
    check_signed_products(outline)
    simplify(outline)
    put_widths_into_formats(outline)
    if structured:
        remove_unreachable(outline)
    if early_returns:
        end_endless_loops(outline)
    warnings = continue_ended(outline, structured) if early_returns else ()
    facts = collect(outline)
    in_step = rely_on_step(outline)
    warps = [kernel for kernel, kernel_facts in facts.items() if kernel_facts.subgroups or kernel in in_step]
    fix_subgroups(outline, warps)
    if spaces and flat:
        make_warps(outline, warps)
    checks: list[Check] = []
    if bounds:
        from .checks.accesses import check_accesses  # noqa: PLC0415

        checks = check_accesses(outline, globals_block.places)
    make_own_atomics_plain(outline)
    if spaces:
        infer_spaces(outline)
    if spaces and flat:
        separate_private_pointers(outline)
        order_lanes(outline, {kernel for kernel in warps if not facts[kernel].recursion})
        hide_masks(outline)
    if flat:
        place_atomics(outline)
    scalar: list[int] = []
    if spaces and flat and not vectorized:
        scalar = limit_vectorization(outline, facts.keys() - warps)
    module = outline.write()
    kernels = {kernel_facts.name: kernel_facts for kernel_facts in facts.values()}
    return Prepared(
        module, kernels, globals_block, capabilities(outline), warnings, private, checks=checks,
        in_step=frozenset(facts[kernel].name for kernel in in_step),
        scalar=frozenset(facts[kernel].name for kernel in scalar),
    )  # fmt: skip
