# Assertions: impossible states that a build with LAUNCHPATH_BUILD_ASSERTS=1 looks for, and aborts at. See assertion.h
# for what a condition may be made of.

cdef extern from "base/assertion.h" nogil:
    bint LP_ASSERTS_ON
    void LP_ASSERT(bint condition) noexcept

cdef extern from "base/lock.h" nogil:
    # Only in such a build are these more than true.
    bint lp_lock_held(const lp_lock *lock) noexcept        # by this thread
    bint lp_no_lock_held() noexcept                        # by this thread, the drivers' own included
    void lp_lock_rank(lp_lock *lock, int rank) noexcept    # see ordering/queue.pxi: taken before all that have a higher one

cdef enum:
    RANK_LAYERS = 1
    RANK_QUEUE = 2
    RANK_RECORDING = 3
    RANK_REGISTRY = 4


def asserts_on():
    """Whether this build looks for impossible states."""
    return bool(LP_ASSERTS_ON)


def break_contract(QueueBase stream not None):
    """Call what needs the queue's lock without it, in a build that looks for impossible states. For tests."""
    if not LP_ASSERTS_ON:
        raise errors.LaunchpathError("expected a build with LAUNCHPATH_BUILD_ASSERTS=1, got one without")
    queue_moved(stream.queue)
