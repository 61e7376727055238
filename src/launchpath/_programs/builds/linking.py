"""Link the parts of a program by the device's driver, where no library did so without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from launchpath._programs.builds import building
from launchpath.errors import CompileError, DriverError

if TYPE_CHECKING:
    from launchpath._compiler.image import Image
    from launchpath._streams.device import Device


def linked(device: Device, image: Image, name: str) -> Image:
    """Give an image whose parts are linked; another one as it is.

    Parameters
    ----------
    device : Device
    image : Image
    name : str
        Of the program's source.

    Raises
    ------
    CompileError
        They do not link; with what the driver says.
    DriverError
        The driver is too old to link, or fails.
    """
    if not image.parts:
        return image
    files = ", ".join(file for file, _, _ in image.parts)
    try:
        code = building.run(lambda _: device.driver_device.link(image.parts), f"{name}: the linker of {device.name!r}")
    except (CompileError, DriverError) as error:
        from launchpath._compiler.rtc.library.linker import HINT  # noqa: PLC0415 (importing launchpath must stay fast)

        problem = f"the driver does not link {files}"
        if isinstance(error, DriverError):
            error.add_note(f"{problem}; {HINT}")
            raise
        raise CompileError(f"{problem}:\n{error}\n{HINT}", error.log) from None
    return image._replace(code=code, parts=())
