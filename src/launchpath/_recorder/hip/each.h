/* Gives ENTRY(name, kind) for each function of entries.h: kind is HIP_CALL, HIP_COMMAND or HIP_GRAPH. Included several times. */
#define CALL(name, fields, place, quantity) ENTRY(name, HIP_CALL)
#define HOOK(name, fields, before, after, place, quantity) ENTRY(name, HIP_CALL)
#define COMMAND(name, fields, stream, own, describe) ENTRY(name, HIP_COMMAND)
#define GRAPH(name, fields, stream, own) ENTRY(name, HIP_GRAPH)
#include "entries.h"
#undef CALL
#undef HOOK
#undef COMMAND
#undef GRAPH
#undef ENTRY
