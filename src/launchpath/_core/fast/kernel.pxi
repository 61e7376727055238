# A kernel of another library that is launched here: how its calls are spelled, and what each stands for.

cdef extern from "Python.h":
    bint PyCallable_Check(object value)
    object call_one "PyObject_CallOneArg"(object callable, object value)

cdef enum:
    SPECIALIZATIONS = 64           # of one spelling; calls of others go the original way
    FAST_SPELLINGS = 32
    FAST_GRIDS = 16                # that are kept for `kernel[grid]`
    FAST_PLACES = 1024             # a power of 2


cdef class FastSpelling:
    """A way that calls are written: so many arguments by position, then these names."""
    cdef tuple names
    cdef Py_ssize_t before
    cdef int grid_at, warmup_at    # among the arguments, or -1
    cdef FastSpecialization first
    cdef int count
    cdef FastSpelling next


cdef class FastKernel:
    """A kernel of another library.

    Parameters
    ----------
    kernel : object
        The library's own.
    otherwise : callable
        Launches the original way: (this, grid or None, args, kwargs, what the grid's function returned or `NotImplemented`,
        reason or None, specialization or None, packed bytes or None) -> what the caller gets.
    common, own : FastWatch
        Whether the fast way is right for the library, and for this kernel.
    place : FastPlace
    names : tuple of str
        Of the parameters.
    """
    cdef readonly object kernel
    cdef readonly object otherwise
    cdef readonly FastWatch common, own
    cdef readonly FastPlace place
    cdef readonly tuple names
    cdef readonly uint64_t launches
    cdef public object note        # Python's own
    cdef public tuple globals      # (dict, name, object) that compiled code depends on
    cdef FastSpelling spellings
    cdef int n_spellings
    cdef FastGrid grids
    cdef int n_grids

    def __init__(self, kernel, otherwise, FastWatch common not None, FastWatch own not None, FastPlace place not None,
                 tuple names not None):
        self.kernel, self.otherwise, self.common, self.own = kernel, otherwise, common, own
        self.place, self.names, self.globals = place, names, ()

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(FAST_PLACES):
            if fast_places[i].fast == <PyObject *>self:
                fast_places[i].kernel = NULL
                fast_places[i].fast = NULL

    def add(self, Py_ssize_t before, tuple names not None, FastSpecialization of not None, int grid_at=-1, int warmup_at=-1):
        """Know a specialization for calls of a spelling. False: there are too many."""
        cdef FastSpelling spelling = self.spellings
        while spelling is not None and not (spelling.before == before and spelling.names == names):
            spelling = spelling.next
        if spelling is None:
            if self.n_spellings == FAST_SPELLINGS:
                return False
            spelling = FastSpelling.__new__(FastSpelling)
            spelling.names, spelling.before, spelling.next = names, before, self.spellings
            spelling.grid_at, spelling.warmup_at = grid_at, warmup_at
            self.spellings = spelling
            self.n_spellings += 1
        if spelling.count == SPECIALIZATIONS or of.n_rules != before + len(names):
            return False
        of.next = spelling.first
        spelling.first = of
        spelling.count += 1
        return True

    def keep_only(self, keeps not None):
        """Drop the specializations that a function does not keep."""
        cdef FastSpelling spelling = self.spellings
        cdef FastSpecialization of
        while spelling is not None:
            kept = [of for of in specializations_of(spelling) if keeps(of)]
            spelling.first, spelling.count = None, <int>len(kept)
            for of in reversed(kept):
                of.next = spelling.first
                spelling.first = of
            spelling = spelling.next

    def specializations(self):
        """All of them."""
        cdef list specializations = []
        cdef FastSpelling spelling = self.spellings
        while spelling is not None:
            specializations += specializations_of(spelling)
            spelling = spelling.next
        return specializations

    def forget_grids(self):
        """Make the objects for `kernel[grid]` anew."""
        self.grids, self.n_grids = None, 0


