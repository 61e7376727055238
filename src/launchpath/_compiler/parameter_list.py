"""C parameter lists that the user passes for kernels without a signature."""

from __future__ import annotations

import re

from ..errors import ArgumentValueError, CompileError
from . import instance, source
from .clang import library
from .frontend import find
from .layout import layout
from .run import clang
from .signature import Signature
from .unit import parse, refused

# Words of OpenCL C that C++ does not have. They are macros only if a list is not C++ without them: in C++ they may be
# names of parameters.
_OPENCL = {
    **dict.fromkeys(("__global", "global", "__local", "local", "__private", "private", "restrict", "__generic"), ""),
    "__constant": "const", "constant": "const", "half": "_Float16",
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long",
}  # fmt: skip
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
        libclang or Clang is not there.
    """
    if not isinstance(text, str):
        raise TypeError(f"the signature of {kernel!r}: expected a str, got {type(text).__name__}")
    library(), find()  # if they are missing, the list is not to blame
    declarations, ended, parameters = text.rpartition(";")
    called = "kernel_" + re.sub(r"\W", "_", kernel, flags=re.ASCII)
    # In a namespace, and the list on a line of its own: for names that the headers have, and for messages.
    whole = f"namespace __lp_given {{ {declarations}{ended} __global__ void {called}(\n{parameters}\n) {{}} }}\n"
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
    list_source = source.from_text(text, f"signatures[{kernel!r}]", language=language)
    unit = parse(list_source)
    kernel_signature = layout(unit, instance.instances(unit, []), unit.reduced()).signatures[0]
    # The parser goes on after errors, which may be in host code: there is none here.
    outcome = clang(list_source, {list_source.path: list_source.text}, {}, ["-fsyntax-only"])
    if not outcome.succeeded:
        raise refused(unit, [message._replace(file=unit.name_of(message.file)) for message in outcome.messages])
    return kernel_signature
