"""Early variants: kernels once more, which let the next one start at once. Frozen steps launch them in small grids.

A program is compiled again for them, with another statement at its kernels' entries, and becomes a module beside the
first one. So it must have no state, and both must be the same code but for the statement: then a kernel of the second
module may run in place of the first one's. What is not sure of that stays as it is.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath import _core
    from launchpath._compiler.image import Image
    from launchpath._programs.compilation import Compilation

_SAME = ("shared_memory", "local_memory")  # of `DriverKernel.info`


def of(image: Image, compilation: Compilation, instances: tuple[str, ...]) -> Variants | None:
    """Give what early variants of an image's kernels come from; None if none of its kernels waits at its entry.

    Parameters
    ----------
    image : Image
    compilation : Compilation
    instances : tuple of str
        What the image was compiled for alone; empty: it is the program's first.
    """
    return Variants(image, compilation, instances) if image.waiting and image.native else None


class Variants:
    """The early variants of an image's kernels, made when the first is wanted. It does not keep the program."""

    def __init__(self, image: Image, compilation: Compilation, instances: tuple[str, ...]) -> None:
        self._compilation, self._instances, self._body = compilation, instances, image.body
        self._refused = _why_bound(image)
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._program: _core.DriverProgram | None = None

    def pair(self, kernel: _core.DriverKernel) -> str:
        """Give a kernel of the image its variant.

        Returns
        -------
        str
            Why it has none; empty: it has.
        """
        if self._refused:
            return self._refused
        device = self._compilation.device
        try:
            device.driver_device.refuse_forked()  # another thread may have had the lock
            with self._lock:
                if kernel.early is not None:
                    return ""
                return self._refused or self._variant_refused() or self._pair(kernel)
        except (LaunchpathError, OSError, MemoryError) as error:  # not for good: memory may be short just now
            return _first_line(error)

    def _variant_refused(self) -> str:
        """Compile, once."""
        if self._image is not None:
            return ""
        from launchpath._programs.progress import Progress  # noqa: PLC0415 (importing launchpath must stay fast)

        threads = int(self._compilation.device.info["early_trigger_threads"])
        compilation = self._compilation.with_triggers(threads)
        try:
            with Progress(self._compilation.source.name):
                image = compilation.image(self._instances)
        except LaunchpathError as error:
            self._refused = f"its early variant does not compile: {_first_line(error)}"
            return self._refused
        if image.is_fresh:
            compilation.keep(image, image.code)
        if image.body != self._body:
            self._refused = "the compiler made other code of its early variant"
        self._image = image
        return self._refused

    def _pair(self, kernel: _core.DriverKernel) -> str:
        """Load, once, and give the kernel its variant."""
        image, pool = self._image, self._compilation.device.pool
        if image is None or kernel.entry not in image.waiting:
            return "its early variant does not wait at its entry"
        # Loading waits for the device, which must not wait for this thread then.
        if not pool.begin_unheld(0):
            return "a stream waited for the host when the step was frozen"
        try:
            if self._program is None:
                self._program = self._compilation.device.driver_device.load(image.code)
            early = self._program.kernel(kernel.entry, label=kernel.label, waits=True)
        finally:
            pool.end_unheld()
        if not _is_alike(kernel.info, early.info):
            return "its early variant takes more of a block's resources"
        return "" if kernel.pair(early) else "its driver has no graphs with early variants"


def _why_bound(image: Image) -> str:
    """Why an image's kernels may not run in another module; empty: they may."""
    if image.own_symbols():
        return f"its program has variables ({image.own_symbols()[0].name}), and another module would have its own"
    if not image.body:
        return "its program may have what each module has of its own: variables, tables, addresses of functions"
    return ""


def _is_alike(info: dict[str, Any], early: dict[str, Any]) -> bool:
    """Whether launches of a kernel suit its variant, by what the driver knows of both."""
    same = all(info.get(name) == early.get(name) for name in _SAME)
    return same and early.get("max_threads_per_block", 0) >= info.get("max_threads_per_block", 0)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
