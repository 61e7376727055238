# Extents: contiguous parts of segments, which are what the driver gave. In use, or in the bins of what can be used
# again.
#
# Requests are rounded up to few sizes. Small ones share segments (slabs), large ones have a segment of their own size.
# An extent that is larger than a request is split, and joined with its neighbours when it is given back. Bins hold
# extents by size: the first bin that is not empty, from that of the request on, has one that is large enough, so
# looking takes the same time however many there are ("two-level segregated fit").

cdef extern from "base/bits.h" nogil:
    int lp_highest_bit(uint64_t bits)
    int lp_lowest_bit(uint64_t bits)


cdef inline uint32_t power_below(size_t size) noexcept nogil:
    """The exponent of the largest power of two that is not above a size."""
    return <uint32_t>lp_highest_bit(size)


cdef size_t pool_size(size_t size) noexcept nogil:
    """The size that is taken for a request of `size` bytes: few enough sizes that memory finds another use."""
    cdef size_t grain = MEMORY_GRAIN
    if size > <size_t>1 << 62:
        return size                # no device has it, and rounding it up would overflow
    if size > MEMORY_SMALL:
        grain = <size_t>1 << (power_below(size) - 4)
    elif size > 4096:
        grain = <size_t>1 << (power_below(size - 1) - 2)
    return (size + grain - 1) // grain * grain if size else grain


cdef inline uint32_t arena_of(memory_kind kind, size_t size) noexcept nogil:
    return 2 * <uint32_t>kind + (size > MEMORY_SMALL)


cdef inline memory_kind arena_kind(uint32_t arena) noexcept nogil:
    return <memory_kind>(arena // 2)


cdef inline uint32_t bin_of(size_t size, uint32_t arena) noexcept nogil:
    """The bin of an extent. A request, whose size is a rounded one, fits every extent of its bin and of those above."""
    cdef uint32_t power = power_below(size), i
    if arena & 1:                  # large: 16 for each power of two from MEMORY_SMALL on
        i = (power - 20) * 16 + <uint32_t>((size >> (power - 4)) & 15)
    elif size <= 4096:
        i = <uint32_t>(size // MEMORY_GRAIN) - 1
    else:                          # 4 for each power of two
        i = 16 + (power - 12) * 4 + <uint32_t>((size >> (power - 2)) & 3)
    return min(i, <uint32_t>BINS - 1)


cdef inline uint32_t bins_find(const lp_bins *bins, uint32_t bin_) noexcept nogil:
    """The first bin from `bin_` on that is not empty, or BINS."""
    cdef uint32_t word = bin_ // 64
    cdef uint64_t bits
    if bins == NULL:
        return BINS
    bits = bins.map[word] & (<uint64_t>-1 << (bin_ % 64))
    while bits == 0:
        word += 1
        if word == BIN_WORDS:
            return BINS
        bits = bins.map[word]
    return 64 * word + <uint32_t>lp_lowest_bit(bits)


cdef inline void bins_put(lp_bins *bins, lp_extent *extent) noexcept nogil:
    cdef uint32_t bin_ = bin_of(extent.size, extent.segment.arena)
    extent.previous, extent.next = NULL, bins.first[bin_]
    if extent.next != NULL:
        extent.next.previous = extent
    bins.first[bin_] = extent
    bins.map[bin_ // 64] |= <uint64_t>1 << (bin_ % 64)


cdef inline void bins_take(lp_bins *bins, lp_extent *extent) noexcept nogil:
    cdef uint32_t bin_ = bin_of(extent.size, extent.segment.arena)
    if extent.next != NULL:
        extent.next.previous = extent.previous
    if extent.previous != NULL:
        extent.previous.next = extent.next
        return
    LP_ASSERT(bins.first[bin_] == extent)
    bins.first[bin_] = extent.next
    if extent.next == NULL:
        bins.map[bin_ // 64] &= ~(<uint64_t>1 << (bin_ % 64))


cdef inline bint may_split(const lp_extent *extent, size_t size) noexcept nogil:
    """Whether what is left of an extent is worth keeping apart: large segments are not left to small rests."""
    return extent.size - size >= (MEMORY_SMALL if extent.segment.arena & 1 else MEMORY_GRAIN)
