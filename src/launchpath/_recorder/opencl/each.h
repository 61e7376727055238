/* Gives ENTRY(name) for each function of entries.h. Included several times. */
#define COMMAND(name, parameters, arguments, n_waits, describe, prove) ENTRY(name)
#define CALL_PROVEN(name, parameters, arguments, where, quantity, prove) ENTRY(name)
#define MAKE_PROVEN(name, parameters, arguments, after, where, quantity, prove) ENTRY(name)
#define FREE(name, parameters, arguments, where) ENTRY(name)
#include "entries.h"
#undef COMMAND
#undef CALL_PROVEN
#undef MAKE_PROVEN
#undef FREE
#undef ENTRY
