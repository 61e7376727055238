# Watches: whether what other libraries' Python objects say is still as it was, without a call of Python.
#
# Hooks, knobs and caches of Triton and Numba are entries of dicts, and lists that programs append to. A dict has a version
# that each change makes another one, and no two dicts share: comparing it costs a load.

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030D0000
    #pragma GCC diagnostic push
    #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    static inline uint64_t lp_dict_version(PyObject *dict) { return ((PyDictObject *)dict)->ma_version_tag; }
    #pragma GCC diagnostic pop
    static int lp_dict_watch(PyObject *dict) { (void)dict; return 0; }
    #else
    /* Dicts have no versions any more. All that are watched have one together. */
    static uint64_t lp_dict_changes = 1;
    static int lp_dict_watcher = -1;
    static int lp_dict_changed(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value) {
        (void)event, (void)dict, (void)key, (void)value;
        lp_dict_changes++;
        return 0;
    }
    static inline uint64_t lp_dict_version(PyObject *dict) { (void)dict; return lp_dict_changes; }
    static int lp_dict_watch(PyObject *dict) {
        if (lp_dict_watcher < 0 && (lp_dict_watcher = PyDict_AddWatcher(lp_dict_changed)) < 0) return -1;
        return PyDict_Watch(lp_dict_watcher, dict);
    }
    #endif
    """
    uint64_t lp_dict_version(PyObject *dict) noexcept
    int lp_dict_watch(object dict) except -1

cdef enum:
    WATCHED = 24                   # dicts, and lists, of one watch
    LOOKS = 8                      # in a row that find a change each time: then the answer is "it changes"


cdef class FastWatch:
    """Holds an answer for as long as what it depends on is unchanged.

    Parameters
    ----------
    look : callable
        Gives the answer: why the fast way would be wrong, or None; the dicts that this depends on; and the lists, on whose
        sizes it depends."""
    cdef int n_dicts, n_lists
    cdef PyObject *dicts[WATCHED]
    cdef uint64_t versions[WATCHED]
    cdef PyObject *lists[WATCHED]
    cdef Py_ssize_t sizes[WATCHED]
    cdef tuple held
    cdef object look
    cdef readonly object reason
    cdef readonly uint64_t looks

    def __init__(self, look not None):
        self.look, self.reason, self.held = look, "not looked at yet", ()
        self.n_dicts = -1

    cdef int look_again(self) except -1:
        """Ask until two answers in a row are the same, and nothing changed between them: `look` runs Python code."""
        cdef int i, _n
        cdef tuple answer, before = None
        self.n_dicts = -1
        for _n in range(LOOKS):
            try:
                answer = self.look()
            except Exception as error:
                answer = (f"launchpath does not understand it ({type(error).__name__}: {error})", [], [])
            self.looks += 1
            if before is not None and watch_holds(self) and same_watched(before, answer):
                return 0
            reason, dicts, lists = answer
            if len(dicts) > WATCHED or len(lists) > WATCHED:
                self.reason = "too much that it depends on"
                self.n_dicts = self.n_lists = 0
                self.held = ()
                return 0
            self.held, self.reason = (tuple(dicts), tuple(lists)), reason
            for i in range(len(dicts)):
                lp_dict_watch(dicts[i])
                self.dicts[i] = <PyObject *><object>dicts[i]
                self.versions[i] = lp_dict_version(self.dicts[i])
            for i in range(len(lists)):
                self.lists[i] = <PyObject *><object>lists[i]
                self.sizes[i] = Py_SIZE(self.lists[i])
            self.n_dicts, self.n_lists = <int>len(dicts), <int>len(lists)
            before = answer
        self.reason = "it changes all the time"
        return 0

    def refresh(self):
        """Ask anew, and give the reason or None."""
        self.look_again()
        return self.reason

    def check(self):
        """Why the fast way would be wrong now, or None."""
        if not watch_holds(self):
            self.look_again()
        return self.reason


cdef bint same_watched(tuple first, tuple second) except -1:
    if first[0] != second[0] or len(first[1]) != len(second[1]) or len(first[2]) != len(second[2]):
        return False
    for i in (1, 2):
        for one, other in zip(first[i], second[i]):
            if one is not other:
                return False
    return True


cdef inline bint watch_holds(FastWatch watch) noexcept:
    """Whether the answer still holds."""
    cdef int i
    if unlikely(watch.n_dicts < 0):
        return False
    for i in range(watch.n_dicts):
        if unlikely(lp_dict_version(watch.dicts[i]) != watch.versions[i]):
            return False
    for i in range(watch.n_lists):
        if unlikely(Py_SIZE(watch.lists[i]) != watch.sizes[i]):
            return False
    return True


cdef inline bint watch_allows(FastWatch watch) except -1:
    """Whether the fast way is right now."""
    if unlikely(not watch_holds(watch)):
        watch.look_again()
    return watch.reason is None
