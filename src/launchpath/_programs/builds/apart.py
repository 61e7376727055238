"""Build programs in another process, on platforms whose own compiler was seen to end the process that it works in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from launchpath.errors import CompileError

if TYPE_CHECKING:
    from launchpath._compiler.image import Image
    from launchpath._compiler.process.driver_build import Opening
    from launchpath._compiler.source.source import Source
    from launchpath._streams.device import Device

# An OpControlBarrier's first word: a pass that crashes moves values across barriers.
_BARRIER = b"\xe0\x00\x04\x00"
# Bytes of SPIR-V. The smallest module without barriers that was seen to crash the compiler has 3864, a straightforward
# product of matrices 3404, and a kernel of two lines 2300. The first build in another process costs 135 to 165 ms of
# processor time, for the driver's library is opened there: 44 % more for 2300 bytes, 37 % for 19000, 15 % for 113000.
# Later builds cost the same in either process.
_LARGE = 3584
# Bytes of source text, from which a program is taken to be large before it is compiled.
_LONG = 1000
_PLAIN = "-cl-opt-disable"
_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"


class Built(NamedTuple):
    """A program that another process has built: the device's binary, and what is to be known of how it was built."""

    binary: bytes
    remark: str


def built(device: Device, image: Image, name: str) -> Built | None:
    """Build an image in another process; None if it is to be built in this one.

    Where the driver's compiler crashes, it is asked once more without its optimizations. That helps no kernel that
    needs warps, for without them the runtime makes none.

    Parameters
    ----------
    device : Device
    image : Image
    name : str
        Of the source, for messages.

    Raises
    ------
    CompileError
        The driver's compiler crashed, took longer than the limit, or refuses the program.
    """
    if image.kind != "spirv" or not _is_for(device) or (_is_safe(image.code) and not image.is_prepared):
        return None
    from launchpath._compiler.process import worker  # noqa: PLC0415

    options = _options(device)
    try:
        return _built(device, image.code, options, name)
    except worker.Crashed as error:
        if any(signature.warps for _, signature in image.kernels):
            raise CompileError(str(error)) from None
        crash = error
    except CompileError as error:
        if error.log:
            raise
        raise CompileError(str(error)) from None
    try:
        done = _built(device, image.code, f"{options} {_PLAIN}".strip(), name)
    except worker.Crashed:
        raise CompileError(str(crash)) from None
    first = str(crash).splitlines()[0]
    return done and done._replace(remark=f"{first}; built without its optimizations ({_PLAIN})")


def preparation(device: Device, sources: Sequence[Source]) -> tuple[tuple[str, str], tuple[Any, ...]] | None:
    """Say how another process prepares to build sources while it compiles them; None if it is not likely to build them.

    It is a function with its arguments, as `pool.call` takes it.
    """
    if not any(len(source.text) > _LONG or b"__syncthreads" in source.text for source in sources):
        return None
    if not _is_for(device) or device.info["dialect"] != "spirv":
        return None
    from launchpath._compiler.process import driver_build, pool  # noqa: PLC0415
    from launchpath._programs.builds.preparation import empty_kernel  # noqa: PLC0415

    info = device.info
    chosen = driver_build.Device(info["platform"], info["name"])
    return pool.DRIVER_PREPARATION, (_opening(info["library"]), chosen, empty_kernel())


def _is_for(device: Device) -> bool:
    """Whether programs for a device are built in another process if they are large."""
    from launchpath._compiler import process  # noqa: PLC0415 (importing launchpath must stay fast)

    return "build-apart" in device.info.get("workarounds", ()) and os.environ.get(process.SWITCH) != "0"


def _is_safe(code: bytes) -> bool:
    """Whether no module of this kind was seen to crash the compiler."""
    return len(code) < _LARGE and _BARRIER not in code


def _built(device: Device, code: bytes, options: str, name: str) -> Built | None:
    from launchpath._compiler.process import driver_build, pool  # noqa: PLC0415

    info = device.info
    chosen = driver_build.Device(info["platform"], info["name"])
    subject = f"{name}: the compiler of {info['platform']} for {info['name']!r}"
    done = pool.call(pool.DRIVER_BUILD, subject, _opening(info["library"]), chosen, code, options)
    if done is None:
        return None
    if not done.binary:
        raise CompileError(f"{info['name']} ({info['platform']}) does not compile this source", done.log)
    return Built(bytes(done.binary), "")


def _options(device: Device) -> str:
    """Give the options that the core builds SPIR-V with."""
    offered: Any = device.driver_device
    return _ROUNDED if _ROUNDED in offered.build_options()[0].split() else ""


@cache
def _opening(library: str) -> Opening:
    """Say how another process opens the library that this one has opened."""
    from launchpath._compiler.process.driver_build import Opening  # noqa: PLC0415
    from launchpath._drivers import opencl  # noqa: PLC0415

    embedded = opencl.embedded_runtime()
    if embedded is None or library != embedded.loader:
        return Opening((), library, ())
    listed = opencl.icd_filenames(os.environ.get(opencl.ICD_VARIABLE), embedded.runtime)
    return Opening(embedded.needed, library, ((opencl.ICD_VARIABLE, listed),))
