"""What messages advise: each piece of advice is right for the argument that it is printed for."""

import array
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import _advice
from launchpath._compiler.source import source as sources
from tests.simulated import Machine
from tests.unit.support.kernels import Keeper


@pytest.mark.parametrize(
    ("dtype_name", "expected", "advice"),
    [
        ("f8", "float32", 'convert it first, array = array.astype("float32"), or create an array with dtype="float32"'),
        (">f4", "float32", 'convert it first, array = array.astype("float32"), or create'),
        ("i8", "int32", "convert it first"),
        ("i4", "float32", "convert it first"),
        ("i4", "uint32", 'pass array.view("uint32"), which shares its memory, or create an array with dtype="uint32"'),
        (">i4", "uint32", "create an array"),
        ("i2", "uint32", "create an array"),
        ("f4", "int32", 'create an array with dtype="int32"'),
        ("c8", "float32", "create an array"),
        ("S4", "float32", "create an array"),
        ([("x", "f4")], "float32", "create an array"),
    ],
)
def test_arrays_of_another_dtype(dtype_name: Any, expected: str, advice: str) -> None:
    dtype = np.dtype(dtype_name)
    text = _advice.to_convert(dtype, expected)
    assert text.startswith(advice)
    if "view" in text:
        assert np.zeros(4, dtype).view(expected).shape == (4,)


@pytest.mark.parametrize(
    "value", [[1, 2.5], (1, 2), [[1], [2]], [], array.array("d", [1.5]), range(3), 2.5, [np.True_]]
)
def test_values_of_the_host_for_a_pointer(machine: Machine, value: Any) -> None:
    keep = Keeper(machine, "pointer:float32", "const pointer")
    with pytest.raises(
        lp.SignatureError, match=r'asarray\(values, dtype="float32"\) .* wrapped in launchpath.InOut'
    ) as first:
        keep(value, None)
    assert "parameter 0 (void *a): expected an array, got the " in str(first.value)
    with pytest.raises(lp.SignatureError, match=r"asarray\(values, dtype=\.\.\.\) .* wrapped in launchpath.In$"):
        keep(None, value)
    assert lp.asarray(value, "float32", machine.device).dtype == "f4"


@pytest.mark.parametrize("value", [b"12345678", bytearray(8), memoryview(bytes(8))])
def test_bytes_for_a_pointer(machine: Machine, value: Any) -> None:
    with pytest.raises(lp.SignatureError, match=r'asarray\(numpy.frombuffer\(data, dtype="int32"\)\) first$'):
        Keeper(machine, "pointer:int32")(value)
    assert lp.asarray(np.frombuffer(value, "int32"), device=machine.device).shape == (2,)


@pytest.mark.parametrize("value", ["text", ["a"], [None], array.array("u", "a"), object()])
def test_what_is_no_number_gets_no_advice_to_copy_it(machine: Machine, value: Any) -> None:
    with pytest.raises(lp.SignatureError, match="expected an array, got the") as caught:
        Keeper(machine, "pointer:int32")(value)
    assert "asarray" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "value", "expected", "other"),
    [
        ("int8", 128, "-128 to 127", "int"),
        ("int32", 1 << 31, "-2147483648 to 2147483647", "long long"),
        ("uint32", -1, "0 to 4294967295", "int"),
        ("int64", 1 << 63, "-9223372036854775808 to 9223372036854775807", "unsigned long long"),
        ("uint64", 1 << 64, "0 to 18446744073709551615", ""),
        ("float16", 1e5, "-65504 to 65504", "float"),
        ("float32", -1e39, "-3.4028235e+38 to 3.4028235e+38", "double"),
        ("float32", -(10**400), "-3.4028235e+38 to 3.4028235e+38", ""),
        ("float64", 10**400, "-1.7976931e+308 to 1.7976931e+308", ""),
    ],
)
def test_numbers_out_of_range(machine: Machine, kind: str, value: Any, expected: str, other: str) -> None:
    with pytest.raises(lp.ArgumentValueError) as caught:
        Keeper(machine, kind)(value)
    declare = f", or declare the parameter as {other}" if other else ""
    assert f"a): expected a number from {expected}, got " in str(caught.value)
    assert str(caught.value).endswith(f": pass a number in that range{declare}")