cdef list specializations_of(FastSpelling spelling):
    cdef list specializations = []
    cdef FastSpecialization of = spelling.first
    while of is not None:
        specializations.append(of)
        of = of.next
    return specializations


cdef struct fast_place_entry:
    void *kernel
    PyObject *fast                 # borrowed; it leaves when it ends

cdef fast_place_entry fast_places[FAST_PLACES]


cdef inline FastKernel fast_kernel(PyObject *kernel, find):
    """The kernel as it is launched here; None: the original way alone."""
    cdef fast_place_entry *entry = &fast_places[(<uintptr_t>kernel >> 4) & (FAST_PLACES - 1)]
    if likely(entry.kernel == <void *>kernel and <PyObject *>(<FastKernel>entry.fast).kernel == kernel):
        return <FastKernel>entry.fast
    try:
        fast = find(<object>kernel)
    except Exception:
        fast = None                    # the original launches: what is wrong is not the program's
    if fast is None:
        return None
    entry.kernel, entry.fast = <void *>kernel, <PyObject *>fast
    return <FastKernel?>fast


cdef inline FastSpelling known_fast_spelling(FastKernel fast, Py_ssize_t before, PyObject *names):
    """The spelling of a call, or None."""
    cdef FastSpelling spelling = fast.spellings
    cdef Py_ssize_t n = 0 if names == NULL else Py_SIZE(names)
    while spelling is not None:
        if spelling.before == before and Py_SIZE(<PyObject *>spelling.names) == n and (
                n == 0 or <PyObject *>spelling.names == names or same_names(<PyObject *>spelling.names, names)):
            return spelling
        spelling = spelling.next
    return None


cdef inline FastSpecialization known_specialization(FastSpelling spelling, int64_t place, PyObject **args, char *packed):
    """The specialization of a call, or None; its packed arguments."""
    cdef FastSpecialization before = None
    cdef FastSpecialization of = spelling.first
    while of is not None:
        if of.place == place and specialization_packs(of, args, packed):
            # The next call is likely to be of the same kind. Rules may run Python code, and others move meanwhile.
            if unlikely(before is not None and before.next is of and of is not spelling.first):
                before.next = of.next
                of.next = spelling.first
                spelling.first = of
            return of
        before = of
        of = of.next
    return None


cdef inline bint same_globals(FastKernel fast) except -1:
    """Whether the globals that compiled code depends on are the objects that they were."""
    cdef PyObject *row
    cdef Py_ssize_t i
    for i in range(Py_SIZE(<PyObject *>fast.globals)):
        row = tuple_item(<PyObject *>fast.globals, i)
        if dictionary_item(tuple_item(row, 0), tuple_item(row, 1)) != tuple_item(row, 2):
            PyErr_Clear()
            return False
    return True


cdef PyObject *fast_otherwise(FastKernel fast, FastGrid grid, PyObject **args, Py_ssize_t before, PyObject *names, called, reason,
                              FastSpecialization of, char *packed) except NULL:
    """Launch the original way."""
    cdef Py_ssize_t i
    positional = tuple([<object>args[i] for i in range(before)])
    named = {}
    if names != NULL:
        for i in range(Py_SIZE(names)):
            named[<object>tuple_item(names, i)] = <object>args[before + i]
    data = packed[:of.size] if of is not None and packed != NULL else None
    result = fast.otherwise(fast, grid, positional, named, called, reason, of, data)
    return new_reference(<PyObject *>result)


cdef object fast_bound(FastKernel fast, FastSpelling spelling, PyObject **args, FastSpecialization of):
    """Parameters by name with their values, as Triton gives them to a grid that is a function."""
    cdef dict bound = {}
    cdef Py_ssize_t i, j
    cdef dict rest = of.note.rest
    cdef dict given = {}
    for j in range(spelling.before, spelling.before + len(spelling.names)):
        given[spelling.names[j - spelling.before]] = <object>args[j]
    for i in range(len(fast.names)):
        name = fast.names[i]
        if i < spelling.before:
            bound[name] = <object>args[i]
        else:
            bound[name] = given[name] if name in given else rest[name]
    return bound
