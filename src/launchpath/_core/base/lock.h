/* A mutex, a condition, sleep, and 64-bit atomics: the primitives that Cython lacks. */
#ifndef LAUNCHPATH_LOCK_H
#define LAUNCHPATH_LOCK_H

#include <stdint.h>
#include "assertion.h"

#ifdef _WIN32
#include <windows.h>
typedef SRWLOCK lp_lock;
static inline void lp_lock_init(lp_lock *lock) { InitializeSRWLock(lock); }
static inline void lp_lock_destroy(lp_lock *lock) { (void)lock; }
static inline void lp_lock_acquire(lp_lock *lock) { AcquireSRWLockExclusive(lock); }
static inline int lp_lock_try(lp_lock *lock) { return TryAcquireSRWLockExclusive(lock) != 0; }
static inline void lp_lock_release(lp_lock *lock) { ReleaseSRWLockExclusive(lock); }
typedef CONDITION_VARIABLE lp_condition;
static inline void lp_condition_init(lp_condition *condition) { InitializeConditionVariable(condition); }
static inline void lp_condition_signal(lp_condition *condition) { WakeConditionVariable(condition); }
static inline void lp_condition_broadcast(lp_condition *condition) { WakeAllConditionVariable(condition); }
static inline void lp_condition_wait(lp_condition *condition, lp_lock *lock) {
    SleepConditionVariableSRW(condition, lock, INFINITE, 0);
}
static inline void lp_condition_wait_for(lp_condition *condition, lp_lock *lock, uint64_t microseconds) {
    SleepConditionVariableSRW(condition, lock, (DWORD)((microseconds + 999) / 1000), 0);
}
static inline void lp_pause(void) { YieldProcessor(); }
typedef struct {
    void (*function)(void *);
    void *data;
} lp_thread_start;
static DWORD WINAPI lp_thread_main(LPVOID data) {
    lp_thread_start start = *(lp_thread_start *)data;
    HeapFree(GetProcessHeap(), 0, data);
    start.function(start.data);
    return 0;
}
static inline int lp_thread(void (*function)(void *), void *data) {
    lp_thread_start *start = (lp_thread_start *)HeapAlloc(GetProcessHeap(), 0, sizeof(lp_thread_start));
    HANDLE thread;
    if (start == 0) return 0;
    start->function = function, start->data = data;
    thread = CreateThread(0, 0, lp_thread_main, start, 0, 0);
    if (thread == 0) HeapFree(GetProcessHeap(), 0, start);
    else CloseHandle(thread);
    return thread != 0;
}
static inline void lp_sleep(uint64_t microseconds) { Sleep((DWORD)((microseconds + 999) / 1000)); }
static inline uint64_t lp_nanoseconds(void) {
    LARGE_INTEGER ticks, frequency;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return (uint64_t)((double)ticks.QuadPart * 1e9 / (double)frequency.QuadPart);
}
#else
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#ifdef __linux__
/* Three states: free, taken, taken with sleepers. Taking and releasing a lock that nobody else wants is one instruction
   each, in line and in the caller's own cache line: a launch does it right after the driver has emptied the caches. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
typedef struct {
    uint32_t state;
#ifdef LP_ASSERTS
    int rank;          /* 0: none */
    const void *owner; /* stands for a thread, or NULL */
#endif
} lp_lock;
#ifdef LP_ASSERTS
#define LP_LOCKS_KNOWN
static __thread uint32_t lp_locks, lp_ranks; /* how many this thread holds, and a bit for each rank */
static inline int lp_lock_held(const lp_lock *lock) { return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == &lp_locks; }
static inline int lp_no_lock_held(void) { return lp_locks == 0; }
static inline void lp_lock_rank(lp_lock *lock, int rank) { lock->rank = rank; }
static inline void lp_lock_taken(lp_lock *lock) {
    LP_ASSERT(lock->owner == 0);
    LP_ASSERT(lock->rank == 0 || lp_ranks >> lock->rank == 0); /* no two of a rank, and none after a higher one */
    lp_locks += 1, lp_ranks |= lock->rank ? 1u << lock->rank : 0;
    __atomic_store_n(&lock->owner, &lp_locks, __ATOMIC_RELAXED);
}
static inline void lp_lock_released(lp_lock *lock) {
    LP_ASSERT(lp_lock_held(lock));
    __atomic_store_n(&lock->owner, (const void *)0, __ATOMIC_RELAXED);
    lp_locks -= 1, lp_ranks &= lock->rank ? ~(1u << lock->rank) : ~0u;
}
static inline void lp_lock_init_owner(lp_lock *lock) { lock->rank = 0, lock->owner = 0; }
#else
#define lp_lock_taken(lock) ((void)0)
#define lp_lock_released(lock) ((void)0)
#define lp_lock_init_owner(lock) ((void)0)
#endif
typedef struct {
    uint32_t sequence;
} lp_condition;
static inline void lp_futex_wait(uint32_t *at, uint32_t value) {
    syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}
