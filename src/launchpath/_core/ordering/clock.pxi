# Clocks: for every queue of the process, by slot, the highest sequence number that something is ordered after.
#
# A slot is a small index that a queue has while it lives. Numbers go on where the slot's last queue left off, so what
# an old clock says of a recycled slot is about commands that are complete.
#
# A clock is made of pages of numbers. Clocks share pages, so a copy costs a pointer a page, and two clocks that learned
# the same by the same way are the same pages: 10,000 streams that know of each other do not take 10,000 numbers each. A
# page that is shared is never written: a change takes a copy first. A page that is not there is all 0.
# Code that may read a clock (under its queue's lock, or because its mark never changes) may share its pages.
#
# The rules: docs/ordering.md.

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef enum:
    MAX_QUEUES = 65536
    PAGE = 64                  # numbers, a power of two


cdef struct lp_page:
    uint64_t refs
    uint64_t at[PAGE]

cdef struct lp_clock:
    lp_page **pages            # NULL: all 0 there
    uint32_t size              # slots that there is room for, a multiple of PAGE; beyond it all is 0


cdef inline uint64_t clock_get(const lp_clock *clock, uint32_t slot) noexcept nogil:
    cdef const lp_page *page
    if slot >= clock.size:
        return 0
    page = clock.pages[slot // PAGE]
    return 0 if page == NULL else page.at[slot % PAGE]


cdef int clock_reserve(lp_clock *clock, uint32_t size) noexcept nogil:
    """Make room for the pages of `size` slots; 0, or ERROR_HOST_MEMORY with the clock unchanged."""
    cdef lp_page **pages
    cdef uint32_t before = clock.size // PAGE, count = (size + PAGE - 1) // PAGE
    if size <= clock.size:
        return 0
    pages = <lp_page **>realloc(clock.pages, count * sizeof(lp_page *))
    if pages == NULL:
        return ERROR_HOST_MEMORY
    memset(pages + before, 0, (count - before) * sizeof(lp_page *))
    clock.pages, clock.size = pages, count * PAGE
    return 0


cdef inline bint page_is_held(const lp_page *page) noexcept nogil:
    return page == NULL or lp_load(&page.refs) != 0


cdef void page_drop(lp_page *page) noexcept nogil:
    LP_ASSERT(page_is_held(page))
    if page != NULL and lp_add(&page.refs, -1) == 0:
        free(page)


cdef void clock_clear(lp_clock *clock) noexcept nogil:
    """It says nothing any more; it keeps its room."""
    cdef uint32_t i
    for i in range(clock.size // PAGE):
        page_drop(clock.pages[i])
        clock.pages[i] = NULL


cdef void clock_drop(lp_clock *clock) noexcept nogil:
    clock_clear(clock)
    free(clock.pages)
    clock.pages, clock.size = NULL, 0


cdef lp_page *clock_own(lp_clock *clock, uint32_t i) noexcept nogil:
    """Page `i`, there is room for it, for writing; NULL if there is no memory."""
    cdef lp_page *page = clock.pages[i]
    cdef lp_page *own
    LP_ASSERT(i < clock.size // PAGE)
    if page != NULL and lp_load(&page.refs) == 1:
        return page
    own = <lp_page *>malloc(sizeof(lp_page))
    if own == NULL:
        return NULL
    if page == NULL:
        memset(own.at, 0, sizeof(own.at))
    else:
        memcpy(own.at, page.at, sizeof(own.at))
        page_drop(page)
    own.refs = 1
    clock.pages[i] = own
    return own


cdef int clock_raise(lp_clock *clock, uint32_t slot, uint64_t number) noexcept nogil:
    """Raise the number of one slot; 0, or ERROR_HOST_MEMORY with the clock unchanged."""
    cdef lp_page *page
    if clock_get(clock, slot) >= number:
        return 0
    if clock_reserve(clock, slot + 1):
        return ERROR_HOST_MEMORY
    page = clock_own(clock, slot // PAGE)
    if page == NULL:
        return ERROR_HOST_MEMORY
    LP_ASSERT(page.at[slot % PAGE] < number)
    LP_ASSERT(lp_load(&page.refs) == 1)
    page.at[slot % PAGE] = number
    return 0


cdef int clock_copy(lp_clock *to, const lp_clock *source) noexcept nogil:
    """Make the empty clock `to` a copy of `source`."""
    cdef uint32_t i
    LP_ASSERT(to != source)
    to.pages, to.size = NULL, 0
    if clock_reserve(to, source.size):
        return ERROR_HOST_MEMORY
    for i in range(source.size // PAGE):
        to.pages[i] = source.pages[i]
        if to.pages[i] != NULL:
            lp_add(&to.pages[i].refs, 1)
    return 0


cdef int clock_join(lp_clock *into, const lp_clock *other) noexcept nogil:
    """Raise `into`, which has room, to at least `other`; ERROR_HOST_MEMORY: to less than that."""
    cdef uint32_t i, slot, ahead, behind, size = other.size if other.size < into.size else into.size
    cdef lp_page *theirs
    cdef lp_page *mine
    cdef int code = 0
    for i in range(size // PAGE):
        theirs, mine = other.pages[i], into.pages[i]
        if theirs == mine or theirs == NULL:
            continue
        ahead = behind = 0
        if mine != NULL:
            for slot in range(PAGE):
                ahead |= mine.at[slot] > theirs.at[slot]
                behind |= mine.at[slot] < theirs.at[slot]
            if not behind:
                continue
        if not ahead:
            lp_add(&theirs.refs, 1)
            page_drop(mine)
            into.pages[i] = theirs
            continue
        mine = clock_own(into, i)
        if mine == NULL:
            code = ERROR_HOST_MEMORY
            continue
        for slot in range(PAGE):
            mine.at[slot] = theirs.at[slot] if theirs.at[slot] > mine.at[slot] else mine.at[slot]
    LP_ASSERT((code != 0) | clock_covers(into, other))
    return code


cdef inline bint clock_covers(const lp_clock *clock, const lp_clock *other) noexcept nogil:
    """Is the clock behind the other one nowhere, as far as it has room?"""
    cdef uint32_t slot
    for slot in range(min(clock.size, other.size)):
        if clock_get(clock, slot) < clock_get(other, slot):
            return False
    return True


cdef void clock_learn(const lp_clock *clock) noexcept nogil:
    """Everything in `clock` is known to be complete."""
    cdef const lp_page *page
    cdef uint32_t i, slot
    for i in range(clock.size // PAGE):
        page = clock.pages[i]
        if page == NULL:
            continue
        for slot in range(PAGE):
            if page.at[slot] > lp_load(&lp_runtime.completed[i * PAGE + slot]):
                lp_raise(&lp_runtime.completed[i * PAGE + slot], page.at[slot])


cdef inline bint is_complete(uint32_t slot, uint64_t number) noexcept nogil:
    return lp_load(&lp_runtime.completed[slot]) >= number
