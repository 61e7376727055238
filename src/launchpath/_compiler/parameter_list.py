"""C parameter lists that the user passes for kernels without a signature."""

from __future__ import annotations

import re
from dataclasses import replace

from ..errors import ArgumentValueError, CompileError
from .clang.frontend import command
from .signature import Signature
from .source import source
from .target import SPIRV, Target
from .whole.program import Whole

# Words of OpenCL C that C++ does not have. They are macros only if a list is not C++ without them: in C++ they may be
# names of parameters.
_OPENCL = {
    **dict.fromkeys(("__global", "global", "__local", "local", "__private", "private", "restrict", "__generic"), ""),
    "__constant": "const", "constant": "const", "half": "_Float16",
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long",
}  # fmt: skip
_NAMESPACE = "__lp_given"
_TARGET = Target(SPIRV, {}, frozenset(), "")
# Types of CUDA's API, which HIP's headers do not have: cudaTextureObject_t, CUgraphConditionalHandle.
_CUDA = re.compile(r"\b(?:cuda[A-Z]|CU[a-z])\w*")


def signature(kernel: str, text: str) -> Signature:
    """Read the parameter list of a kernel.

    Parameters
    ----------
    kernel : str
        Its name.
    text : str
        ``const float *x, int n``. Declarations of the types in it may stand before, as in ``struct P { int a; }; P p``.

    Raises
    ------
    ArgumentValueError
        It is no such list; the message has the compiler's words.
    CompileError
        Clang is not there.
    """
    if not isinstance(text, str):
        raise TypeError(f"the signature of {kernel!r}: expected a str, got {type(text).__name__}")
    command()  # if Clang is missing, the list is not to blame
    declarations, ended, parameters = text.rpartition(";")
    called = "kernel_" + re.sub(r"\W", "_", kernel, flags=re.ASCII)
    # In a namespace, and the list on a line of its own: for names that the headers have, and for messages.
    whole = f"namespace {_NAMESPACE} {{ {declarations}{ended} __global__ void {called}(\n{parameters}\n) {{}} }}\n"
    try:
        kernel_signature = _parsed(kernel, whole)
    except CompileError as error:
        try:
            kernel_signature = _parsed(
                kernel, "".join(f"#define {name} {text}\n" for name, text in _OPENCL.items()) + whole
            )
        except CompileError:
            message = f"the signature for {kernel!r} is not a C parameter list:\n{error.log or error}"
            raise ArgumentValueError(message) from None
    return kernel_signature


def _parsed(kernel: str, text: str) -> Signature:
    language = "cuda" if _CUDA.search(text) else None
    whole = Whole(source.from_text(text, f"signatures[{kernel!r}]", language=language), _TARGET, False)
    whole.read([])
    whole.choose(set())
    signature = whole.signatures[0]
    parameters, fields = (
        tuple(replace(each, ctype=each.ctype.replace(f"{_NAMESPACE}::", "")) for each in listed)
        for listed in (signature.parameters, signature.fields)
    )
    return replace(signature, parameters=parameters, fields=fields)
