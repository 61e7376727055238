// OpenMP's functions for a single thread: its pragmas are ignored. With -fopenmp, and where host code is only parsed, as
// declarations: then the functions are the OpenMP library's, as the pragmas' are.
#pragma once
#if defined(__LP_NATIVE__) && !defined(_OPENMP)
#define __LP_OMP_ALONE__
#endif
#ifdef __LP_OMP_ALONE__
#include <sched.h>
#include <time.h>
#include <unistd.h>
#endif

typedef struct { void *at; } omp_lock_t;
typedef struct { void *at; } omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;
#ifdef _OPENMP
typedef enum omp_proc_bind_t {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_primary = 2,
  omp_proc_bind_master = 2,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;
#endif
#ifdef __LP_OMP_ALONE__
static inline double __lp_omp_time() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
static inline bool __lp_omp_take(omp_lock_t *lock) { return !__atomic_exchange_n(&lock->at, lock, __ATOMIC_ACQUIRE); }
static inline void __lp_omp_wait(omp_lock_t *lock) {
  while (!__lp_omp_take(lock)) sched_yield();
}
static inline void __lp_omp_free(omp_lock_t *lock) { __atomic_store_n(&lock->at, nullptr, __ATOMIC_RELEASE); }
#define __LP_OMP(type, name, parameters, value) \
  inline type name parameters { return value; }
#else
#define __LP_OMP(type, name, parameters, value) type name parameters;
#endif
extern "C" {
__LP_OMP(double, omp_get_wtime, (void), __lp_omp_time())
__LP_OMP(double, omp_get_wtick, (void), 1e-9)
__LP_OMP(int, omp_get_num_threads, (void), 1)
__LP_OMP(int, omp_get_max_threads, (void), 1)
__LP_OMP(int, omp_get_thread_num, (void), 0)
__LP_OMP(int, omp_get_num_procs, (void), (int)sysconf(_SC_NPROCESSORS_ONLN))
__LP_OMP(int, omp_get_thread_limit, (void), 1)
__LP_OMP(int, omp_in_parallel, (void), 0)
__LP_OMP(int, omp_get_num_devices, (void), 0)
__LP_OMP(int, omp_get_default_device, (void), 0)
__LP_OMP(int, omp_get_initial_device, (void), 0)
__LP_OMP(int, omp_is_initial_device, (void), 1)
__LP_OMP(int, omp_get_level, (void), 0)
__LP_OMP(int, omp_get_nested, (void), 0)
__LP_OMP(int, omp_get_dynamic, (void), 0)
__LP_OMP(void, omp_set_num_threads, (int), )
__LP_OMP(void, omp_set_dynamic, (int), )
__LP_OMP(void, omp_set_nested, (int), )
__LP_OMP(void, omp_set_max_active_levels, (int), )
__LP_OMP(void, omp_set_schedule, (omp_sched_t, int), )
__LP_OMP(void, omp_set_default_device, (int), )
__LP_OMP(void, omp_init_lock, (omp_lock_t *lock), __lp_omp_free(lock))
__LP_OMP(void, omp_destroy_lock, (omp_lock_t *lock), __lp_omp_free(lock))
__LP_OMP(void, omp_set_lock, (omp_lock_t *lock), __lp_omp_wait(lock))
__LP_OMP(void, omp_unset_lock, (omp_lock_t *lock), __lp_omp_free(lock))
__LP_OMP(int, omp_test_lock, (omp_lock_t *lock), __lp_omp_take(lock))
#ifdef _OPENMP
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);
void omp_get_schedule(omp_sched_t *, int *);
int omp_get_max_active_levels(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int);
int omp_get_team_size(int);
int omp_in_final(void);
int omp_get_cancellation(void);
omp_proc_bind_t omp_get_proc_bind(void);
#endif
}
#undef __LP_OMP
#undef __LP_OMP_ALONE__
