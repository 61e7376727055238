# Shared libraries: loaded at run time, and never unloaded.

from launchpath.errors import LibraryError

cdef extern from "driver/dynamic.h" nogil:
    void *lp_library_open(const char *path, char *why, size_t room)
    void *lp_library_find(void *library, const char *name)
    void lp_watch_forks()
    bint lp_exiting


class NotLoadedError(LibraryError):
    """The system cannot load a library, or another one is loaded in its place: another path may work."""


cdef void *open_library(str path) except NULL:
    cdef char why[512]
    cdef bytes name = path.encode()
    cdef void *library = lp_library_open(name, why, sizeof(why))
    if library == NULL:
        raise NotLoadedError(f"cannot load {path}: {(<bytes>why).decode(errors='replace')}")
    return library
