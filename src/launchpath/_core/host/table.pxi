# The table of functions that launchpath's part of a compiled program gets: launchpath_host.h.

cdef launchpath_host host_table
memset(&host_table, 0, sizeof(host_table))
host_table.version, host_table.size = LAUNCHPATH_HOST_VERSION, sizeof(launchpath_host)
host_table.register_binary, host_table.register_function = host_register_binary, host_register_function
host_table.register_variable, host_table.unregister_binary = host_register_variable, host_unregister_binary
host_table.push, host_table.pop, host_table.launch = host_push, host_pop, host_launch
host_table.call, host_table.has_failed = host_call, host_has_failed
lp_host_table_is(&host_table)
