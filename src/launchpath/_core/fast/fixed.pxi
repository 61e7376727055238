# Objects whose bytes as arguments are fixed until their attributes change: Numba's device arrays. Python reads them once for
# each state of an object, which its dict's version names.

cdef enum:
    FIXED_SLOTS = 1024             # a power of 2
    FIXED_SIZE = 176               # bytes: an array of ten dimensions

cdef struct fixed_entry:
    PyObject *value                # borrowed: `version` tells whether it is still that object
    PyObject *attributes           # its dict, borrowed
    uint64_t version
    PyObject *type_                # what the library calls its type, borrowed from `fixed_types`
    uint16_t size
    char packed[FIXED_SIZE]

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030D0000
    static inline PyObject *lp_attributes(PyObject *value) {
        PyObject **dict = _PyObject_GetDictPtr(value);
        return dict != NULL ? *dict : NULL;
    }
    #else
    static inline PyObject *lp_attributes(PyObject *value) {
        PyObject *dict = PyObject_GenericGetDict(value, NULL);
        if (dict == NULL) PyErr_Clear();
        Py_XDECREF(dict);      /* the object holds it */
        return dict;
    }
    #endif
    """
    PyObject *lp_attributes(PyObject *value) noexcept

cdef fixed_entry *fixed_entries = NULL
cdef dict fixed_types = {}
cdef dict fixed_readers = {}           # class -> function: object -> (type, bytes) or None


def fast_fixed_reader(type kind not None, read):
    """Read objects of a class by a function: it gives their type and their bytes, or None. None instead of a function: no
    longer."""
    global fixed_entries
    if read is None:
        fixed_readers.pop(kind, None)
    else:
        fixed_readers[kind] = read
    if fixed_entries == NULL:
        fixed_entries = <fixed_entry *>calloc(FIXED_SLOTS, sizeof(fixed_entry))
        if fixed_entries == NULL:
            raise MemoryError
    memset(fixed_entries, 0, FIXED_SLOTS * sizeof(fixed_entry))


def fast_fixed_type(type_):
    """The one object that stands for a type among all that are equal to it."""
    return fixed_types.setdefault(type_, type_)


cdef bint fixed_read(fixed_entry *entry, PyObject *value) except -1:
    """Have an object read, and note what it is."""
    cdef uint64_t version
    read = fixed_readers.get(<object>Py_TYPE_OF(value))
    attributes = getattr(<object>value, "__dict__", None) if read is not None else None
    if attributes is None:
        return False
    lp_dict_watch(attributes)
    version = lp_dict_version(<PyObject *>attributes)
    answer = read(<object>value)
    if answer is None:
        return False
    type_, packed = answer
    type_ = fast_fixed_type(type_)
    if len(<bytes>packed) > FIXED_SIZE or version != lp_dict_version(<PyObject *>attributes):
        return False
    entry.value, entry.attributes, entry.version, entry.type_ = value, <PyObject *>attributes, version, <PyObject *>type_
    entry.size = <uint16_t>len(<bytes>packed)
    memcpy(entry.packed, PyBytes_AS_STRING(<PyObject *>packed), entry.size)
    return True


cdef bint fixed_reads(fixed_entry *entry, PyObject *value) noexcept:
    try:
        return fixed_read(entry, value)
    except Exception:
        return False               # the original meets the same error, and says so


cdef inline bint fixed_takes(const fast_rule *rule, PyObject *value, char *packed) noexcept:
    cdef fixed_entry *entry
    cdef PyObject *attributes
    if unlikely(fixed_entries == NULL):
        return False
    entry = &fixed_entries[(<uintptr_t>value >> 4) & (FIXED_SLOTS - 1)]
    # Another object may be where that one was: its dict has another version.
    if likely(entry.value == value):
        attributes = lp_attributes(value)
        if unlikely(attributes == NULL or attributes != entry.attributes or lp_dict_version(attributes) != entry.version):
            entry.value = NULL
    if unlikely(entry.value != value) and not fixed_reads(entry, value):
        return False
    if unlikely(entry.type_ != rule.value or entry.size != rule.size):
        return False
    memcpy(packed + rule.offset, entry.packed, entry.size)
    return True
