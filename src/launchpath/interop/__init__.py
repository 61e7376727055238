"""Work with other libraries: their kernels and their current streams."""

from launchpath import _tracebacks
from launchpath.interop.adopt import adopt
from launchpath.interop.adopted import Adopted
from launchpath.interop.torch import follow_torch

__all__ = ["Adopted", "adopt", "follow_torch"]
_tracebacks.make_boundaries(globals(), __all__)


def __dir__() -> list[str]:
    """List what is public, for help and completion."""
    return [*__all__, "__all__", "__doc__"]
