// C's name of the type, which GCC's header has in C++ too.
#pragma once
#define _Bool bool
#define __bool_true_false_are_defined 1
