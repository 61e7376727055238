// libc++'s operator new at a given place, which kernels already have.
#ifdef __LP_HOST__
#include_next <__new/placement_new_delete.h>
#else
#include <launchpath/c_library/memory.h>
#endif
