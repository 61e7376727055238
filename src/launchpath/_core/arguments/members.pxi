# Structs and vectors, field by field: a tuple, list or dict of values, each checked against its field as an argument is
# against its parameter.

cdef object OF_MEMBERS = object()      # instead of a driver's kernel: see `KernelBase.__cinit__`


cdef KernelBase members_of(KernelBase kernel, Py_ssize_t index, object value):
    """The fields of a struct as if they were a kernel's parameters: what packs them, and has the words of errors."""
    cdef KernelBase members
    parameter = kernel.signature.parameters[index]
    if kernel.structs is None:
        kernel.structs = [None] * kernel.count
    members = kernel.structs[index]
    if members is None:
        if not parameter.members:
            reason = parameter.no_members or "the fields of the struct are not known"
            raise errors.SignatureError(
                f"{kernel.where(index)}: expected a struct of {kernel.sizes[index]} bytes (a ctypes.Structure, a NumPy "
                f"structured scalar, or bytes), got {described(value)}: {reason}{hint_of_type(kernel, index)}")
        signature = SimpleNamespace(name=kernel.name, parameters=parameter.members, constants=(), tells_const=True)
        members = KernelBase.__new__(KernelBase, None, kernel.device, signature, OF_MEMBERS)
        members.within = kernel.where(index)
        kernel.structs[index] = members
    return members


cdef int pack_members(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, char *at) except -1:
    """Pack a tuple, list or dict as a struct, a vector, or an array in a struct."""
    cdef KernelBase members = members_of(kernel, index, value)
    cdef tuple values
    cdef Py_ssize_t i
    memset(at, 0, kernel.sizes[index])         # what is between the fields is compared too
    shape = kernel.signature.parameters[index].shape
    if shape:
        values = elements_of(kernel, index, value, shape)
        for i in range(len(values)):
            pack_member(launcher, members, 0, values[i], at + i * members.sizes[0])
        return 0
    values = members_in_order(kernel, index, members, value)
    if unlikely(lp_here.step != NULL):
        step_takes(members.parameters, tuple_items(<PyObject *>values), members.count)
    for i in range(members.count):
        pack_member(launcher, members, i, values[i], at)
    return 0


cdef inline int pack_member(Launcher launcher, KernelBase members, Py_ssize_t index, object value, char *at) except -1:
    if unlikely(isinstance(value, StagedBase)):
        raise errors.SignatureError(
            f"{members.where(index)}: expected an array on the device, got {described(value)}, which takes the place of a "
            "whole argument: copy its array with launchpath.asarray, and pass that array")
    return argument_pack(launcher, members, index, value, at)


cdef tuple members_in_order(KernelBase kernel, Py_ssize_t index, KernelBase members, object value):
    """The values of all fields, in the order of the struct."""
    names = [parameter.name for parameter in members.signature.parameters]
    if not isinstance(value, dict):
        called = getattr(value, "_fields", None)           # of a named tuple
        if called is not None and called != tuple(names) and sorted(called) == sorted(names):
            return tuple([getattr(value, name) for name in names])
        if len(value) != members.count:
            raise errors.SignatureError(
                f"{kernel.where(index)}: expected {listed_members(names)}, got {described(value)} of {len(value)}")
        return tuple(value)
    for name in value:
        if name not in names:
            raise errors.SignatureError(
                f"{kernel.where(index)}: expected {listed_members(names)}, got {shown(name)} too"
                + (_advice.did_you_mean(name, names) if isinstance(name, str) else ""))
    missing = [repr(name) for name in names if name not in value]
    if missing:
        raise errors.SignatureError(
            f"{kernel.where(index)}: expected {listed_members(names)}, got a dict without {', '.join(missing)}")
    return tuple([value[name] for name in names])


cdef str listed_members(list names):
    cdef str few = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f"{len(names)} value{'' if len(names) == 1 else 's'} ({few})"


cdef tuple elements_of(KernelBase kernel, Py_ssize_t index, object value, tuple shape):
    """The elements of an array in a struct, in C order, of sequences in sequences."""
    cdef list rows = [value], inner
    for extent in shape:
        inner = []
        for row in rows:
            if isinstance(row, (dict, str)) or not hasattr(row, "__len__") or len(row) != extent:
                raise errors.SignatureError(
                    f"{kernel.where(index)}: expected an array of shape {shape}, got {shown(value)}")
            inner.extend(row)          # `+=` is NumPy's, if the row is an array
        rows = inner
    return tuple(rows)
