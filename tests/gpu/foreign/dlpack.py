"""DLPack's structures by ctypes: arrays of another library, and its consumer."""

import ctypes
from typing import Any

from tests.gpu.standin import Standin

KINDS = {"cuda": 2, "hip": 10}
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
NAMES = {False: b"dltensor", True: b"dltensor_versioned"}
USED = {False: b"used_dltensor", True: b"used_dltensor_versioned"}


class Tensor(ctypes.Structure):
    """``DLTensor``."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Version(ctypes.Structure):
    """``DLPackVersion``."""

    _fields_ = (("major", ctypes.c_uint32), ("minor", ctypes.c_uint32))


class Managed(ctypes.Structure):
    """``DLManagedTensor``."""


class ManagedVersioned(ctypes.Structure):
    """``DLManagedTensorVersioned``."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Managed._fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER))
ManagedVersioned._fields_ = (
    ("version", Version), ("context", ctypes.c_void_p), ("deleter", DELETER), ("flags", ctypes.c_uint64),
    ("tensor", Tensor),
)  # fmt: skip
FROM_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Tensor))
CURRENT_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Exchange(ctypes.Structure):
    """``DLPackExchangeAPI``: a library's own C functions for its arrays."""

    _fields_ = (
        ("version", Version),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from_object", ctypes.c_void_p),
        ("managed_to_object", ctypes.c_void_p),
        ("tensor_from_object", FROM_OBJECT),
        ("current_stream", CURRENT_STREAM),
    )


api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
api.PyCapsule_GetName.restype = ctypes.c_char_p
api.PyCapsule_GetName.argtypes = (ctypes.py_object,)
api.PyCapsule_SetName.argtypes = (ctypes.py_object, ctypes.c_char_p)
CAPSULE_NAMES = [
    ctypes.create_string_buffer(name) for name in (*NAMES.values(), *USED.values(), b"dlpack_exchange_api")
]


class Theirs:
    """An array of another library: what the protocols say of it is made of these attributes."""

    def __init__(self, gpu: Standin, address: int, shape: Any = (16,), dtype: str = "int32", **more: Any) -> None:
        self.device = (KINDS[gpu.driver], 0)
        self.address, self.shape, self.dtype = address, tuple(shape), dtype
        self.strides: tuple[int, ...] | None = None  # in elements
        self.offset, self.read_only, self.versioned, self.lanes, self.bits = 0, False, True, 1, 0
        self.deleted = 0
        self.__dict__.update(more)

    def fill(self, tensor: Tensor) -> None:
        import numpy as np

        dtype = np.dtype(self.dtype)
        self.extents = (ctypes.c_int64 * max(1, len(self.shape)))(*self.shape)
        tensor.data, tensor.byte_offset = self.address - self.offset, self.offset
        tensor.device_type, tensor.device_id = self.device
        tensor.ndim, tensor.lanes = len(self.shape), self.lanes
        tensor.code, tensor.bits = CODES[dtype.kind], self.bits or 8 * dtype.itemsize
        tensor.shape = ctypes.cast(self.extents, ctypes.POINTER(ctypes.c_int64))
        tensor.strides = None
        if self.strides is not None:
            self.steps = (ctypes.c_int64 * max(1, len(self.strides)))(*self.strides)
            tensor.strides = ctypes.cast(self.steps, ctypes.POINTER(ctypes.c_int64))


class Interface(Theirs):
    """With ``__cuda_array_interface__``."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        import numpy as np

        dtype = np.dtype(self.dtype)
        interface = {
            "shape": self.shape,
            "typestr": dtype.str,
            "data": (self.address, self.read_only),
            "version": 3,
            "strides": None if self.strides is None else tuple(step * dtype.itemsize for step in self.strides),
        }
        if hasattr(self, "mask"):
            interface["mask"] = self.mask
        return interface


class Capsule(Theirs):
    """With ``__dlpack__``."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        self.options = options
        managed = ManagedVersioned() if self.versioned else Managed()
        self.fill(managed.tensor)

        def deleter(_: int) -> None:
            self.deleted += 1

        managed.deleter = DELETER(deleter)
        if self.versioned:
            managed.version.major, managed.flags = 1, int(self.read_only)
        self.managed = managed  # a real one frees it in its deleter

        return api.PyCapsule_New(
            ctypes.addressof(managed), ctypes.cast(CAPSULE_NAMES[self.versioned], ctypes.c_char_p), None
        )


def exchanging(fail: bool = False, major: int = 1) -> type[Theirs]:
    """Make a type with the C exchange API, as torch's and tvm-ffi's tensors have it."""
    members: dict[str, Any] = {"asked": 0}

    def tensor_from_object(address: int, out: Any) -> int:
        value = ctypes.cast(address, ctypes.py_object).value
        type(value).asked += 1
        if fail:
            return -1
        value.fill(out.contents)
        return 0

    def current_stream(kind: int, number: int, out: Any) -> int:
        out[0] = tensor_type.stream
        return 0

    exchange = Exchange(
        tensor_from_object=FROM_OBJECT(tensor_from_object), current_stream=CURRENT_STREAM(current_stream)
    )
    exchange.version.major = major
    tensor_type = type("Tensor", (Theirs,), members | {"stream": 0, "kept": exchange})
    tensor_type.__dlpack_c_exchange_api__ = api.PyCapsule_New(
        ctypes.addressof(exchange), ctypes.cast(CAPSULE_NAMES[4], ctypes.c_char_p), None
    )
    return tensor_type


def take(capsule: Any) -> tuple[Any, Any]:
    """Consume one of our capsules as another library does; give the description and its end."""
    versioned = api.PyCapsule_GetName(capsule) == NAMES[True]
    address = api.PyCapsule_GetPointer(capsule, NAMES[versioned])
    managed = (ManagedVersioned if versioned else Managed).from_address(address)
    api.PyCapsule_SetName(capsule, ctypes.cast(CAPSULE_NAMES[2 + versioned], ctypes.c_char_p))
    return managed, lambda: managed.deleter(address)
