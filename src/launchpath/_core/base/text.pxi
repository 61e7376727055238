# Texts of any length: what a library says, from C to Python.

cdef struct lp_text:           # what a library says, of any length; `text_free` frees it
    char *bytes                # NULL: nothing; else a NUL follows the text
    size_t size


cdef int text_set(lp_text *text, const char *bytes, size_t size) noexcept nogil:
    """Keep a copy of a text; 0, or ERROR_HOST_MEMORY."""
    text_free(text)
    text.bytes = <char *>malloc(size + 1)
    if text.bytes == NULL:
        return ERROR_HOST_MEMORY
    memcpy(text.bytes, bytes, size)
    text.bytes[size], text.size = 0, size
    return 0


cdef int text_room(lp_text *text, size_t size) noexcept nogil:
    """Make room for a text of so many bytes, zeros; 0, or ERROR_HOST_MEMORY."""
    text_free(text)
    text.bytes = <char *>calloc(size + 1, 1)
    if text.bytes == NULL:
        return ERROR_HOST_MEMORY
    text.size = size
    return 0


cdef void text_free(lp_text *text) noexcept nogil:
    free(text.bytes)
    text.bytes, text.size = NULL, 0


cdef str text_words(lp_text *text):
    """The text up to its first NUL, without space around it; it is freed."""
    cdef bytes words = text.bytes if text.bytes != NULL else b""
    text_free(text)
    return words.decode(errors="replace").strip()
