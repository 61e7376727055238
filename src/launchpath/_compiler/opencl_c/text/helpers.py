"""Functions in the written text, for operations that OpenCL C lacks."""

from __future__ import annotations

from ...spirv.enumerants import Storage
from ..dialect import Dialect
from ..module.types import Type
from .names import Names
from .ptx import HELPERS
from .spelling import Spelling

_CLOCK = """\
static ulong NAME(void) {
#if defined(__x86_64__)
  uint low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) :: "memory");
  return (ulong)high << 32 | low;
#elif defined(__aarch64__)
  ulong ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks) :: "memory");
  return ticks;
#else
#error "clock64: how kernels read this processor's clock is not known"
#endif
}"""


class Helpers:
    """The functions that one module needs, in order."""

    def __init__(self, names: Names, spelling: Spelling, dialect: Dialect) -> None:
        self._all_names, self._spelling, self._dialect = names, spelling, dialect
        self._names: dict[object, str] = {}
        self.texts: list[str] = []

    def _add(self, key: object, base: str, text: str) -> str:
        if key not in self._names:
            name = self._names[key] = self._all_names.new(base)
            self.texts.append(text.replace("NAME", name))
        return self._names[key]

    @property
    def names(self) -> list[str]:
        """The names of the functions."""
        return [*self._names.values()]

    def ptx(self, name: str) -> str:
        """Give a function of NVIDIA's, see `ptx`."""
        text, calls = HELPERS[name]
        for word, called in calls.items():
            text = text.replace(word, self.ptx(called))
        return self._add(("ptx", name), name, text)

    def processor_clock(self) -> str:
        """Read the clock of a CPU."""
        return self._add("clock", "processor_clock", _CLOCK)

    def bit_reverse(self, type_: Type) -> str:
        """Reverse the bits of an integer, or of each in a vector."""
        spelled, bits = self._spelling.value(type_), type_.scalar.bits
        ones = (1 << bits) - 1
        lines, step = [], 1
        while step < bits:
            mask = sum(((1 << step) - 1) << place for place in range(0, bits, 2 * step)) & ones
            number = f"({self._spelling.value(type_.scalar)})0x{mask:x}" + ("ul" if bits == 64 else "u")
            lines.append(f"  x = ({spelled})(((x >> {step}) & {number}) | ((x & {number}) << {step}));")
            step *= 2
        body = "\n".join(lines)
        text = f"static {spelled} NAME({spelled} x) {{\n{body}\n  return x;\n}}"
        return self._add(("reverse", spelled), "reverse_bits", text)

    def copy(self, to: Storage, source: Storage) -> str:
        """Copy bytes between two address spaces."""
        spelling = self._spelling
        to_qualifier, from_qualifier = spelling.qualifier(to), spelling.qualifier(source)
        text = (
            f"static void NAME({to_qualifier}void *to, {from_qualifier}const void *from, ulong bytes) {{\n"
            f"  for (ulong i = 0; i < bytes; i++) (({to_qualifier}uchar *)to)[i] = "
            f"(({from_qualifier}const uchar *)from)[i];\n}}"
        )
        return self._add(("copy", to_qualifier, from_qualifier), "copy_bytes", text)

    def atomic_float(self, operation: str, bits: int, space: Storage) -> str:
        """Add, or take the smaller or larger, by compare-exchange; give the previous number."""
        kind, word = ("float", "uint") if bits == 32 else ("double", "ulong")
        qualifier = self._spelling.qualifier(space)
        update = {"add": "as_{k}(seen) + v", "min": "fmin(as_{k}(seen), v)", "max": "fmax(as_{k}(seen), v)"}[operation]
        update = update.format(k=kind)
        if self._dialect.generic:
            relaxed = "(memory_order)memory_order_relaxed"
            exchange = (
                f"{word} previous = seen;\n    atomic_compare_exchange_strong_explicit("
                f"(volatile {qualifier}atomic_{word} *)p, &previous, next, "
                f"{relaxed}, {relaxed}, (memory_scope)memory_scope_device);"
            )
        else:
            exchange = f"{word} previous = {'atomic' if bits == 32 else 'atom'}_cmpxchg(p, seen, next);"
        text = (
            f"static {kind} NAME(volatile {qualifier}{word} *p, {kind} v) {{\n  {word} seen = *p;\n  for (;;) {{\n"
            f"    {word} next = as_{word}({update});\n    {exchange}\n"
            f"    if (previous == seen) return as_{kind}(seen);\n    seen = previous;\n  }}\n}}"
        )
        return self._add(("atomic", operation, bits, qualifier), f"atomic_{operation}_{kind}", text)
