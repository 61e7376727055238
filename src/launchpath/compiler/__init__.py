"""From HIP source to a signature and to source that a driver's compiler takes. Imported at the first compilation."""

from launchpath.compiler.signature import Parameter, Signature
from launchpath.compiler.translate import kernel_name, remap_log, to_opencl
from launchpath.compiler.unit import parse

__all__ = ["Parameter", "Signature", "kernel_name", "parse", "remap_log", "to_opencl"]
