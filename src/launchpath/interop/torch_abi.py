"""torch's stable C ABI: it reads a tensor's pointer, device and element type without Python."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from launchpath._kinds import ELEMENTS

# In the core's order.
_FUNCTIONS = ("get_layout", "get_device_type", "get_device_index", "get_dtype", "is_contiguous", "get_data_ptr")
_LOOK = 32  # words of what implements a tensor, in which its keys are looked for


def stable_abi(tensor: Any) -> tuple[list[int], int, int, int, int, int, bool, int, dict[str, int]] | None:
    """Find how tensors of this one's type are read.

    Parameters
    ----------
    tensor : torch.Tensor
        Of exactly that class, or a `torch.nn.Parameter`: others may answer for memory that is not theirs.

    Returns
    -------
    tuple or None
        Addresses of the functions for layout, type and index of the device, element type, contiguity and address; the
        bytes from the object to its ``at::Tensor``, which is their handle; the bytes from what that points to on to
        the word of its dispatch keys, and those of the keys that let a tensor stand for other values than its memory
        holds; the numbers of the strided layout and of ``cuda`` devices; whether those are HIP's; how many there are;
        the numbers of element types by NumPy's names. None if torch does not have all of that (before 2.9), or answers
        otherwise than the tensor's own methods.
    """
    torch = sys.modules["torch"]
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout != torch.strided:
        return None
    try:
        path = os.path.join(os.path.dirname(str(torch.__file__)), "lib", "libtorch_cpu.so")
        library = ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_NOW)  # loaded already, or it is not torch's
        functions = [getattr(library, f"aoti_torch_{name}") for name in _FUNCTIONS]
        strided, cuda = library.aoti_torch_layout_strided(), library.aoti_torch_device_type_cuda()
        dtypes = {name: getattr(library, f"aoti_torch_dtype_{name}")() for name in ELEMENTS if _has(library, name)}
    except (OSError, AttributeError):
        return None
    offset = _offset(tensor)
    if offset is None or not _agrees(functions, id(tensor) + offset, tensor, dtypes):
        return None
    keys = _keys(torch, tensor)
    if keys is None:
        return None
    addresses = [ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions]
    return addresses, offset, *keys, strided, cuda, bool(torch.version.hip), torch.cuda.device_count(), dtypes


def _has(library: ctypes.CDLL, dtype: str) -> bool:
    return hasattr(library, f"aoti_torch_dtype_{dtype}")


def _offset(tensor: Any) -> int | None:
    """Find the at::Tensor in the object: the one word that is the address of the implementation, which torch tells."""
    size = ctypes.sizeof(ctypes.c_void_p)
    count = type(tensor).__mro__[-2].__basicsize__ // size  # of the class in C, before `object`
    words = (ctypes.c_size_t * count).from_address(id(tensor))
    places = [number * size for number in range(2, count) if words[number] == tensor._cdata]
    return places[0] if len(places) == 1 else None


def _keys(torch: Any, tensor: Any) -> tuple[int, int] | None:
    """Find the word of the dispatch keys, and the bits for what is negated, conjugated or zeros nowhere in memory."""
    try:
        plain = torch.zeros(1)
        conjugated = torch.zeros(1, dtype=torch.complex64)
        pairs = [
            (plain, torch._neg_view(plain)),
            (conjugated, torch.conj(conjugated)),
            (plain, torch._efficientzerotensor((1,))),
        ]
        lazy = 0
        for base, variant in pairs:
            lazy |= _raw(torch, variant) & ~_raw(torch, base)
        places = {_place(torch, example) for example in (tensor, *sum(pairs, ()))}
    except (AttributeError, TypeError, RuntimeError):
        return None
    place = places.pop()
    return None if place is None or places or lazy.bit_count() != len(pairs) else (place, lazy)


def _raw(torch: Any, tensor: Any) -> int:
    return int(torch._C._dispatch_keys(tensor).raw_repr())


def _place(torch: Any, tensor: Any) -> int | None:
    """Find the first word of the implementation that is what torch says the keys are, in bytes."""
    size, keys = ctypes.sizeof(ctypes.c_uint64), _raw(torch, tensor)
    for place in range(0, _LOOK * size, size):  # one by one: what is behind the implementation may not be readable
        if ctypes.c_uint64.from_address(tensor._cdata + place).value == keys:
            return place
    return None


def _agrees(functions: list[Any], handle: int, tensor: Any, dtypes: dict[str, int]) -> bool:
    """Hold the answers against the tensor's own."""
    answers = []
    kinds: list[Any] = [*[ctypes.c_int32] * 4, ctypes.c_bool, ctypes.c_void_p]
    for function, kind in zip(functions, kinds, strict=True):
        answer = kind()
        if function(ctypes.c_void_p(handle), ctypes.byref(answer)):
            return False
        answers.append(answer.value)
    dtype = dtypes.get(str(tensor.dtype).removeprefix("torch."), answers[3])
    index = tensor.device.index if tensor.device.index is not None else answers[2]
    expected = [index, dtype, tensor.is_contiguous(), tensor.data_ptr() or None]
    return answers[2:] == expected
