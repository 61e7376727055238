# The memory that HIP's functions have given out, by its addresses: one table for `launchpath.hip` and for compiled programs.
#
# A range is Python's, and `thing` is what Python knows of it; or a compiled program has allocated it without Python, and
# `extent` is the pool's memory. When Python looks at a range of the second kind, it makes a thing of it, and the range is
# Python's from then on. C code takes away only ranges that are not Python's, so neither takes what the other has.

cdef struct address_range:
    uint64_t begin
    uint64_t size
    int kind                   # see `hip._memory.allocations`
    lp_domain *domain          # of its device, a reference
    lp_extent *extent
    PyObject *thing            # a reference, or NULL

cdef struct address_table:
    lp_lock lock               # a leaf: nothing of Python's is called under it
    uint32_t n
    uint32_t room
    address_range *ranges      # by their addresses

cdef enum:
    ADDRESS_DEVICE = 0
    ADDRESS_HOST = 1
    ADDRESS_SIGNAL = 3
    ADDRESS_REGISTERED = 4     # the program's own memory

cdef address_table lp_addresses
memset(&lp_addresses, 0, sizeof(lp_addresses))
lp_lock_init(&lp_addresses.lock)


cdef inline uint32_t address_after(uint64_t address) noexcept nogil:
    """The first range that begins behind an address. Caller holds the lock."""
    cdef uint32_t low = 0, high = lp_addresses.n, middle
    while low < high:
        middle = (low + high) // 2
        if lp_addresses.ranges[middle].begin <= address:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline address_range *address_range_of(uint64_t address) noexcept nogil:
    """The range that an address is in, or NULL. Caller holds the lock."""
    cdef uint32_t after = address_after(address)
    cdef address_range *piece
    if after == 0:
        return NULL
    piece = &lp_addresses.ranges[after - 1]
    return piece if address - piece.begin < piece.size else NULL


cdef inline address_range *address_range_at(uint64_t begin) noexcept nogil:
    """The range that begins at an address, or NULL. Caller holds the lock."""
    cdef address_range *piece = address_range_of(begin)
    return piece if piece != NULL and piece.begin == begin else NULL


cdef bint address_copy(uint64_t address, address_range *copy) noexcept nogil:
    """Copy what is known of the range that an address is in; False: it is in none."""
    cdef address_range *piece
    lp_lock_acquire(&lp_addresses.lock)
    piece = address_range_of(address)
    if piece != NULL:
        copy[0] = piece[0]
    lp_lock_release(&lp_addresses.lock)
    return piece != NULL


cdef int address_put(const address_range *added) noexcept nogil:
    """Add a range; ERROR_HOST_MEMORY, or -1 where it overlaps another one: then nothing was added."""
    cdef uint32_t place
    cdef int code
    cdef address_range *ranges
    lp_lock_acquire(&lp_addresses.lock)
    place = address_after(added.begin)
    ranges = lp_addresses.ranges
    if place and added.begin - ranges[place - 1].begin < ranges[place - 1].size or (
            place < lp_addresses.n and ranges[place].begin - added.begin < added.size):
        lp_lock_release(&lp_addresses.lock)
        return -1
    code = items_grow(<void **>&lp_addresses.ranges, &lp_addresses.room, lp_addresses.n + 1, sizeof(address_range))
    if code == 0:
        ranges = lp_addresses.ranges
        memmove(&ranges[place + 1], &ranges[place], (lp_addresses.n - place) * sizeof(address_range))
        ranges[place] = added[0]
        lp_addresses.n += 1
        domain_ref(added.domain)
    lp_lock_release(&lp_addresses.lock)
    return code


cdef bint address_take(uint64_t begin, PyObject *thing, address_range *taken) noexcept nogil:
    """Remove the range that begins at an address, and copy it; its references become the caller's. False: there is none, or
    it is another thing's. Without a thing: only one that is not Python's."""
    cdef address_range *piece
    cdef bint fits
    lp_lock_acquire(&lp_addresses.lock)
    piece = address_range_at(begin)
    fits = piece != NULL and piece.thing == thing
    if fits:
        taken[0] = piece[0]
        lp_addresses.n -= 1
        memmove(piece, piece + 1, <size_t>(&lp_addresses.ranges[lp_addresses.n] - piece) * sizeof(address_range))
    lp_lock_release(&lp_addresses.lock)
    return fits


