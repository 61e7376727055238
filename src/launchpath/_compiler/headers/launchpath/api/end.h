// The end of a runtime's header: it undefines what types.h and functions.h were included with. There is no guard, as in
// types.h.

#undef __LP_API
#undef __LP_MAKE
#undef __LP_CALL
#undef __LP_API_STREAM
#undef __LP_API_EVENT
#undef __LP_API_PROPERTIES
#undef __LP_API_POINTER_ATTRIBUTES
#undef __LP_API_DEVICE_ATTRIBUTE
#undef __LP_API_LIMIT
#undef __LP_API_CACHE
#undef __LP_API_P2P
