/* Gives ENTRY(name) for each function of entries.h. Included several times. */
#define COMMAND(name, parameters, arguments, n_waits, describe) ENTRY(name)
#define CALL(name, parameters, arguments, where, quantity) ENTRY(name)
#define MAKE(name, parameters, arguments, after, where, quantity) ENTRY(name)
#define FREE(name, parameters, arguments, where) ENTRY(name)
#include "entries.h"
#undef COMMAND
#undef CALL
#undef MAKE
#undef FREE
#undef ENTRY
