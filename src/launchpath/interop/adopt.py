"""Adopting kernels that another library compiled and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._shown import described
from launchpath._streams.device import as_device
from launchpath._streams.foreign import address, library_of
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike
    from launchpath.interop.adopted import Adopted


def adopt(kernel: Any, signature: str | None = None, device: DeviceLike | None = None) -> Adopted:
    """Adopt a kernel of another library, to launch it as a launchpath kernel.

    Parameters
    ----------
    kernel : object or int
        Triton's ``CompiledKernel`` (the result of ``kernel[grid](...)`` and ``kernel.warmup(...)``), CuPy's
        ``RawKernel``, cuda.core's ``Kernel``, a compiled kernel of Numba's ``@cuda.jit``, or a handle: ``CUfunction``,
        ``hipFunction_t``.
    signature : str, optional
        The kernel's parameters, as a C parameter list: ``"const float *x, float *y, float a, int n"``, as in
        `launchpath.load`. Omit it for Triton's and Numba's kernels. Without it the parameters of other kernels have
        offsets and sizes only, from the driver (CUDA 12.4 and later): a parameter of 8 bytes is an address (an array or
        `DevicePointer`), any other parameter takes a NumPy or ctypes value of its size. Pass it for 64-bit numbers,
        checks of types, and names.
    device : Device, int or str, optional
        The device on which the kernel was loaded. If omitted: the library's current device, else launchpath's.

    Returns
    -------
    Adopted
        ``adopted[grid, block, stream, shared](...)`` launches it, with checked arguments, and ``adopted.bind(grid,
        block)`` makes a launch to keep.

    Raises
    ------
    ArgumentValueError
        It is not such a kernel, is not compiled yet, comes from an unknown version, or needs more than a plain launch
        (clusters, tensor descriptors, scratch memory); the message has the reason.
    SignatureError
        The signature differs from the parameters that the driver reports.

    Examples
    --------
    Of Triton, whose ``@triton.jit`` function ``add(x, y, n, BLOCK: tl.constexpr)`` is. On a GPU
    ``.venv/bin/python -m pytest tests/gpu/real/pages.py`` runs it:

    >>> compiled = add[(4,)](x, y, 1024, BLOCK=256)  # doctest: +SKIP
    >>> launch = lp.adopt(compiled).bind(4)  # doctest: +SKIP
    >>> launch(x, y, 1008)  # doctest: +SKIP

    Notes
    -----
    Triton compiles for the arguments of a call. Its constants are not parameters, so omit them: constexprs, numbers
    that were 1, None. A number or an address that was a multiple of 16 must be a multiple of 16 at each launch, which
    is checked. ``print(adopted.__doc__)`` shows the remaining parameters.

    The foreign object is kept as long as the adopted kernel. The kernel of a handle must stay loaded as long, and until
    its launches are complete. The library must have loaded the kernel into the device's primary context, as all of
    these libraries do. Triton's assumptions about memory beyond addresses (on AMD, that arrays are small) are not
    checked.
    """
    from launchpath.interop import cuda_core, cupy, numba, raw, triton  # noqa: PLC0415 (each when it is wanted)

    if isinstance(kernel, _core.KernelBase):
        raise ArgumentValueError(
            f"expected another library's kernel, got {kernel!r}, a launchpath kernel: launch it directly"
        )
    readers = {"triton": triton.adopt, "cupy": cupy.adopt, "cuda.core": cuda_core.adopt, "numba": numba.adopt}
    reader = readers.get(library_of(kernel))
    if reader is None and address(kernel) is not None:
        reader = raw.adopt
    if reader is None:
        raise ArgumentValueError(
            "expected a kernel of Triton, CuPy (RawKernel), cuda.core or Numba (cuda.jit), or a handle "
            f"(CUfunction, hipFunction_t), got {described(kernel)}"
        )
    return reader(kernel, signature, None if device is None else as_device(device))
