"""From HIP C++ source to a signature and a driver's program. Imported when something is compiled."""

from launchpath._compiler.signature import Parameter, Signature

__all__ = ["Parameter", "Signature"]
