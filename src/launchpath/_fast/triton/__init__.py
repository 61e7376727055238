"""Triton: `kernel[grid](...)` and `JITFunction.run`."""

from launchpath._fast.triton.library import TritonLibrary

__all__ = ["TritonLibrary"]