def test_a_freed_array_as_an_argument(machine: Machine) -> None:
    freed = lp.zeros(4, "int32", machine.device)
    freed.free()
    with pytest.raises(
        lp.FreedError, match=r"parameter 0 \(void \*a\): expected an array that has its memory, got .*omit free"
    ):
        Keeper(machine, "pointer:int32")(freed)


def test_an_index_of_an_empty_array(machine: Machine) -> None:
    with pytest.raises(IndexError, match="expected an array that is not empty, got index 0"):
        lp.zeros((0, 2), device=machine.device)[0]


@pytest.mark.parametrize("data", [["a", "b"], "text", b"ab", [b"ab"]])
def test_text_needs_its_dtype(machine: Machine, data: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected numbers, got text, which NumPy makes an array of"):
        lp.asarray(data, device=machine.device)
    with pytest.raises(lp.ArgumentValueError, match="expected numbers, got text"):
        lp.empty_like(data, device=machine.device)
    with pytest.raises(lp.ArgumentValueError, match="expected numbers, got text"):
        lp.full(2, data, device=machine.device)
    host = np.asarray(data)
    for copied in (lp.asarray(host, device=machine.device), lp.asarray(data, host.dtype, machine.device)):
        np.testing.assert_array_equal(copied.to_numpy(), host)


def test_a_dtype_that_does_not_exist(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a NumPy dtype, got the str 'flaot32': pass for example"):
        lp.zeros(3, "flaot32", machine.device)


TEMPLATE = "template <class T> __global__ void scale(T *x) {}\n"


@pytest.mark.compiles
def test_names_that_a_program_lacks(machine: Machine) -> None:
    machine.machine.implement("twice", lambda call: None, [("uint", 0, 4, True)])
    program = lp.compile(TEMPLATE + "__global__ void twice(unsigned int n) {}", machine.device)
    with pytest.raises(KeyError, match=r"no kernel 'twic'; it has twice. Did you mean 'twice'\?\"$"):
        program["twic"]
    with pytest.raises(KeyError, match=r"it has twice\"$"):
        program["nothing"]
    with pytest.raises(AttributeError, match=r"it has twice. Did you mean 'twice'\?$") as caught:
        program.twic  # noqa: B018
    assert caught.value.obj is None  # else Python would suggest a name as well
    with pytest.raises(AttributeError, match=r"^scale is a template, scale<class T>, .* program\['scale<float>'\]$"):
        program.scale  # noqa: B018


@pytest.mark.compiles
def test_a_template_without_an_instance(machine: Machine) -> None:
    program = lp.compile(TEMPLATE, machine.device)
    with pytest.raises(KeyError, match=r"scale is a template, scale<class T>, without .* program\['scale<float>'\]"):
        program["scale"]
    with pytest.raises(KeyError, match=r"no kernel 'scael'; none was compiled\"$"):
        program["scael"]


@pytest.mark.parametrize(
    ("text", "around", "may"),
    [
        ("#include <hip/hip_runtime.h>\nint j;", {}, False),
        ("int kk, k_;", {}, False),
        ("int k;", {}, True),
        ('#include "a.h"\n', {}, True),
        ("#include HEADER\n", {}, True),
        ("#define K(x) x##_k\n", {}, True),
        ("void K();", {"defines": {"K": "k"}}, True),
        ("#include <a.h>", {"headers": {"a.h": ""}}, True),
        ("#include <a.h>", {"include_paths": ["/"]}, True),
    ],
)
def test_whether_a_source_may_have_a_name(text: str, around: Any, may: bool) -> None:
    assert sources.from_text(text, **around).may_name("n::k") is may
