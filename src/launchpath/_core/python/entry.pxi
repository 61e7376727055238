# Tracebacks. A function of the core has no source that a reader could be shown, so it adds no entry to a traceback, unless
# LAUNCHPATH_TRACEBACK asks for all. Cython adds entries in one place, which the first macro below takes.
#
# Cython's `except` and `with` count on a traceback, as one was just added. Where there is none yet, they get a placeholder.
# It leaves no function: an error that has nothing else loses it at the next entry that is not added. Nothing else is
# looked at or released there, as a lock may be held.

import os
import sys

cdef extern from *:
    """
    static PyObject *lp_placeholder = NULL;         /* NULL: every entry is added */

    static int lp_traceback_here(PyFrameObject *frame) {
        PyObject *type, *value, *traceback;
        if (lp_placeholder == NULL)
            return PyTraceBack_Here(frame);
        PyErr_Fetch(&type, &value, &traceback);
        if (traceback == lp_placeholder)
            Py_CLEAR(traceback);
        PyErr_Restore(type, value, traceback);
        return 0;
    }

    static void lp_normalize(PyObject **type, PyObject **value, PyObject **traceback) {      /* before Python 3.12 */
        PyErr_NormalizeException(type, value, traceback);
        if (*traceback == NULL)
            *traceback = Py_XNewRef(lp_placeholder);
    }

    static PyObject *lp_get_traceback(PyObject *error) {        /* since Python 3.12 */
        PyObject *traceback = PyException_GetTraceback(error);
        return traceback != NULL ? traceback : Py_XNewRef(lp_placeholder);
    }

    #define PyTraceBack_Here lp_traceback_here
    #define PyErr_NormalizeException lp_normalize
    #define PyException_GetTraceback lp_get_traceback
    """
    void *lp_placeholder


cdef object placeholder = None      # owns what `lp_placeholder` points to


def keep_entries(bint keep):
    """Switch entries of the core's own functions in tracebacks on or off."""
    global lp_placeholder
    lp_placeholder = NULL if keep else <void *>placeholder


cdef make_placeholder():
    """A traceback of a frame that has ended. Its file is one of launchpath's, whose entries are left out elsewhere."""
    global placeholder
    code = compile("frame = _getframe()", os.path.join(os.path.dirname(errors.__file__), "_core"), "exec")
    names = {"_getframe": sys._getframe}
    exec(code, names)
    frame = names.pop("frame")
    placeholder = type_of_tracebacks(None, frame, 0, 1)


from types import TracebackType as type_of_tracebacks

from launchpath import errors

make_placeholder()
keep_entries(False)
