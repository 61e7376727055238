# Threads: what the core knows of the thread that it runs on, and what is called when a thread ends.

cdef extern from "base/thread.h" nogil:
    ctypedef struct lp_here_state:
        const char *failed_call
        int in_driver
        void *entered
        void *job
        uint64_t number
        void *step
        void *records
        uint64_t external
        int hip_code
        uint64_t unheld
    lp_here_state lp_here

cdef extern from "base/thread_end.h" nogil:
    ctypedef struct lp_thread_end:
        pass
    void lp_thread_end_by(lp_thread_end *end, void (*function)(void *) noexcept nogil)
    void lp_thread_end_with(lp_thread_end *end, void *data)
