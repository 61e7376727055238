"""What a driver knows of a compiled kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from launchpath import _core


class Attributes(NamedTuple):
    """What a device knows of a kernel, by the names of CUDA's ``cuFuncGetAttribute``; None: it does not tell.

    Attributes
    ----------
    max_threads_per_block : int
        The most threads of a block.
    num_regs : int or None
        Registers of a thread.
    local_size_bytes : int or None
        Local memory of a thread: where registers do not suffice.
    shared_size_bytes : int or None
        Static shared memory of a block.
    const_size_bytes : int or None
        Constant memory that the source declares.
    max_dynamic_shared_size_bytes : int or None
        The most dynamic shared memory that a launch may bring without a further question.
    ptx_version : int or None
        Of the PTX that it was compiled from: 90 for 9.0.
    binary_version : int or None
        Of the architecture that it was compiled for: 90 for ``sm_90``.
    """

    max_threads_per_block: int
    num_regs: int | None
    local_size_bytes: int | None
    shared_size_bytes: int | None
    const_size_bytes: int | None
    max_dynamic_shared_size_bytes: int | None
    ptx_version: int | None
    binary_version: int | None


def attributes(kernel: _core.DriverKernel, most: int) -> Attributes:
    """Ask a driver; `most` is the most threads of a block."""
    info = kernel.info
    constant, ptx, binary, dynamic = kernel.facts()
    memory = (info.get("registers"), info.get("local_memory"), info.get("shared_memory"))
    return Attributes(most, *memory, constant, dynamic, ptx, binary)
