# The table of functions that launchpath's part of a compiled program gets: launchpath_host.h.

cdef launchpath_host host_table
memset(&host_table, 0, sizeof(host_table))
host_table.version, host_table.size = LAUNCHPATH_HOST_VERSION, sizeof(launchpath_host)
host_table.register_binary, host_table.register_function = host_register_binary, host_register_function
host_table.register_variable, host_table.unregister_binary = host_register_variable, host_unregister_binary
host_table.push, host_table.pop, host_table.launch = host_push, host_pop, host_launch
host_table.call, host_table.has_failed = host_call, host_has_failed
host_table.allocate, host_table.free = host_allocate, host_free
host_table.copy, host_table.copy_and_wait = host_copy, host_copy_and_wait
host_table.fill, host_table.fill_default = host_fill, host_fill_default
host_table.event_record, host_table.event_query = host_event_record, host_event_query
host_table.event_synchronize, host_table.stream_wait_event = host_event_synchronize, host_stream_wait_event
host_table.stream_query, host_table.stream_synchronize = host_stream_query, host_stream_synchronize
host_table.device_synchronize = host_device_synchronize
host_table.get_device, host_table.set_device = host_get_device, host_set_device
lp_host_table_is(&host_table)
