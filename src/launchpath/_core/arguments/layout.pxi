# Layouts of structs that a caller has made, by ctypes or NumPy, held against the kernel's own. Once for each type: a
# launch looks whether it is the type of the launch before.
#
# A layout is a list of runs, (start, size, kind, end) in bytes: numbers of a size and a kind that lie side by side. Kinds
# are "f", "i" (addresses and bools too, as the sign and the meaning of an int may differ), and "o", bytes of any meaning.

cdef enum:
    MOST_ELEMENTS = 65536          # of an array of structs that are looked at one by one


cdef int check_layout(KernelBase kernel, Py_ssize_t index, object value) except -1:
    """Refuse a struct, a NumPy scalar or an array of the right size whose fields lie otherwise, or have other types."""
    if kernel.layouts is not None and kernel.layouts[index] is not None and kernel.within is None:
        if <void *>kernel.layouts[index] == Py_TYPE(value) or getattr(value, "dtype", None) is kernel.layouts[index]:
            return 0
    parameter = kernel.signature.parameters[index]
    if not parameter.members:
        return 0
    dtype = getattr(value, "dtype", None)
    is_numpy = isinstance(dtype, numpy_dtype)
    if is_numpy and parameter.shape and len(value.shape) > 1 and value.shape != parameter.shape:
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected an array of shape {parameter.shape}, got an array of shape {value.shape}")
    key = dtype if is_numpy else type(value)
    if kernel.layouts is None:
        kernel.layouts = [None] * kernel.count
    if kernel.layouts[index] is key:
        return 0
    if is_numpy:
        runs = runs_of_dtype(dtype, 0, [])
        runs = repeated(runs, dtype.itemsize, value.size, 0, [])
    elif isinstance(value, (CtypesStructure, CtypesArray)):
        runs = runs_of_ctypes(key, 0, [])
    else:
        return 0                       # bytes of whatever has a buffer
    wrong = first_difference(runs_of_member(parameter, 0, []), runs)
    if wrong is not None:
        raise layout_error(kernel, index, value, wrong)
    kernel.layouts[index] = key
    return 0


cdef list add_run(list runs, start, size, str kind, end):
    if runs and runs[-1][1:3] == (size, kind) and runs[-1][3] == start:
        start = runs.pop()[0]
    runs.append((start, size, kind, end))
    return runs


cdef list repeated(list runs, itemsize, count, start, list to):
    """The runs of elements side by side."""
    if len(runs) == 1 and runs[0][0] == 0 and runs[0][3] == itemsize:
        return add_run(to, start, runs[0][1], runs[0][2], start + count * itemsize)
    if count > MOST_ELEMENTS:
        return add_run(to, start, 1, "o", start + count * itemsize)
    for i in range(count):
        for first, size, kind, end in runs:
            add_run(to, start + i * itemsize + first, size, kind, start + i * itemsize + end)
    return to


