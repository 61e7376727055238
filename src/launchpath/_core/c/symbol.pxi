# Symbols: the names by which C code finds kernels, with the kernels found so far. What else is registered, and how it is
# loaded, Python knows (`_programs/registry.py`).

cdef enum:
    SYMBOL_LISTS = 256         # a power of two

cdef struct c_found:           # the kernel of a symbol on a device
    uint64_t hash
    lp_domain *domain
    uint64_t handle
    c_found *next
    char name[1]               # and so on

cdef struct c_symbols_state:
    lp_lock lock               # a leaf
    c_found *lists[SYMBOL_LISTS]

cdef c_symbols_state lp_symbols
lp_lock_init(&lp_symbols.lock)

cdef object find_registered = None     # (symbol, stream or None) -> handle; it loads what has to be loaded


def register_symbol_finder(function not None):
    """Name the function that finds and loads the kernel of a symbol."""
    global find_registered
    find_registered = function


cdef inline uint64_t symbol_hash(const char *name) noexcept nogil:
    cdef uint64_t hash = 14695981039346656037ULL       # FNV-1a
    while name[0]:
        hash = (hash ^ <unsigned char>name[0]) * 1099511628211ULL
        name += 1
    return hash


cdef uint64_t symbol_find(const char *name, lp_domain *domain) noexcept nogil:
    """The kernel of a symbol on a device, if it was found before; else 0."""
    cdef uint64_t hash = symbol_hash(name), handle = 0
    cdef c_found *found
    lp_lock_acquire(&lp_symbols.lock)
    found = lp_symbols.lists[hash % SYMBOL_LISTS]
    while found != NULL and not (found.hash == hash and found.domain == domain and strcmp(found.name, name) == 0):
        found = found.next
    if found != NULL:
        handle = found.handle
    lp_lock_release(&lp_symbols.lock)
    return handle


def c_symbol_add(str symbol not None, DeviceBase device not None, uint64_t handle):
    """Let C code find a kernel by a symbol on a device."""
    cdef bytes name = symbol.encode()
    cdef c_found *found = <c_found *>calloc(1, sizeof(c_found) + len(name))
    if found == NULL:
        raise MemoryError
    memcpy(found.name, <const char *>name, len(name))
    found.hash, found.domain, found.handle = symbol_hash(found.name), device.domain, handle
    lp_lock_acquire(&lp_symbols.lock)
    found.next = lp_symbols.lists[found.hash % SYMBOL_LISTS]
    lp_symbols.lists[found.hash % SYMBOL_LISTS] = found
    lp_lock_release(&lp_symbols.lock)


def c_symbol_remove(uint64_t handle):
    """Let no symbol lead to a kernel any more. Those that C code keeps are refused once the handle is withdrawn."""
    cdef c_found **place
    cdef c_found *found
    cdef int i
    lp_lock_acquire(&lp_symbols.lock)
    for i in range(SYMBOL_LISTS):
        place = &lp_symbols.lists[i]
        while place[0] != NULL:
            found = place[0]
            if found.handle == handle:
                place[0] = found.next
                free(found)
            else:
                place = &found.next
    lp_lock_release(&lp_symbols.lock)
