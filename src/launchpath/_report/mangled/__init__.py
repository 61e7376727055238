"""Mangled names of C++ (Itanium's ABI): as C++ writes them, and short ones for tables.

Names may come from anyone's file. So they are read in Python, in bounded time, and their text is bounded.
"""

from launchpath._report.mangled.short import distinct, short_name
from launchpath._report.mangled.text import demangled

__all__ = ["demangled", "distinct", "short_name"]