cdef list runs_of_member(parameter, start, list to):
    """The runs of a parameter, or of a field; nothing of what is not known."""
    if parameter.shape:
        element = parameter.members[0]
        return repeated(runs_of_member(element, 0, []), element.size, parameter.size // element.size, start, to)
    if parameter.kind == "struct" and not parameter.members:
        return add_run(to, start, parameter.size // 2, "f", start + parameter.size) if parameter.pointee else to
    if parameter.kind == "struct":
        for member in parameter.members:
            runs_of_member(member, start + member.offset, to)
        return to
    return add_run(to, start, parameter.size, "f" if parameter.kind.startswith("float") else "i", start + parameter.size)


cdef list runs_of_dtype(dtype, start, list to):
    if dtype.subdtype is not None:
        base = dtype.subdtype[0]
        return repeated(runs_of_dtype(base, 0, []), base.itemsize, dtype.itemsize // base.itemsize, start, to)
    if dtype.fields:
        for name in dtype.names:
            field = dtype.fields[name]
            runs_of_dtype(field[0], start + field[1], to)
        return to
    kind = {"f": "f", "c": "f", "i": "i", "u": "i", "b": "i", "m": "i", "M": "i"}.get(dtype.kind, "o")
    size = dtype.itemsize // 2 if dtype.kind == "c" else 1 if kind == "o" else dtype.itemsize
    return add_run(to, start, size, kind if dtype.isnative else "bytes in another order", start + dtype.itemsize)


cdef list runs_of_ctypes(kind, start, list to):
    cdef Py_ssize_t size = ctypes_size(kind)
    if issubclass(kind, CtypesArray):
        return repeated(runs_of_ctypes(kind._type_, 0, []), ctypes_size(kind._type_), kind._length_, start, to)
    if issubclass(kind, CtypesStructure):
        for base in reversed(kind.__mro__):
            for field in base.__dict__.get("_fields_", ()):
                place = getattr(kind, field[0])
                if len(field) > 2:             # a bit-field: its bytes are others' too
                    add_run(to, start + place.offset, 1, "o", start + place.offset + ctypes_size(field[1]))
                else:
                    runs_of_ctypes(field[1], start + place.offset, to)
        return to
    if not issubclass(kind, _SimpleCData):
        return add_run(to, start, size, "i" if size == 8 and not issubclass(kind, CtypesUnion) else "o", start + size)
    if kind._type_ in "fd":
        return add_run(to, start, size, "f", start + size)
    return add_run(to, start, size, "o" if kind._type_ == "g" else "i", start + size)


cdef tuple first_difference(list expected, list runs):
    """The first byte where runs differ from those expected, with what is there; None if they have what is expected."""
    cdef Py_ssize_t i = 0
    for start, size, kind, end in expected:
        while start < end:
            while i < len(runs) and runs[i][3] <= start:
                i += 1
            if i == len(runs) or runs[i][0] > start:
                return start, None
            first, other, its_kind, last = runs[i]
            if not (its_kind == "o" or other == 1 or size == 1 or (
                    other == size and (start - first) % size == 0 and (kind == its_kind or size == 2 and its_kind == "i"))):
                return start, runs[i]
            start = min(end, last)
    return None


cdef object layout_error(KernelBase kernel, Py_ssize_t index, object value, tuple wrong):
    place, run = wrong
    parameter = kernel.signature.parameters[index]
    elements = wrong_elements(kernel, index, value)
    if elements is not None:
        return elements
    field = "no field" if run is None else {"f": f"a float of {run[1]} bytes", "i": f"an int of {run[1]} bytes"}.get(
        run[2], run[2])
    return errors.SignatureError(
        f"{kernel.where(index)}: expected {field_at(parameter, place)} at byte {place}, got {type(value).__name__} with "
        f"{field} there: lay its fields out as the source does (align=True in a NumPy dtype), or pass a dict or a tuple of "
        "them")


cdef object wrong_elements(KernelBase kernel, Py_ssize_t index, object value):
    """The exception for a plain array that is not as many elements of the type as a vector has; None if it is no such case."""
    runs = runs_of_member(kernel.signature.parameters[index], 0, [])
    dtype = getattr(value, "dtype", None)
    if len(runs) != 1 or not isinstance(dtype, numpy_dtype) or dtype.kind not in "iufcb":
        return None
    (_, size, kind, end), = runs
    member = kernel.signature.parameters[index]
    while member.members:
        member = member.members[0]
    expected = member.kind if member.kind != "struct" else f"float{8 * size}"
    return errors.SignatureError(
        f"{kernel.where(index)}: expected {end // size} elements of {expected}, got an array of {dtype} of shape "
        f"{value.shape}: create it with dtype=\"{expected}\", or pass a tuple")


cdef str field_at(parameter, place):
    """The field at a byte, with its type."""
    for member in parameter.members:
        if member.offset <= place < member.offset + member.size and not parameter.shape:
            return field_at(member, place - member.offset) if member.members and not member.shape else str(member)
    return parameter.ctype
