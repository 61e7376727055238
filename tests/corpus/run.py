"""Running a case on a device, and holding what comes out against what must."""

from typing import Any

import numpy as np

import launchpath as lp

from .registry import Case, Part, Rows, Source, Struct

# What a device must have for a feature, as its `info` tells extensions; CUDA and HIP devices have them all.
FEATURES = {"warps": {"cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"}}


def features(device: lp.Device) -> frozenset[str]:
    """The features that a device has."""
    if device.info["driver"] != "opencl":
        return frozenset(FEATURES)
    extensions = set(device.info.get("extensions", ()))
    return frozenset(name for name, needed in FEATURES.items() if needed <= extensions)


def compile_source(source: Source, device: lp.Device) -> lp.Program:
    return lp.compile(path=source.file, device=device, names=source.names, defines=dict(source.defines))


def run(case: Case, program: lp.Program, device: lp.Device) -> None:
    """Run a case.

    Raises
    ------
    AssertionError
        Something else came out; the message says where.
    """
    arrays = case.make_arrays()
    before = {name: np.array(value, copy=True) for name, value in arrays.items()}
    there = {name: lp.asarray(value, device=device) for name, value in arrays.items()}
    addresses = {name: array.pointer for name, array in there.items()}
    keep: list[Any] = []

    def argument(value: Any) -> Any:
        if isinstance(value, str):
            return there[value]
        if isinstance(value, Part):
            return there[value.array][value.start :]
        if isinstance(value, Rows):
            row = there[value.array].nbytes // len(there[value.array])
            pointers = addresses[value.array] + row * np.arange(len(there[value.array]), dtype="uint64")
            keep.append(lp.asarray(pointers, device=device))
            return keep[-1]
        if isinstance(value, Struct):
            return value.packed(addresses)
        return value

    for symbol, name in case.symbols.items():
        memory = program.symbol(symbol)
        data = np.asarray(arrays[name], order="C")
        # One whose type NumPy has not, such as a struct, is bytes.
        memory.copy_from(data if data.dtype == memory.dtype else data.reshape(-1).view(memory.dtype))
    for launch in case.launches:
        kernel = program[launch.kernel]
        kernel[launch.grid, launch.block, None, launch.shared](*map(argument, launch.arguments))
    for name, wanted in case.expect(before).items():
        array = program.symbol(name.removeprefix("symbol:")) if name.startswith("symbol:") else there[name]
        got = array.to_numpy()
        if callable(wanted):
            wanted(got)
        else:
            _compare(case, name, got, np.asarray(wanted))


def _compare(case: Case, name: str, got: np.ndarray, wanted: np.ndarray) -> None:
    message = f"{case.name}: {name}"
    assert got.shape == wanted.shape, f"{message}: the shape {got.shape} is not what is wanted, {wanted.shape}"
    if got.dtype.kind in "fc":
        np.testing.assert_allclose(got, wanted, case.rtol, case.atol, err_msg=message)
    else:
        np.testing.assert_array_equal(got, wanted, err_msg=message)


def kernels(cases: list[Case]) -> set[tuple[str, str]]:
    """The kernels that cases launch: file and name, a template counted once."""
    return {(case.source.path, launch.kernel.partition("<")[0]) for case in cases for launch in case.launches}
