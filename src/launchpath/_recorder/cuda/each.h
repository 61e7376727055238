/* Gives ENTRY(name) for each function of entries.h. Included several times. */
#define CALL(name, parameters, arguments, place, quantity) ENTRY(name)
#define HOOK(name, parameters, arguments, before, after, place, quantity) ENTRY(name)
#define COPY(name, parameters, arguments, stream, own, direction, bytes, to, source) ENTRY(name)
#define BOX(name, parameters, arguments, stream, own, command, shape) ENTRY(name)
#define FILL(name, parameters, arguments, stream, own, bytes, to) ENTRY(name)
#define LAUNCH(name, parameters, arguments, stream, own, function, grid, block, shared, flags) ENTRY(name)
#define OTHER(name) ENTRY(name)
#include "entries.h"
#undef CALL
#undef HOOK
#undef COPY
#undef BOX
#undef FILL
#undef LAUNCH
#undef OTHER
#undef ENTRY