static inline void lp_futex_wake(uint32_t *at, int threads) { syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, threads, 0, 0, 0); }
static inline void lp_lock_init(lp_lock *lock) {
    lp_lock_init_owner(lock);
    __atomic_store_n(&lock->state, 0, __ATOMIC_RELEASE);
}
static inline void lp_lock_destroy(lp_lock *lock) { (void)lock; }
static inline int lp_lock_take(lp_lock *lock) {
    uint32_t seen = 0;
    return __atomic_compare_exchange_n(&lock->state, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
static inline int lp_lock_try(lp_lock *lock) {
    if (!lp_lock_take(lock)) return 0;
    lp_lock_taken(lock);
    return 1;
}
__attribute__((noinline, cold)) static void lp_lock_sleep(lp_lock *lock) {
    int spins;
    for (spins = 0; spins < 100; spins++) {
        if (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) == 0 && lp_lock_take(lock)) return;
    }
    while (__atomic_exchange_n(&lock->state, 2, __ATOMIC_ACQUIRE) != 0) lp_futex_wait(&lock->state, 2);
}
static inline void lp_lock_acquire(lp_lock *lock) {
    LP_ASSERT(!lp_lock_held(lock));
    if (!lp_lock_take(lock)) lp_lock_sleep(lock);
    lp_lock_taken(lock);
}
static inline void lp_lock_release(lp_lock *lock) {
    lp_lock_released(lock);
    if (__atomic_exchange_n(&lock->state, 0, __ATOMIC_RELEASE) == 2) lp_futex_wake(&lock->state, 1);
}
static inline void lp_condition_init(lp_condition *condition) { __atomic_store_n(&condition->sequence, 0, __ATOMIC_RELEASE); }
static inline void lp_condition_signal(lp_condition *condition) {
    __atomic_add_fetch(&condition->sequence, 1, __ATOMIC_RELEASE);
    lp_futex_wake(&condition->sequence, 1);
}
static inline void lp_condition_broadcast(lp_condition *condition) {
    __atomic_add_fetch(&condition->sequence, 1, __ATOMIC_RELEASE);
    lp_futex_wake(&condition->sequence, INT_MAX);
}
static inline void lp_condition_wait(lp_condition *condition, lp_lock *lock) {
    uint32_t sequence = __atomic_load_n(&condition->sequence, __ATOMIC_ACQUIRE);
    lp_lock_release(lock);
    lp_futex_wait(&condition->sequence, sequence);
    lp_lock_acquire(lock);
}
/* It may come back early: at a signal that this thread handles, too. */
static inline void lp_condition_wait_for(lp_condition *condition, lp_lock *lock, uint64_t microseconds) {
    uint32_t sequence = __atomic_load_n(&condition->sequence, __ATOMIC_ACQUIRE);
    struct timespec duration = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    lp_lock_release(lock);
    syscall(SYS_futex, &condition->sequence, FUTEX_WAIT_PRIVATE, sequence, &duration, 0, 0);
    lp_lock_acquire(lock);
}
#else
typedef pthread_mutex_t lp_lock;
static inline void lp_lock_init(lp_lock *lock) { pthread_mutex_init(lock, 0); }
static inline void lp_lock_destroy(lp_lock *lock) { pthread_mutex_destroy(lock); }
static inline void lp_lock_acquire(lp_lock *lock) { pthread_mutex_lock(lock); }
static inline int lp_lock_try(lp_lock *lock) { return pthread_mutex_trylock(lock) == 0; }
static inline void lp_lock_release(lp_lock *lock) { pthread_mutex_unlock(lock); }
typedef pthread_cond_t lp_condition;
static inline void lp_condition_init(lp_condition *condition) { pthread_cond_init(condition, 0); }
static inline void lp_condition_signal(lp_condition *condition) { pthread_cond_signal(condition); }
static inline void lp_condition_broadcast(lp_condition *condition) { pthread_cond_broadcast(condition); }
static inline void lp_condition_wait(lp_condition *condition, lp_lock *lock) { pthread_cond_wait(condition, lock); }
static inline void lp_condition_wait_for(lp_condition *condition, lp_lock *lock, uint64_t microseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(microseconds % 1000000) * 1000;
    until.tv_sec += (time_t)(microseconds / 1000000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(condition, lock, &until);
}
#endif
#if defined(__x86_64__) || defined(__i386__)
static inline void lp_pause(void) { __builtin_ia32_pause(); }
#else
static inline void lp_pause(void) {}
#endif
typedef struct {
    void (*function)(void *);
    void *data;
} lp_thread_start;
static void *lp_thread_main(void *data) {
    lp_thread_start start = *(lp_thread_start *)data;
    free(data);
    start.function(start.data);
    return 0;
}
/* Start a thread of C's, which handles no signals: those are for Python's own threads. 0 if none can be started. */
static inline int lp_thread(void (*function)(void *), void *data) {
    lp_thread_start *start = (lp_thread_start *)malloc(sizeof(lp_thread_start));
    pthread_t thread;
    sigset_t all, before;
    int code;
    if (start == 0) return 0;
    start->function = function, start->data = data;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV), sigdelset(&all, SIGBUS), sigdelset(&all, SIGFPE), sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&thread, 0, lp_thread_main, start);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (code == 0) pthread_detach(thread);
    else free(start);
    return code == 0;
}
static inline void lp_sleep(uint64_t microseconds) {
    struct timespec duration = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    nanosleep(&duration, 0);
}
static inline uint64_t lp_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

