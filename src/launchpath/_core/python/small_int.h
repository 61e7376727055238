/* The value of a Python int of one digit, read in place: most int arguments have one digit, and a call for each would be slow. */
#ifndef LAUNCHPATH_SMALL_INT_H
#define LAUNCHPATH_SMALL_INT_H

#include <Python.h>

/* Both take an exact int. */
#if PY_VERSION_HEX >= 0x030C0000
static inline int lp_int_is_small(PyObject *value) { return PyUnstable_Long_IsCompact((PyLongObject *)value); }
static inline long long lp_small_int(PyObject *value) { return PyUnstable_Long_CompactValue((PyLongObject *)value); }
#else
static inline int lp_int_is_small(PyObject *value) { return Py_SIZE(value) >= -1 && Py_SIZE(value) <= 1; }
static inline long long lp_small_int(PyObject *value) {
    /* Zero has no digit that may be relied on. */
    return Py_SIZE(value) ? Py_SIZE(value) * (long long)((PyLongObject *)value)->ob_digit[0] : 0;
}
#endif

#endif
