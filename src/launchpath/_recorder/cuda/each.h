/* Gives ENTRY(name) for each function of entries.h. Included several times. */
#define CALL_PROVEN(name, parameters, arguments, place, quantity, prove) ENTRY(name)
#define HOOK(name, parameters, arguments, before, after, place, quantity) ENTRY(name)
#define COPY(name, parameters, arguments, stream, own, direction, bytes, to, source) ENTRY(name)
#define BOX(name, parameters, arguments, stream, own, command, shape, prove) ENTRY(name)
#define FILL(name, parameters, arguments, stream, own, bytes, to) ENTRY(name)
#define LAUNCH(name, parameters, arguments, stream, own, function, grid, block, shared, flags, kernel_parameters, extra) ENTRY(name)
#define OTHER(name) ENTRY(name)
#include "entries.h"
#undef CALL_PROVEN
#undef HOOK
#undef COPY
#undef BOX
#undef FILL
#undef LAUNCH
#undef OTHER
#undef ENTRY
