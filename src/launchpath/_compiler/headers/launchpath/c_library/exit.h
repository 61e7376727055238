// The C library's functions that end a program: here they end the thread.
#pragma once
#include <launchpath/c_library/assert.h>
#include <launchpath/keywords.h>

// Templates, so that a program's own functions of these names are the better match.
__LP_LAZY void abort() { __trap(); }
__LP_LAZY void exit(int) { __trap(); }
