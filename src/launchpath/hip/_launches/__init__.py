"""Modules, their kernels, and launches."""

from __future__ import annotations

from launchpath.hip._launches import functions, launches, launching, libraries, modules

PARTS = (modules, libraries, functions, launching, launches)  # with functions of HIP's
