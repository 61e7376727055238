"""What a program was made of: enough to make it again, in another process too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from launchpath._streams import device_again  # noqa: F401 (pickles have devices)
from launchpath._version import __version__
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._compiler.image import Image
    from launchpath._programs.compilation import Compilation
    from launchpath._programs.kernel import Kernel
    from launchpath._programs.program import Program
    from launchpath._streams.device import Device

_load: Callable[[bytes, str, Device], Program]  # see `load_by`


class Recipe:
    """The source, the options and the device of a program; of a loaded program its image in place of the source.

    A program and its kernels share one. It does not keep the program, which drops its driver's objects when the last
    reference goes. In a pickle it is one object as well, so that all kernels of a program in a pickle become kernels
    of one program, with the same globals.
    """

    def __init__(
        self, device: Device, name: str, compilation: Compilation | None, image: Image | bytes | None = None
    ) -> None:
        self.device, self.name, self._compilation, self._image = device, name, compilation, image
        self._program: ref[Program] | None = None
        self._lock = threading.Lock()

    def is_for(self, program: Program) -> None:
        """Take the program that was made of it."""
        self._program = ref(program)

    def program(self) -> Program:
        """Give the program that was made of it, or make it.

        Raises
        ------
        LaunchpathError
            As `compile` and `load` do.
        """
        with self._lock:
            program = self._program() if self._program is not None else None
            if program is None:
                program = self._new_program()
                self._program = ref(program)
            return program

    def _new_program(self) -> Program:
        if self._compilation is not None:
            return self._compilation.program()
        return _load(self._entry(), self.name, self.device)

    def _entry(self) -> bytes:
        """Give what a file of `Program.save` has, without the binary of a driver that compiles other forms."""
        from launchpath._compiler.target import device_identity  # noqa: PLC0415 (importing launchpath must stay fast)

        image = self._image
        if image is None or isinstance(image, bytes):
            return image or b""
        if image.native and image.is_fresh:
            image = image.with_binary(image.code, device_identity(self.device.info))
        return image.to_entry(source=self.name, options="").encode()

    def kernel(self, name: str, variant: tuple[str, ...]) -> Kernel:
        """Give a kernel of the program, as an object that keeps the program."""
        program = self.program()
        kernel: Kernel = program[name]
        for attribute in variant:
            kernel = getattr(kernel, attribute)
        return kernel._keeping(program)

    def __copy__(self) -> Recipe:
        return self

    def __deepcopy__(self, memo: Any) -> Recipe:
        return self  # a copy of a program is the same program

    def __reduce__(self) -> tuple[Any, ...]:
        image = self._entry() if self._compilation is None else None
        return _again, (__version__, self.device, self.name, self._compilation, image)


def load_by(function: Callable[[bytes, str, Device], Program]) -> None:
    """Name the function that loads what `Program.save` wrote: (data, name, device). It needs programs itself."""
    global _load  # noqa: PLW0603 (set once, when loading is imported)
    _load = function


def _again(version: str, device: Device, name: str, compilation: Compilation | None, image: bytes | None) -> Recipe:
    if version != __version__:
        raise LaunchpathError(
            f"expected a pickle of launchpath {__version__}, got one of {version}: pickles are for a single version. "
            "Keep the source, or a file of Program.save"
        )
    return Recipe(device, name, compilation, image)
