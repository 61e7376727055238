"""Which globals a kernel can reach."""

import pytest

from launchpath._compiler.extraction import instances as extracted
from launchpath._compiler.extraction.unit import parse
from launchpath._compiler.rtc.reach import reached
from launchpath._compiler.source import source as sources

TEXT = """
__device__ int direct, called, by_macro, by_type, unused;
#define TOUCH by_macro
#define NAMED given
__device__ int given;
struct S { __device__ int get() { return by_type; } };
__device__ int helper() { return called; }
__global__ void one(int *p) { *p = direct; }
__global__ void two(int *p) { *p = helper(); }
__global__ void three(int *p) { *p = TOUCH; }
template <class T> __global__ void four(int *p) { T t; *p = t.get(); }
__global__ void none(int *p) { *p = 1; }
"""


@pytest.mark.parametrize(
    ("kernel", "names"),
    [("one", ["direct"]), ("two", ["called"]), ("three", ["by_macro"]), ("four<S>", ["by_type"]), ("none", [])],
)
def test_by_name(kernel, names):
    unit = parse(sources.from_text(TEXT))
    variables = ["direct", "called", "by_macro", "by_type", "unused", "given"]
    # One too many is no harm: they are declared in one statement here, so each brings the others' names.
    names_reached = reached([unit], extracted.instances(unit, [kernel], alone=True), variables)
    assert set(names) <= set(names_reached)
    assert bool(names_reached) == bool(names)
    assert "given" not in names_reached
