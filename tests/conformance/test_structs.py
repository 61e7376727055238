"""Structs and vectors, whose fields a launch gives as tuples and dicts: what the kernel reads is that, on each device."""

from typing import Any

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
struct In { int a; float2 v; };
template <class T> struct Pair { T first, second; };
struct Scale { float factor; float *by; In in; float m[2][3]; bool on; unsigned char c[4]; Pair<double> pair; };
struct Base { int q; };
struct Derived : Base { int r; };
union Either { int i; float f; };
struct Bits { int low : 3; int high : 4; };
__global__ void three(float *o, float3 v) { o[0] = v.x; o[1] = v.y; o[2] = v.z; }
__global__ void sizes(int *o, dim3 d, uchar4 u, longlong2 l) {
  o[0] = d.x; o[1] = d.y; o[2] = d.z; o[3] = u.x; o[4] = u.w; o[5] = l.y;
}
__global__ void whole(float *o, Scale s) {
  o[0] = s.factor; o[1] = s.by ? s.by[1] : -1; o[2] = s.in.a; o[3] = s.in.v.x; o[4] = s.in.v.y; o[5] = s.on;
  for (int i = 0; i < 6; i++) o[6 + i] = s.m[i / 3][i % 3];
  for (int i = 0; i < 4; i++) o[12 + i] = s.c[i];
  o[16] = s.pair.first; o[17] = s.pair.second;
}
struct Params { float3 at; int n; float *out; };
__global__ void by_pointer(const Params *p) { p->out[0] = p->at.y + p->n; }
__global__ void without(Derived d, Either e, Bits b) {}
"""


@pytest.fixture(scope="module")
def program(device: lp.Device) -> lp.Program:
    return lp.compile(SOURCE, device=device, name="structs.hip")


@pytest.mark.parametrize("value", [(1, 2, 3), [1.0, 2, 3], {"z": 3, "x": 1, "y": 2}, np.float32([1, 2, 3])])
def test_vectors(program: lp.Program, device: lp.Device, value: Any) -> None:
    out = lp.zeros(3, "float32", device)
    program.three[1, 1](out, value)
    assert out.tolist() == [1, 2, 3]


def test_vectors_of_ints(program: lp.Program, device: lp.Device) -> None:
    out = lp.zeros(6, "int32", device)
    program.sizes[1, 1](out, (1, 2, 3), (255, 0, 0, 7), (0, -5))
    assert out.tolist() == [1, 2, 3, 255, 7, -5]
    with pytest.raises(lp.ArgumentValueError, match="field unsigned char x: expected a number from 0 to 255, got 256"):
        program.sizes[1, 1](out, (1, 2, 3), (256, 0, 0, 7), (0, -5))


def test_structs(program: lp.Program, device: lp.Device) -> None:
    out, by = lp.zeros(18, "float32", device), lp.asarray(np.float32([7, 8]), device=device)
    values = {"factor": 1.5, "by": by, "in": {"a": 3, "v": (4, 5)}, "m": [[1, 2, 3], [4, 5, 6]], "on": True}
    values |= {"c": (9, 8, 7, 6), "pair": (0.25, 0.5)}
    program.whole[1, 1](out, values)
    assert out.tolist() == [1.5, 8, 3, 4, 5, 1, 1, 2, 3, 4, 5, 6, 9, 8, 7, 6, 0.25, 0.5]
    program.whole.over(1)(out, (2, None, (3, 1 + 2j), np.zeros((2, 3), "float32"), False, b"\1\2\3\4", (1, 2)))
    assert out.tolist() == [2, -1, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 1, 2]


def test_structs_in_device_memory(program: lp.Program, device: lp.Device) -> None:
    out = lp.zeros(1, "float32", device)
    kernel = program.by_pointer.by_fields
    for _ in range(3):
        kernel[1, 1](at=(1, 2, 3), n=5, out=out)
    assert out.tolist() == [7]
    assert kernel.argument_counts()["uploads"] == 1


def test_structs_without_fields_to_give(program: lp.Program) -> None:
    assert [parameter.no_members for parameter in program.without.signature.parameters] == [
        "Derived has a base, Base", "Either is a union", "Bits.low is a bit-field",
    ]  # fmt: skip
