"""Types of characters and enums: arguments, fields, symbols and arrays have the range that kernels see.

C++ [basic.fundamental]: wchar_t has the sign of its platform, which is Linux here; char8_t, char16_t and char32_t have
none.
"""

import numpy as np
import pytest

import launchpath as lp

TYPES = {
    "char": "int8", "wchar_t": "int32", "char8_t": "uint8", "char16_t": "uint16", "char32_t": "uint32", "Wide": "int32",
}  # fmt: skip
SOURCE = """
enum class Wide : wchar_t {};
template <class T> struct Fields { T value; long long *out; };
template <class T> __device__ T variable;
template <class T> __global__ void by_value(T value, long long *out) { *out = static_cast<long long>(value); }
template <class T> __global__ void by_address(const T *values, long long *out) { *out = static_cast<long long>(*values); }
template <class T> __global__ void of_variable(long long *out) { *out = static_cast<long long>(variable<T>); }
template <class T> __global__ void of_fields(Fields<T> *f) { *f->out = static_cast<long long>(f->value); }
"""
KERNELS = ("by_value", "by_address", "of_variable", "of_fields")


@pytest.fixture(scope="module")
def program(device):
    names = [f"{kernel}<{ctype}>" for kernel in KERNELS for ctype in TYPES]
    return lp.compile(SOURCE, device=device, names=names, standard="c++20")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("ctype", "dtype"), TYPES.items())
def test_the_ends_of_the_range_arrive(device, program, ctype, dtype):
    out = lp.zeros(1, "int64", device)
    ends = np.iinfo(dtype)
    for value in (int(ends.min), int(ends.max)):
        program[f"by_value<{ctype}>"][1, 1](value, out)
        assert out.to_numpy()[0] == value
        program[f"by_address<{ctype}>"][1, 1](lp.asarray(np.array([value], dtype), device=device), out)
        assert out.to_numpy()[0] == value
        program[f"of_fields<{ctype}>"].by_fields[1, 1](value=value, out=out)
        assert out.to_numpy()[0] == value
        symbol = program.symbol(f"variable<{ctype}>")
        assert symbol.dtype == dtype
        symbol.fill(value)
        program[f"of_variable<{ctype}>"][1, 1](out)
        assert out.to_numpy()[0] == value


@pytest.mark.parametrize(("ctype", "dtype"), TYPES.items())
def test_what_is_beyond_is_refused(device, program, ctype, dtype):
    out = lp.zeros(1, "int64", device)
    ends = np.iinfo(dtype)
    for value in (int(ends.min) - 1, int(ends.max) + 1):
        with pytest.raises(
            lp.ArgumentValueError, match=f"expected a number from {ends.min} to {ends.max}, got {value}"
        ):
            program[f"by_value<{ctype}>"][1, 1](value, out)
        with pytest.raises(
            lp.ArgumentValueError, match=f"expected a number from {ends.min} to {ends.max}, got {value}"
        ):
            program[f"of_fields<{ctype}>"].by_fields[1, 1](value=value, out=out)
