"""Types by their names: kinds of parameters, and of array elements. The core and the compiler share them."""

# Bytes of a parameter by its kind. A struct, the only other kind, has as many as it has.
KIND_BYTES = {
    "pointer": 8, "texture": 8, "bool": 1, "float16": 2, "float32": 4, "float64": 8,
    **{f"{kind}{8 * size}": size for kind in ("int", "uint") for size in (1, 2, 4, 8)},
}  # fmt: skip

# Element types that a parameter can ask for, as NumPy calls them; the core numbers them in this order.
ELEMENTS = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip


def element_bytes(dtype: str) -> int:
    """Give the bytes of an element of `ELEMENTS`."""
    return KIND_BYTES[dtype] if dtype in KIND_BYTES else {"complex64": 8, "complex128": 16}[dtype]
