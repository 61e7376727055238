// The end of a runtime's header: it undefines what the headers that both runtimes share were included with. There is no guard, as in
// types.h.

#undef __LP_API
#undef __LP_API_CUDA
#undef __LP_API_UNWRAP
#undef __LP_MAKE
#undef __LP_CALL
#undef __LP_CALL_TEXT
#undef __LP_CALL_INT
#undef __LP_INLINE
#undef __LP_API_STREAM
#undef __LP_API_EVENT
#undef __LP_API_PROPERTIES
#undef __LP_API_POINTER_ATTRIBUTES
#undef __LP_API_DEVICE_ATTRIBUTE
#undef __LP_API_LIMIT
#undef __LP_API_CACHE
#undef __LP_API_P2P
#undef __LP_API_ARRAYS
#undef __LP_API_LIST
