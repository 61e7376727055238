# Arguments by name: which parameter each name stands for is looked up once for each spelling of a call.

cdef extern from "Python.h":
    PyObject **tuple_items "PySequence_Fast_ITEMS"(PyObject *value) noexcept

cdef enum:
    SPELLINGS = 16                 # of a kernel that are remembered; calls of others are looked up each time
    NAMED_ARGUMENTS = 64           # of a call that is remembered

cdef struct lp_spelling:
    PyObject *names                # a tuple, as the interpreter passes it: one object for each place in a program; a reference
    Py_ssize_t before              # arguments by position in front of the names
    uint8_t *places                # of each name: which parameter
    lp_spelling *next


cdef void drop_spellings(lp_spelling *spelling) noexcept:
    cdef lp_spelling *next_
    while spelling != NULL:
        next_ = spelling.next
        Py_DECREF(<object>spelling.names)
        free(spelling.places)
        free(spelling)
        spelling = next_


cdef inline bint same_names(PyObject *first, PyObject *second) noexcept:
    """Whether two tuples hold the same objects: names in a program are interned."""
    cdef Py_ssize_t i, n = Py_SIZE(first)
    if n != Py_SIZE(second):
        return False
    for i in range(n):
        if tuple_item(first, i) != tuple_item(second, i):
            return False
    return True


cdef inline lp_spelling *known_spelling(KernelBase kernel, PyObject *names, Py_ssize_t before) noexcept:
    cdef lp_spelling *spelling = kernel.spellings
    while spelling != NULL and not (spelling.names == names and spelling.before == before):
        spelling = spelling.next
    if spelling != NULL:
        return spelling
    spelling = kernel.spellings    # a call with ** passes a new tuple each time
    while spelling != NULL and not (spelling.before == before and same_names(spelling.names, names)):
        spelling = spelling.next
    return spelling


cdef lp_spelling *remember_spelling(KernelBase kernel, PyObject *names, Py_ssize_t before) except? NULL:
    """Look the names of a call up; NULL if they are wrong, or too many are remembered already."""
    cdef lp_spelling *spelling
    cdef Py_ssize_t i, n = Py_SIZE(names), known = 0
    spelling = kernel.spellings
    while spelling != NULL:
        spelling = spelling.next
        known += 1
    if before + n != kernel.count or kernel.count > NAMED_ARGUMENTS or known >= SPELLINGS:
        return NULL
    places = [kernel.indices.get(name, -1) for name in <tuple><object>names]
    if min(places) < before:
        return NULL                # an unknown name, or one of an argument that was passed by position too
    spelling = <lp_spelling *>malloc(sizeof(lp_spelling))
    if spelling == NULL:
        raise MemoryError
    spelling.places = <uint8_t *>malloc(n)
    if spelling.places == NULL:
        free(spelling)
        raise MemoryError
    for i in range(n):
        spelling.places[i] = places[i]
    Py_INCREF(<object>names)
    spelling.names, spelling.before, spelling.next = names, before, kernel.spellings
    kernel.spellings = spelling
    return spelling


cdef PyObject *launch_by_name(PyObject *callable, PyObject **args, Py_ssize_t before, PyObject *names,
                              bint plainly) except NULL:
    """Launch with some arguments by name: put all into the parameters' order. The launch is watched already, if it is."""
    cdef PyObject *ordered[NAMED_ARGUMENTS]
    cdef KernelBase kernel = (<Launcher>callable).kernel
    cdef Py_ssize_t i
    cdef lp_spelling *spelling
    if Py_SIZE(names) == 0:
        return launcher_launch(callable, args, before, NULL, plainly)
    spelling = known_spelling(kernel, names, before)
    if unlikely(spelling == NULL):
        spelling = remember_spelling(kernel, names, before)
    if unlikely(spelling == NULL):
        values = [<object>args[i] for i in range(before + Py_SIZE(names))]
        arranged = by_name(kernel, tuple(values[:before]), dict(zip(<tuple><object>names, values[before:])))
        return launcher_launch(callable, tuple_items(<PyObject *>arranged), kernel.count, NULL, plainly)
    for i in range(before):
        ordered[i] = args[i]
    for i in range(Py_SIZE(names)):
        ordered[spelling.places[i]] = args[before + i]
    return launcher_launch(callable, ordered, kernel.count, NULL, plainly)


cdef tuple by_name(KernelBase kernel, tuple args, dict kwargs):
    """Arguments in the parameters' order."""
    if len(args) > kernel.count:
        raise kernel.count_error(len(args) + len(kwargs))
    for name in kwargs:
        index = kernel.indices.get(name)
        if index is None:
            if name in kernel.signature.constants:
                hint = ": it is a constant of the compiled kernel: omit it"
            else:
                hint = _advice.about_argument(kernel.name, name, kernel.indices)
            raise errors.SignatureError(f"{kernel.signature} has no parameter {name!r}{hint}")
        if index < len(args):
            raise errors.SignatureError(f"{kernel.name}: parameter {name!r} was passed by position and by name")
    missing = [parameter.name for parameter in kernel.signature.parameters[len(args):] if parameter.name not in kwargs]
    if missing:
        raise errors.SignatureError(f"{kernel.signature}: missing arguments for {', '.join(map(repr, missing))}")
    return args + tuple([kwargs[parameter.name] for parameter in kernel.signature.parameters[len(args):]])
