/* The memory of rings: part of the trace's file while there is a trace, and nothing that lasts otherwise. It stays at its
   address for ever, so a thread that still writes a record when the trace ends writes it to nowhere. */
#ifndef LAUNCHPATH_TRACE_MEMORY_H
#define LAUNCHPATH_TRACE_MEMORY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#ifndef _WIN32
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Room in the address space, of zeros. NULL: none. */
static inline void *lp_region(size_t size) {
    void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? 0 : at;
}
/* Make a region a part of a file, all of it present; 0, or errno. The file's blocks are reserved first: a full disk is an
   error here, and not a SIGBUS later. */
static inline int lp_region_map(void *region, size_t size, int file, uint64_t offset) {
    int flags = MAP_SHARED | MAP_FIXED, code = posix_fallocate(file, (off_t)offset, (off_t)size);
#ifdef MAP_POPULATE
    flags |= MAP_POPULATE;
#endif
    if (code) return code;
    if (mmap(region, size, PROT_READ | PROT_WRITE, flags, file, (off_t)offset) == MAP_FAILED) return errno;
#ifdef MADV_DONTFORK
    madvise(region, size, MADV_DONTFORK); /* a forked child must not write into its parent's trace */
#endif
    return 0;
}
/* Make it zeros again, in one step. */
static inline void lp_region_clear(void *region, size_t size) {
    mmap(region, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
/* Write up to three pieces at an offset; 0, or errno. */
static inline int lp_write_at(int file, uint64_t offset, const void *a, size_t a_size, const void *b, size_t b_size,
                              const void *c, size_t c_size) {
    struct iovec pieces[3] = {{(void *)a, a_size}, {(void *)b, b_size}, {(void *)c, c_size}};
    int i = 0;
    while (i < 3) {
        ssize_t done;
        if (pieces[i].iov_len == 0) {
            i++;
            continue;
        }
        done = pwritev(file, pieces + i, 3 - i, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) return EIO;
        offset += (uint64_t)done;
        while (i < 3 && (size_t)done >= pieces[i].iov_len) done -= (ssize_t)pieces[i++].iov_len;
        if (i < 3) pieces[i].iov_base = (char *)pieces[i].iov_base + done, pieces[i].iov_len -= (size_t)done;
    }
    return 0;
}
static inline uint32_t lp_system_thread(void) { return (uint32_t)syscall(SYS_gettid); }
/* The calling thread's name: up to 15 bytes, and zeros. */
static inline void lp_system_thread_name(uint64_t name[2]) {
    name[0] = name[1] = 0;
#ifdef __linux__
    prctl(PR_GET_NAME, name);
#endif
}
#else
static inline void *lp_region(size_t size) { (void)size; return 0; }
static inline int lp_region_map(void *region, size_t size, int file, uint64_t offset) { return -1; }
static inline void lp_region_clear(void *region, size_t size) {}
static inline int lp_write_at(int file, uint64_t offset, const void *a, size_t a_size, const void *b, size_t b_size,
                              const void *c, size_t c_size) { return -1; }
static inline uint32_t lp_system_thread(void) { return 0; }
static inline void lp_system_thread_name(uint64_t name[2]) { name[0] = name[1] = 0; }
#endif

#endif