#ifndef LP_LOCKS_KNOWN
#define lp_lock_held(lock) 1
#define lp_no_lock_held() 1
#define lp_lock_rank(lock, rank) ((void)0)
#endif

/* Memory that this thread will write to soon, and that another processor has written to: let it come meanwhile. */
#if defined(__GNUC__)
static inline void lp_expect(const void *at, size_t size) {
    for (size_t done = 0; done < size; done += 64) __builtin_prefetch((const char *)at + done, 1);
}
#else
static inline void lp_expect(const void *at, size_t size) { (void)at, (void)size; }
#endif

#ifdef _MSC_VER
#define LP_THREAD_LOCAL __declspec(thread)
#define LP_NOINLINE __declspec(noinline)
#define LP_LIKELY(condition) (condition)
#define LP_UNLIKELY(condition) (condition)
static inline uint64_t lp_load(const uint64_t *at) { return *(volatile const uint64_t *)at; }
static inline void lp_store(uint64_t *at, uint64_t value) { InterlockedExchange64((volatile LONG64 *)at, (LONG64)value); }
static inline uint64_t lp_add(uint64_t *at, int64_t value) { return (uint64_t)InterlockedExchangeAdd64((volatile LONG64 *)at, value) + value; }
static inline int lp_swap_if(uint64_t *at, uint64_t expected, uint64_t value) {
    return (uint64_t)InterlockedCompareExchange64((volatile LONG64 *)at, (LONG64)value, (LONG64)expected) == expected;
}
static inline uint32_t lp_load32(const uint32_t *at) { return *(volatile const uint32_t *)at; }
static inline void lp_store32(uint32_t *at, uint32_t value) { InterlockedExchange((volatile LONG *)at, (LONG)value); }
#else
/* Reached by an offset from the thread's pointer, without a call: the extension is always loaded as a shared library. */
#define LP_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
#define LP_NOINLINE __attribute__((noinline))
#define LP_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define LP_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
static inline uint64_t lp_load(const uint64_t *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
static inline void lp_store(uint64_t *at, uint64_t value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }
static inline uint64_t lp_add(uint64_t *at, int64_t value) { return __atomic_add_fetch(at, (uint64_t)value, __ATOMIC_SEQ_CST); }
static inline int lp_swap_if(uint64_t *at, uint64_t expected, uint64_t value) {
    return __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
static inline uint32_t lp_load32(const uint32_t *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
static inline void lp_store32(uint32_t *at, uint32_t value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }
#endif

/* Store, take a lock, and then this fence: the store is seen before what is loaded from then on. On x86 the instruction
   that takes a lock does that. */
#if defined(__x86_64__) || defined(_M_X64)
static inline void lp_fence_after_lock(void) {
#ifndef _MSC_VER
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}
#elif defined(_MSC_VER)
static inline void lp_fence_after_lock(void) { MemoryBarrier(); }
#else
static inline void lp_fence_after_lock(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

static inline void lp_store_before_lock(uint64_t *at, uint64_t value) {
    lp_store(at, value);
#ifndef _MSC_VER
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Raises *at to at least `value`; numbers only ever grow. */
static inline void lp_raise(uint64_t *at, uint64_t value) {
    uint64_t seen = lp_load(at);
    while (seen < value && !lp_swap_if(at, seen, value)) seen = lp_load(at);
}

#endif
