# Counts of argument blocks: for each block, and for the dropped blocks of a kernel and of the process.

cdef struct block_counts:
    uint64_t uploads, skipped, bytes, slots, growths, waits, captured

cdef struct block_totals:          # of a kernel and its blocks, which keep it
    block_counts gone              # what those of its blocks did that are gone
    uint64_t refs


cdef void add_counts(block_counts *to, const block_counts *more) noexcept:
    to.uploads += more.uploads
    to.skipped += more.skipped
    to.bytes += more.bytes
    to.slots += more.slots
    to.growths += more.growths
    to.waits += more.waits
    to.captured += more.captured


cdef void drop_totals(block_totals *totals) noexcept:
    LP_ASSERT(totals.refs != 0)
    totals.refs -= 1
    if totals.refs == 0:
        free(totals)


cdef dict block_counts_of(block_counts *counts):
    return {"uploads": counts.uploads, "skipped": counts.skipped, "bytes": counts.bytes, "slots": counts.slots,
            "growths": counts.growths, "waits": counts.waits, "captured": counts.captured}