# --- what Python has of them

cdef object address_thing = None   # (address, size, kind, device, allocation) -> the thing


def register_address_thing(function not None):
    """Name the function that makes what Python knows of memory that a compiled program has allocated."""
    global address_thing
    address_thing = function


cdef object address_adopt(const address_range *known):
    """The thing of a range, of which the caller has a copy; None: the table has changed, look again."""
    cdef Allocation allocation
    cdef DeviceBase device
    cdef address_range *piece
    cdef bint adopted = False
    for device in open_devices:
        if device.domain == known.domain:
            break
    else:
        raise errors.LaunchpathError(f"{known.begin:#x}: its device is closed")
    allocation = Allocation.__new__(Allocation)
    allocation.address, allocation.size, allocation.pool = <void *><uintptr_t>known.begin, known.size, device.pool
    allocation.extent = known.extent
    thing = address_thing(known.begin, known.size, known.kind, device, allocation)
    lp_lock_acquire(&lp_addresses.lock)
    piece = address_range_at(known.begin)
    if piece != NULL and piece.thing == NULL and piece.extent == known.extent:
        Py_INCREF(thing)
        piece.thing, piece.extent = <PyObject *>thing, NULL
        adopted = True
    lp_lock_release(&lp_addresses.lock)
    if not adopted:
        allocation.freed = True        # the memory is not this object's
        return None
    return thing


cdef object address_look(uint64_t address, bint exactly):
    cdef address_range known
    cdef address_range *piece
    while True:
        lp_lock_acquire(&lp_addresses.lock)
        piece = address_range_at(address) if exactly else address_range_of(address)
        if piece == NULL:
            lp_lock_release(&lp_addresses.lock)
            return None
        known = piece[0]
        if known.thing != NULL:
            Py_INCREF(<object>known.thing)         # the GIL is held: only Python drops it
        lp_lock_release(&lp_addresses.lock)
        thing = None
        if known.thing != NULL:
            thing = <object>known.thing
            Py_DECREF(thing)
        else:
            thing = address_adopt(&known)
        if thing is not None:
            return thing


def address_add(uintptr_t begin, size_t size, int kind, DeviceBase device not None, thing not None):
    """Add a range of memory that begins at an address; False: it overlaps another one, and was not added."""
    cdef address_range added
    cdef int code
    added.begin, added.size, added.kind, added.domain = begin, size, kind, device.domain
    added.extent, added.thing = NULL, <PyObject *>thing
    Py_INCREF(thing)
    code = address_put(&added)
    if code:
        Py_DECREF(thing)
    if code > 0 or code < -1:
        raise MemoryError
    return code == 0


def address_at(uintptr_t begin):
    """What begins at an address, or None."""
    return address_look(begin, True)


def address_of(uintptr_t address):
    """What an address is in, or None."""
    return address_look(address, False)


def address_next(uintptr_t address):
    """What begins behind an address, first of all, or None."""
    cdef uint64_t begin = 0
    cdef uint32_t place
    cdef bint there
    lp_lock_acquire(&lp_addresses.lock)
    place = address_after(address)
    there = place < lp_addresses.n
    if there:
        begin = lp_addresses.ranges[place].begin
    lp_lock_release(&lp_addresses.lock)
    if not there:
        return None
    thing = address_look(begin, True)
    return thing if thing is not None else address_next(address)


def address_remove(uintptr_t begin, thing not None):
    """Remove what begins at an address; False: it is another thing, or nothing."""
    cdef address_range taken
    if not address_take(begin, <PyObject *>thing, &taken):
        return False
    Py_DECREF(thing)
    domain_unref(taken.domain)
    return True


def address_count():
    """How many ranges there are."""
    return lp_addresses.n
