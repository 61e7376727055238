"""OpenCL C from SPIR-V, for platforms without SPIR-V."""

from .dialect import Dialect
from .failure import UnsupportedConstruct
from .writer import write

__all__ = ["Dialect", "UnsupportedConstruct", "write"]
