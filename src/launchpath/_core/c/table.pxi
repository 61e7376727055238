# The table of functions that C code gets: launchpath.h.

cdef launchpath_api c_table
memset(&c_table, 0, sizeof(c_table))
c_table.version, c_table.size = LAUNCHPATH_API_VERSION, sizeof(launchpath_api)
c_table.launch_symbol, c_table.launch_symbol_packed = c_launch_symbol, c_launch_symbol_packed
c_table.launch, c_table.launch_packed = c_launch_kernel, c_launch_kernel_packed
c_table.find, c_table.parameter = c_find, c_parameter
c_table.push, c_table.pop = c_push, c_pop
c_table.stream_create, c_table.stream_destroy = c_stream_create, c_stream_destroy
c_table.stream_query, c_table.stream_synchronize, c_table.stream_wait = c_stream_query, c_stream_synchronize, c_stream_wait
c_table.event_create, c_table.event_destroy = c_event_create, c_event_destroy
c_table.event_record, c_table.event_query, c_table.event_synchronize = c_event_record, c_event_query, c_event_synchronize
c_table.event_elapsed = c_event_elapsed
c_table.error_text = c_error_text

c_api = PyCapsule_New(&c_table, LAUNCHPATH_API_NAME, NULL)     # what `launchpath_import` of launchpath.h gets

C_FUNCTIONS = {
    "launch_symbol": <uintptr_t>c_table.launch_symbol, "launch_symbol_packed": <uintptr_t>c_table.launch_symbol_packed,
    "launch": <uintptr_t>c_table.launch, "launch_packed": <uintptr_t>c_table.launch_packed,
    "find": <uintptr_t>c_table.find, "parameter": <uintptr_t>c_table.parameter,
    "push": <uintptr_t>c_table.push, "pop": <uintptr_t>c_table.pop,
    "stream_create": <uintptr_t>c_table.stream_create, "stream_destroy": <uintptr_t>c_table.stream_destroy,
    "stream_query": <uintptr_t>c_table.stream_query, "stream_synchronize": <uintptr_t>c_table.stream_synchronize,
    "stream_wait": <uintptr_t>c_table.stream_wait,
    "event_create": <uintptr_t>c_table.event_create, "event_destroy": <uintptr_t>c_table.event_destroy,
    "event_record": <uintptr_t>c_table.event_record, "event_query": <uintptr_t>c_table.event_query,
    "event_synchronize": <uintptr_t>c_table.event_synchronize, "event_elapsed": <uintptr_t>c_table.event_elapsed,
    "error_text": <uintptr_t>c_table.error_text,
}
C_TABLE = <uintptr_t>&c_table
C_VERSION = LAUNCHPATH_API_VERSION
