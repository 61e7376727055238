# The state of a pool: segments from the driver, the extents that they are cut into, and who may use those again.
#
# A heap is under one lock, which no thread holds while it calls the driver, takes another lock or touches anything of
# Python's. So an array may be dropped anywhere: in a finalizer, on any thread.

cdef enum:
    USERS_INSIDE = 3           # that are noted without memory of their own

cdef uint32_t USERS_UNKNOWN = <uint32_t>-1     # there was no host memory to note them: they end when the device is idle

cdef struct lp_user:
    const lp_domain *domain
    uint64_t identity          # of the queue, which no other queue ever has
    uint64_t number            # of its last command that may use the memory
    uint32_t slot
    queue_kind kind

cdef struct lp_users:
    uint32_t n                 # or USERS_UNKNOWN
    uint32_t room              # in `outside`
    lp_user inside[USERS_INSIDE]
    lp_user *outside           # all of them, if there are more than fit inside; or NULL

cdef enum:
    MEMORY_GRAIN = 256             # bytes; every address is a multiple of it as far as the driver's are
    MEMORY_SMALL = 1 << 20         # bytes of the largest request that shares a segment
    BINS = 448
    BIN_WORDS = BINS // 64
    ARENAS = 6                     # small and large, of each memory_kind

cdef enum extent_state:
    EXTENT_USED = 0
    EXTENT_FREE = 1                # nothing uses it: in the bins of the pool
    EXTENT_ORDERED = 2             # for one queue it is as good as free: in the bins of that queue
    EXTENT_WAITING = 3             # for the end of several queues' work

cdef struct lp_segment:
    lp_segment *next
    lp_segment *previous
    lp_extent *first
    char *address
    size_t size
    uint32_t arena

cdef struct lp_bins:
    uint64_t map[BIN_WORDS]        # a bit for each bin that is not empty
    lp_extent *first[BINS]

cdef struct lp_line:               # extents that can be used again at once in one queue's order, or by all
    uint64_t identity              # of the queue; 0: by all
    lp_bins *bins[ARENAS]          # or NULL: empty
    lp_extent *oldest              # by the time at which they were given back
    lp_extent *newest
    lp_line *next                  # in its bucket of the heap, or among the heap's spare ones

cdef struct lp_extent:
    char *address
    size_t size
    size_t asked                   # bytes of the request that it is in use for
    lp_segment *segment
    lp_extent *before              # neighbours in the segment
    lp_extent *after
    lp_extent *next                # in a bin, or among the heap's spare structs
    lp_extent *previous
    lp_extent *older               # in a line, or among the waiting ones
    lp_extent *newer
    lp_line *line                  # of a free or an ordered one
    uint64_t tick                  # of its allocation: see users.pxi
    uint64_t home                  # identity of the queue in whose order it was allocated, or 0
    uint64_t ordered               # identity of the queue that was ordered after `users` last, or 0
    lp_users users                 # that may still use it; while it is in use: those of before
    extent_state state
    bint exposed                   # its address was handed out
    bint private                   # to the core: what is in it changes from copy to copy, or launch to launch
    bint ended                     # its owner has given it back, but something else holds it
    uint32_t holds                 # of those: see `heap_hold`

cdef uint32_t HEAP_BUCKETS = 64
cdef uint32_t HEAP_LOOKS = 64      # waiting extents that are looked at before a look ends, unless it is at all of them

cdef struct lp_departed:           # a program or a texture that was dropped, to be released once nothing uses it
    lp_departed *next
    void *program
    void *texture                  # if it is one
    uint64_t tick                  # at which it was dropped
    lp_users users

cdef struct lp_heap_counts:
    uint64_t allocations           # that succeeded
    uint64_t reused                # of them, in the order of a queue: memory that its own commands still used
    uint64_t orders                # waits that other streams made for such memory
    uint64_t waits                 # of the host, for such memory
    uint64_t drains                # waits for the whole device, for want of memory
    uint64_t driver_allocations
    uint64_t driver_frees

cdef struct lp_heap:
    lp_lock lock                   # a leaf
    bint forked                    # the process was forked from the heap's
    bint whole                     # segments are not split: a request takes one of its own size
    lp_segment *segments
    lp_line free_line              # what nothing uses
    lp_line *lines[64]             # what one queue can use, by the queue's identity
    lp_line *spare_lines
    lp_extent *spare
    lp_extent *oldest              # waiting for several queues
    lp_extent *newest
    lp_departed *departed          # programs and textures
    uint64_t n_departed
    size_t in_use, staging, waiting_bytes, free_bytes
    uint64_t live                  # extents in use
    uint64_t gains                 # how often memory became free, or went back to the driver
    lp_heap_counts counts
