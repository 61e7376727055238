"""OpenCL C out of SPIR-V, for platforms that take no SPIR-V."""

from .dialect import Dialect
from .failure import UnsupportedConstruct
from .writer import write

__all__ = ["Dialect", "UnsupportedConstruct", "write"]
