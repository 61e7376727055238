# Symbols: the names by which C code finds kernels, with the kernels found so far. What else is registered, and how it is
# loaded, Python knows (`_programs/registry.py`).

cdef enum:
    SYMBOL_LISTS = 256         # a power of two

cdef struct c_symbol_kernel:   # the kernel of a symbol on a device
    uint64_t hash
    lp_domain *domain
    uint64_t handle
    c_symbol_kernel *next
    char name[1]               # and so on

cdef struct c_symbols_state:
    lp_lock lock               # a leaf
    c_symbol_kernel *lists[SYMBOL_LISTS]

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
    cdef c_symbol_kernel *entry
    lp_lock_acquire(&lp_symbols.lock)
    entry = lp_symbols.lists[hash % SYMBOL_LISTS]
    while entry != NULL and not (entry.hash == hash and entry.domain == domain and strcmp(entry.name, name) == 0):
        entry = entry.next
    if entry != NULL:
        handle = entry.handle
    lp_lock_release(&lp_symbols.lock)
    return handle


def c_symbol_add(str symbol not None, DeviceBase device not None, uint64_t handle):
    """Let C code find a kernel by a symbol on a device."""
    cdef bytes name = symbol.encode()
    cdef c_symbol_kernel *entry = <c_symbol_kernel *>calloc(1, sizeof(c_symbol_kernel) + len(name))
    if entry == NULL:
        raise MemoryError
    memcpy(entry.name, <const char *>name, len(name))
    entry.hash, entry.domain, entry.handle = symbol_hash(entry.name), device.domain, handle
    lp_lock_acquire(&lp_symbols.lock)
    entry.next = lp_symbols.lists[entry.hash % SYMBOL_LISTS]
    lp_symbols.lists[entry.hash % SYMBOL_LISTS] = entry
    lp_lock_release(&lp_symbols.lock)


def c_symbol_remove(uint64_t handle):
    """Let no symbol lead to a kernel any more. Those that C code keeps are refused once the handle is withdrawn."""
    cdef c_symbol_kernel **place
    cdef c_symbol_kernel *entry
    cdef int i
    lp_lock_acquire(&lp_symbols.lock)
    for i in range(SYMBOL_LISTS):
        place = &lp_symbols.lists[i]
        while place[0] != NULL:
            entry = place[0]
            if entry.handle == handle:
                place[0] = entry.next
                free(entry)
            else:
                place = &entry.next
    lp_lock_release(&lp_symbols.lock)
