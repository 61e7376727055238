"""Kernels: their launches, and their descriptions."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex

from launchpath import _core
from launchpath._listed import Listed
from launchpath._programs.attributes import Attributes, attributes
from launchpath._programs.documented import Documented
from launchpath._programs.returning import Returning, returning
from launchpath._shown import shown
from launchpath.errors import ConfigurationError, SignatureError

if TYPE_CHECKING:
    from launchpath._accepted import Extents, Shape, StreamLike
    from launchpath._compiler.signature import Signature
    from launchpath._programs.recipe import Recipe
    from launchpath._streams.device import Device


_BY_FIELDS = "it takes the fields already"


class Kernel(_core.KernelBase, Listed):
    """A kernel of a program. ``kernel[grid, block, stream, shared](*arguments)`` launches it.

    Grid is in blocks, block in threads: ints, or up to three ints in a tuple or list. Stream and shared memory may be
    omitted: the current stream, 0 bytes. Shared memory is the bytes of the ``extern __shared__`` array: a kernel that
    uses one refuses 0, and a launch whose threads do not reach it can give 1. A kernel without such an array accepts
    any number, as in CUDA, where the same launch serves several kernels, and gets no memory. Arguments are passed by
    position or by the parameters' names. Keep ``kernel[grid, block]`` to save the time of making it again.
    ``kernel.over(n)`` is ``kernel[grid, block]`` with as many blocks as `n` elements need.

    Attributes
    ----------
    name : str
    signature : launchpath._compiler.Signature
        Parameters with C type, size and offset.
    device : Device
    """

    _of_core = ("name", "signature", "device", "argument_counts", "over")
    _instead_of_setting = MappingProxyType({
        "max_dynamic_shared_size_bytes": "a launch may bring as much as the device has, "
        "kernel[grid, block, stream, bytes]",
    })  # fmt: skip
    _recipe: Recipe | None = None  # of its program
    _variant: tuple[str, ...] = ()  # the attributes of the program's kernel that lead to this
    _program: object = None

    def __init__(self, driver: _core.DriverKernel, device: Device, signature: Signature, uses: object = None) -> None:
        self._driver = driver
        self._cooperative: Kernel | None = None
        self._by_fields: Kernel | None = None

    def _described(self) -> str:
        lines = [f"__global__ void {self.signature}", "", "parameter, type, bytes, offset:"]
        lines += [f"    {p.name}: {p.ctype}, {p.size}, {p.offset}" for p in self.signature.parameters]
        return "\n".join(lines)

    __doc__ = Documented(__doc__, _described)

    # -- launching

    def bind(
        self, grid: Extents, block: Extents, shared: SupportsIndex = 0, stream: StreamLike | None = None
    ) -> _core.Launcher:
        """Make a launch to keep, as ``kernel[grid, block, stream, shared]``: call it with the kernel's arguments.

        Parameters
        ----------
        grid, block : int, or tuple or list of int
            Blocks, and threads of a block.
        shared : int
            Bytes of dynamic shared memory.
        stream : Stream or a stream of another library, optional
            The current stream at each call if omitted.

        Returns
        -------
        launcher
            The same as ``kernel[grid, block, stream, shared]`` gives.
        """
        return self[grid, block, stream, shared]

    def _again(self) -> Kernel:
        """Make the same kernel as another object."""
        return Kernel(self._driver, self.device, self.signature, self.uses)

    def _of_recipe(self, recipe: Recipe | None, variant: tuple[str, ...] = (), program: object = None) -> Kernel:
        """Take what a pickle has of the kernel. A kernel that comes from a pickle keeps its program."""
        self._recipe, self._variant, self._program = recipe, variant, program
        return self

    def _keeping(self, program: object) -> Kernel:
        """Make the same kernel as another object that keeps its program."""
        kernel = self._again()
        if self._variant[-1:] == ("cooperative",):
            kernel.make_cooperative()
        return kernel._of_recipe(self._recipe, self._variant, program)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._recipe is None:
            raise TypeError(f"{self.name} cannot be pickled: it is not of a program that launchpath compiled or loaded")
        from launchpath._programs.recipe import Recipe  # noqa: PLC0415 (only pickles need it)

        return Recipe.kernel, (self._recipe, self.name, self._variant)

    @property  # not a cached one: Python's completion would read it, and fail with its errors
    def cooperative(self) -> Kernel:
        """The kernel with cooperative launches: all blocks run at the same time, so they may wait for each other.

        ``kernel.cooperative[grid, block](...)`` is ``hipLaunchCooperativeKernel``. The driver refuses the launch of a
        grid of more blocks than run at the same time (`occupancy` times the device's compute units).

        Raises
        ------
        ConfigurationError
            The device has no cooperative launches.
        """
        if self._cooperative is None:
            kernel = self._again()._of_recipe(self._recipe, (*self._variant, "cooperative"), self._program)
            kernel.make_cooperative()
            self._cooperative = kernel
        return self._cooperative

    @property
    def by_fields(self) -> Kernel:
        """The kernel, called with the fields of the struct that its only parameter points to.

        ``__global__ void step(const Params* p)`` is called as ``kernel.by_fields[grid, block](dt, n, positions)``, or
        with the fields' names: launchpath keeps a `Params` in device memory for each stream, and uploads it before a
        launch if, and only if, its bytes are not there already. If the parameter is not a pointer to const, the kernel
        may write to the struct, and it is uploaded for every launch. `argument_counts` counts the uploads.

        Raises
        ------
        SignatureError
            The kernel has other parameters, or the struct does not consist of named fields only: it is incomplete, a
            union, or has bases, virtual functions, bit-fields or references. The message has the reason.
        """
        if self._by_fields is not None:
            return self._by_fields
        signature = self.signature
        if not signature.fields:
            raise SignatureError(
                f"{signature}: by_fields: expected a kernel whose only parameter points to a struct of named fields: "
                f"{_no_fields(signature)}"
            )
        size = -(-signature.fields_size // 8) * 8
        const = signature.parameters[0].const
        expanded = replace(
            signature, parameters=signature.fields, size=size, block=True, writes_block=not const, fields=(),
            fields_size=0, no_fields=_BY_FIELDS,
        )  # fmt: skip
        by_fields = Kernel(self._driver, self.device, expanded, self.uses)
        self._by_fields = by_fields._of_recipe(self._recipe, (*self._variant, "by_fields"), self._program)
        return self._by_fields

    def returning(self, *names: str, zero: bool = False, initial: Any = None, **shapes: Shape) -> Returning:
        """Return values through pointer parameters, which calls then omit.

        ``kernel.returning("sum")[grid, block](x, n)`` launches, copies ``*sum`` to the host after the launch, and
        returns a `Result` at once: ``float(result)`` waits for it. Memory for results is kept for each stream and
        reused, so later launches and copies do not allocate, free or wait. Keep the returned object: it owns the
        memory.

        Parameters
        ----------
        *names : str
            Parameters that return a single value of the type they point to, as a NumPy scalar.
        zero : bool
            Set the results to 0 before each launch, in the stream's order: for kernels that add to them. Without it
            they have undefined values when the kernel starts.
        initial : number, or dict of str to number, optional
            Set the results to this value before each launch, in the stream's order: for a minimum, or a maximum that
            may be negative. Each element of an array gets it. A dict has values by parameter; those without one are
            undefined.
        **shapes : int, or tuple or list of int
            Parameters that return an array: its shape. The parameter points to the first of its elements, in C order.

        Returns
        -------
        Returning
            ``returning[grid, block, stream, shared](...)`` takes the kernel's arguments, in the same order and by the
            same names, without the returned parameters.

        Raises
        ------
        SignatureError
            There is no such parameter, or it is not a pointer, a pointer to const, or a pointer to an unknown element
            type (``void *``, a struct).
        ArgumentValueError
            A shape has other values than positive ints; or an initial value is none of its parameter's type, such as
            0.5 or an infinity for an ``int *``.

        Notes
        -----
        The launch is refused on a stream that another library captures into a graph: the graph's launches would give no
        results, and the captured launch does not run.
        """
        return returning(self, names, shapes, zero, initial)

    def occupancy(self, block: Extents, shared: SupportsIndex = 0) -> int:
        """How many blocks of the kernel run on a compute unit at the same time.

        Parameters
        ----------
        block : int or tuple of int
            Threads of a block.
        shared : int
            Bytes of dynamic shared memory of a block.

        Returns
        -------
        int
            0 if no block fits.

        Raises
        ------
        ConfigurationError
            The kernel does not support this block, or the device's driver does not report it (OpenCL).
        """
        self._allow(block, shared)
        extents = block if isinstance(block, (tuple, list)) else (block,)
        blocks = self._driver.occupancy(math.prod(map(operator.index, extents)), operator.index(shared))
        if blocks is None:
            raise ConfigurationError(
                f"{self.name}: the driver of {self.device.name!r} ({self.device.info['platform']}) does not report how "
                "many blocks run at the same time"
            )
        return blocks

    def suggest_block(self, shared: SupportsIndex = 0, most: SupportsIndex | None = None) -> tuple[int, int]:
        """Threads of a block that keep the device busiest, and how many such blocks fill it.

        Parameters
        ----------
        shared : int
            Bytes of dynamic shared memory of a block.
        most : int, optional
            Threads of a block at most; the limit of kernel and device if omitted.

        Returns
        -------
        threads, blocks : int
            OpenCL drivers do not report them. There it is a multiple of the driver's preferred size, up to 256 threads,
            and one block for each compute unit.

        Raises
        ------
        ConfigurationError
            The kernel does not support this size of shared memory, or the driver does not report these values.
        """
        self._allow(1, shared)
        limit: int | None = None
        if most is not None:
            bound = _core.whole_number(most)
            if bound is None or bound < 1:
                raise ConfigurationError(
                    f"{self.name}: expected a number of threads, an int of 1 or more, got {shown(most)}"
                )
            limit = min(bound, self.device.max_threads_per_block)
        suggestion = self._driver.suggest_block(operator.index(shared), limit or 0)
        if suggestion is not None:
            return suggestion
        multiple = self._driver.info.get("preferred_block_multiple")
        if not multiple:
            raise ConfigurationError(
                f"{self.name}: the driver of {self.device.name!r} ({self.device.info['platform']}) does not suggest a "
                "block: choose a block size"
            )
        takes = [self.device.info["max_threads_per_block"], self._driver.info.get("max_threads_per_block")]
        limits = [256, *takes, self.signature.max_threads, limit]
        limit = min(threads for threads in limits if threads)
        return limit // multiple * multiple or limit, int(self.device.info["compute_units"])

    @property
    def waits_at_entry(self) -> bool:
        """Whether it waits at its entry for the kernel before it, so that it may be started before that has ended.

        Kernels that launchpath compiles for CUDA devices of compute capability 9.0 and later do; see `compile`.
        """
        return self._driver.waits

    @property
    def attributes(self) -> Attributes:
        """What the driver knows of the compiled kernel: registers, memory, the most threads of a block, versions.

        ``kernel.attributes.num_regs`` is ``cuFuncGetAttribute``'s. What a device does not tell is None.
        """
        limits = (self.device.max_threads_per_block, self._driver.info.get("max_threads_per_block"))
        most = min(limit for limit in (*limits, self.signature.max_threads) if limit)
        return attributes(self._driver, most)

    def _allow(self, block: Extents, shared: SupportsIndex) -> None:
        """Check block and shared memory as a launch does, which lets the driver count with that much."""
        self.device.driver_device.refuse_forked()
        _core.launcher_as_hip(self, 1, block, None, shared)

    if not TYPE_CHECKING:  # type checkers refuse it as well

        def __call__(self, *args: Any, **kwargs: Any) -> None:
            """Refuse: a kernel is launched with a grid and a block."""
            from launchpath._listed.launches import how_to_launch  # noqa: PLC0415 (only mistakes need it)

            raise TypeError(how_to_launch(self.name, args, isinstance(args[0] if args else None, _core.QueueBase)))

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} on {self.device.name!r}>"

    def _repr_html_(self) -> str:
        from launchpath._report.html import lines_html, table_html  # noqa: PLC0415 (only notebooks need it)

        rows = [(each.name, each.ctype, each.size, each.offset) for each in self.signature.parameters]
        drawn = table_html(("Parameter", "Type", "Bytes", "Offset"), rows, f"__global__ void {self.signature}")
        return drawn + lines_html([f"on {self.device.name}"])


def _no_fields(signature: Signature) -> str:
    """Say why a kernel cannot be called by fields."""
    if signature.no_fields == _BY_FIELDS:
        return signature.no_fields
    if len(signature.parameters) != 1:
        return f"it has {len(signature.parameters) or 'no'} parameters"
    (only,) = signature.parameters
    if only.kind != "pointer":
        return "its parameter is not a pointer"
    if only.pointee is not None and not signature.no_fields:
        return f"its parameter points to {only.pointee}, which is not a struct"
    return signature.no_fields or "the program does not contain the type that its parameter points to"


def check_layout(kernel: _core.DriverKernel, signature: Signature) -> None:
    """Hold a signature against what the driver says of a kernel's parameters, where it can tell.

    Raises
    ------
    SignatureError
        They differ: arguments would be written to wrong places.
    """
    layout = kernel.parameter_layout()
    if layout is None:
        return
    expected = [(parameter.offset, parameter.size) for parameter in signature.parameters]
    if [tuple(place) for place in layout] == expected:
        return
    if len(layout) != len(expected):
        raise SignatureError(
            f"kernel {signature.name}: the signature has {len(expected)} parameters, "
            f"the driver's kernel has {len(layout)}"
        )
    for i, (parameter, (offset, size)) in enumerate(zip(signature.parameters, layout, strict=True)):
        if (offset, size) != (parameter.offset, parameter.size):
            raise SignatureError(
                f"kernel {signature.name}: parameter {i} ({parameter}) has {parameter.size} bytes at "
                f"{parameter.offset} in the signature; in the driver's kernel {size} bytes at {offset}"
            )
