// The C library's header, with glibc's further types.
#include_next <sys/types.h>
#include <launchpath/c_library/glibc.h>
