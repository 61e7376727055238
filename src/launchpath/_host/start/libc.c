// What a C library's own start files and static part give each program: not all glibcs have all of them in libc.so.6.
// Those of libc.so.6 are linked first where it has them.
#include <stddef.h>

struct stat;
struct stat64;

// The name of this program, or shared library, to the C library.
__attribute__((visibility("hidden"))) void *__dso_handle = &__dso_handle;

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *), void *);
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);
extern void __cxa_finalize(void *);

// Where the file is closed before the process ends.
__attribute__((destructor)) static void finalize(void) { __cxa_finalize(&__dso_handle); }

int atexit(void (*function)(void)) { return __cxa_atexit((void (*)(void *))function, NULL, &__dso_handle); }

int at_quick_exit(void (*function)(void)) { return __cxa_at_quick_exit((void (*)(void *))function, &__dso_handle); }

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return __register_atfork(prepare, parent, child, &__dso_handle);
}
