"""Launches that come again: with handles that the core knows, `hipModuleLaunchKernel` needs no Python."""

from __future__ import annotations

import ctypes

from launchpath import _core
from launchpath.hip._types.bindings import Error, Pointer

# Whatever changes what a handle, or no handle, stands for calls `launch.forget()`, after the change.
launch = _core.HipLaunch((Error.hipSuccess,), ctypes._SimpleCData, Pointer)
