"""The rewritings of LLVM's text: what each changes, what needs it, and what happens without it.

Each stands for something that a version of LLVM, SPIR-V or devices lack.
`tests/unit/compiler/llvm_text/test_rewritings.py` leaves out one at a time, and fails where nothing is wrong without
it: then it can be deleted. `access_marks` and `whole.entries` change the text too, for features of ours that every LLVM
would need them for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from ...messages.log import Message

# What needs a rewriting: LLVM by the version that was tried, and what is so with every LLVM.
LLVM, SPIRV, DEVICES = "LLVM 22.1", "SPIR-V", "OpenCL devices"

INDIRECT = "indirect call"  # our own message

# The names of rewritings that are left out, for tests.
OFF: frozenset[str] = frozenset()


class Rewriting(NamedTuple):
    """A rewriting of LLVM's text."""

    name: str
    function: str  # the function of this package that does it: its file, and its name there
    needed_by: str
    changes: str  # what it changes
    without: str  # what happens without it
    refusals: tuple[str, ...] = ()  # words of messages after which it is tried
    # what a source has, if LLVM's text must be rewritten before the backend has it: there is no message. A further run
    # of Clang for other sources does no harm
    sources: re.Pattern[bytes] | None = None
    word: str = ""  # what LLVM's text has where there is something to rewrite

    @property
    def is_on(self) -> bool:
        """Whether it is not left out."""
        return self.name not in OFF

    def is_called_for(self, messages: Iterable[Message]) -> bool:
        """Whether messages refuse what it rewrites."""
        return self.is_on and any(word in message.text for message in messages for word in self.refusals)

    def comes_first(self, texts: Iterable[bytes]) -> bool:
        """Whether sources may have what the backend must not have as it is."""
        return self.is_on and self.sources is not None and any(map(self.sources.search, texts))

    def applied(self, text: str) -> str:
        """Rewrite a module; the same text if there is nothing to rewrite."""
        if not self.is_on or self.word not in text:
            return text
        file, _, name = self.function.partition(".")
        function: Callable[[str], str] = getattr(import_module(f".{file}", __package__), name)
        return function(text)


PREFETCHES = Rewriting(
    "prefetches", "prefetches.without_prefetches", LLVM,
    "nothing is prefetched",
    "the backend cannot select the instruction",
    ("G_PREFETCH",), word="@llvm.prefetch.",
)  # fmt: skip
PADDING = Rewriting(
    "padding", "padding.zeroed", LLVM,
    "undefined parts of initial values, which are padding, become zeros",
    "the backend does not translate its own intrinsic for the constant",
    ("llvm.spv.const.composite",), word="undef",
)  # fmt: skip
VARIABLE_ARGUMENTS = Rewriting(
    "variable arguments", "variable_arguments.without_variable_arguments", LLVM,
    "functions lose variable arguments that they do not read",
    "the backend refuses the function; if that returns nothing, it is called with more than it takes",
    ("SPIR-V does not support variadic functions",), re.compile(rb"\w(?<!catch)\s*\([^(){};]*\.\.\.\s*\)[\w\s]*[{;]"),
    "...)",
)  # fmt: skip
ADDRESS_TABLES = Rewriting(
    "tables of addresses", "address_tables.placed_apart", LLVM,
    "variables that begin with addresses keep numbers, and what these are added to lies beside; addresses of shared "
    "variables are stored where a constant is copied",
    "the backend fails on an address within a variable; crashes on variables that begin with each other's addresses, "
    "or takes all memory; a shared variable's address in a constant is one for all blocks",
    ("All v-regs must have been mapped",),
    re.compile(
        rb"\bextern\b(?:(?!__shared__)[^;{}()\"])*;|\b(\w+)\s*(?:\[[^\]]*\]\s*)*=\s*\{[^;]*&\s*\1\b"
        rb"|\w::\w+\s*(?:\[[^\]]*\]\s*)*=\s*\{[^;]*&"
    ),
)  # fmt: skip
EMPTY_ASSEMBLY = Rewriting(
    "empty assembly", "empty_assembly.without_empty_assembly", SPIRV,
    "assembly without an instruction becomes a fence, and its values go through volatile variables",
    "the backend refuses all assembly: SPIR-V has it only by an extension, for one kind of device",
    # The second is for assembly with several results, the third if these are no integers.
    ("SPV_INTEL_inline_assembly", "unable to translate instruction: call", "Unsupported asm"),
    word=" asm ",
)  # fmt: skip
FUNCTION_POINTERS = Rewriting(
    "pointers to functions", "function_pointers.numbered", DEVICES,
    "functions whose addresses are taken get numbers, and calls by pointers choose among them",
    "the module has indirect calls, which no OpenCL C has and few devices take",
    # The second is for a function that chooses among pointers to members.
    (INDIRECT, "Broken function found"),
)  # fmt: skip
BFLOAT16 = Rewriting(
    "bfloat16", "bfloat.integers", DEVICES,
    "Clang's own bfloat16 becomes an integer, and its arithmetic float's",
    "the backend refuses the type: it has it only by an extension that Intel's runtime and OpenCL C lack",
    ("SPV_KHR_bfloat16",), word="bfloat",
)  # fmt: skip
SMALL_ATOMICS = Rewriting(
    "small atomics", "small_atomics.replaced", DEVICES,
    "atomic instructions on floats and on 1 and 2 bytes become loops that compare and exchange 4 or 8 bytes",
    "the backend refuses those on floats, and devices those on 1 and 2 bytes",
    sources=re.compile(rb"\b__(?:hip_atomic|atomic|scoped_atomic|c11_atomic)_\w+|\batomic_ref\b|\batomic\s*<"),
)  # fmt: skip

ALL = (
    PREFETCHES, PADDING, VARIABLE_ARGUMENTS, ADDRESS_TABLES, EMPTY_ASSEMBLY, FUNCTION_POINTERS, BFLOAT16, SMALL_ATOMICS,
)  # fmt: skip
# Those before the backend has the text, and after a refusal, that need nothing but the text, in this order.
FIRST = (SMALL_ATOMICS, VARIABLE_ARGUMENTS)
PLAIN = (PREFETCHES, BFLOAT16, VARIABLE_ARGUMENTS, EMPTY_ASSEMBLY)
