"""OpenCL C from SPIR-V, for platforms without SPIR-V: takes a module, gives a text.

`module` sorts it, `instructions` and `control` make statements of it, `text` spells them, `writer` is the whole of it.
The platform's own compiler takes the text.
"""

from .dialect import Dialect
from .failure import UnsupportedConstruct
from .writer import write

__all__ = ["Dialect", "UnsupportedConstruct", "write"]
