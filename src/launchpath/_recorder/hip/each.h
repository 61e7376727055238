/* Gives ENTRY(name, kind) for each function of entries.h: kind is HIP_CALL, HIP_COMMAND or HIP_GRAPH. Included several times. */
#define HOOK_PROVEN(name, fields, before, after, place, quantity, prove) ENTRY(name, HIP_CALL)
#define COMMAND_PROVEN(name, fields, stream, own, describe, prove) ENTRY(name, HIP_COMMAND)
#define GRAPH(name, fields, stream, own) ENTRY(name, HIP_GRAPH)
#include "entries.h"
#undef HOOK_PROVEN
#undef COMMAND_PROVEN
#undef GRAPH
#undef ENTRY
