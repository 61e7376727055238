"""Admission: a specialization of what Triton's own launch returned for some arguments."""

from __future__ import annotations

from typing import Any

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.rules import Row
from launchpath._fast.trial import Trial
from launchpath._fast.triton.specializing import Specializing, Unfit, is_constant
from launchpath.errors import LaunchpathError
from launchpath.interop.triton import SCRATCH, kernel_signature, refuse

_LARGE_SHARED = 228 * 1024  # bytes, from which on Triton's launch brings an attribute
RUN_NAMES = ("grid", "warmup")


def refused(kernel: Any) -> str | None:
    """Why a compiled kernel is not launched here; None: it is."""
    metadata = kernel.metadata
    if getattr(metadata, "launch_cooperative_grid", False):
        return "a cooperative grid"
    if getattr(metadata, "launch_pdl", False):
        return "programmatic dependent launch"
    if getattr(metadata, "num_ctas", 1) != 1 or any(
        extent != 1 for extent in getattr(metadata, "cluster_dims", ()) or ()
    ):
        return "clusters of blocks"
    if getattr(metadata, "tensordesc_meta", None):
        return "tensor descriptors"
    if any(getattr(metadata, field, 0) for field in SCRATCH):
        return "scratch memory"
    if getattr(metadata, "instrumentation_mode", ""):
        return "instrumentation"
    if metadata.shared > _LARGE_SHARED:
        return "more shared memory than a plain launch brings"
    if metadata.target.backend != "cuda":
        return f"a kernel for {metadata.target.backend}"
    try:
        refuse(metadata, kernel.name)
    except LaunchpathError as error:
        return str(error)
    return None


def admit(
    function: Any, kernel: Any, device: int, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> _core.FastSpecialization:
    """Make a specialization of a call.

    Parameters
    ----------
    function : JITFunction
    kernel : CompiledKernel
        What the call returned.
    names : tuple of str
        Of the arguments by name, in the call's order, `grid` and `warmup` of `run` among them.
    args, kwargs
        The arguments; ``kwargs`` without those two.

    Raises
    ------
    Unfit
        Such calls go the original way; the text says why.
    """
    reason = refused(kernel)
    if reason is not None:
        raise Unfit(reason)
    cache, binder = function.device_caches[device][0], function.device_caches[device][-1]
    keys = [key for key, value in cache.items() if value is kernel]
    if len(keys) != 1:
        raise Unfit("a kernel that Triton does not keep")
    bound, specialization, _ = binder(*args, **kwargs)
    parameters = [parameter.name for parameter in function.params]
    if list(bound) != parameters or len(specialization) != len(parameters):
        raise Unfit("a binder that launchpath does not know")
    rows, layout = _rows(kernel, binder, bound, specialization)
    call = [rows[name] for name in parameters[: len(args)]]
    if len(call) != len(args):
        raise Unfit("more arguments than parameters")
    for name in names:
        call.append(
            rows.pop(name) if name in rows else rules.anything() if name in RUN_NAMES else _option(kwargs[name])
        )
    rest = {name: bound[name] for name in parameters[len(args) :] if name not in names}
    trial = Trial(kernel.function, layout.names, rest, key=keys[0], debug=function.debug)
    return _core.FastSpecialization(
        kernel, kernel.function, device, (kernel.metadata.num_warps * layout.warp_size, 1, 1), kernel.metadata.shared,
        layout.size, call, [(rows[name], value) for name, value in rest.items()], trial,
    )  # fmt: skip


def _option(value: Any) -> Row:
    if not is_constant(value):
        raise Unfit(f"an option of type {type(value).__name__}")
    return rules.constant(value)


class Layout:
    """Where a compiled kernel has its parameters."""

    def __init__(self, kernel: Any) -> None:
        source = kernel.src
        scratch = sum(hasattr(kernel.metadata, field) for field in SCRATCH)
        try:
            signature = kernel_signature(kernel.name, source, scratch)
        except LaunchpathError as error:
            raise Unfit(f"parameters that only Triton passes: {error}") from None
        self.types = dict(source.signature)
        self.places = {parameter.name: (parameter.offset, parameter.size) for parameter in signature.parameters}
        self.names = [
            *self.places,
            *(field.removesuffix("_size") for field in SCRATCH if hasattr(kernel.metadata, field)),
        ]
        self.size = max((offset + size for offset, size in signature.layout()), default=0)
        self.warp_size = int(kernel.metadata.target.warp_size)


def _rows(kernel: Any, binder: Any, bound: dict[str, Any], specialization: list[Any]) -> tuple[dict[str, Row], Layout]:
    layout = Layout(kernel)
    if list(layout.types) != list(bound):
        raise Unfit("a compiled kernel with other parameters")
    specializing = Specializing(binder, bound, specialization)
    return {
        name: specializing.row(name, type_, layout.places.get(name)) for name, type_ in layout.types.items()
    }, layout
