# The OpenCL driver's table.

cdef driver_table opencl_table

cdef bint opencl_forked = False
opencl_table.forked = &opencl_forked
opencl_table.name = "opencl"
opencl_table.queue_create = opencl_queue_create
opencl_table.queue_release = opencl_queue_release
opencl_table.queue_flush = opencl_queue_flush
opencl_table.queue_finish = opencl_queue_finish
opencl_table.queue_handle = opencl_queue_handle
opencl_table.kinds = OPENCL_KINDS
opencl_table.submit = opencl_submit
opencl_table.timing_query = opencl_timing_query
opencl_table.timing_read = opencl_timing_read
opencl_table.timing_release = opencl_timing_release
opencl_table.clock_pair = opencl_clock_pair
opencl_table.event_query = opencl_event_query
opencl_table.event_wait = opencl_event_wait
opencl_table.event_time = opencl_event_time
opencl_table.event_release = opencl_event_release
opencl_table.event_callback = opencl_event_callback
opencl_table.user_event = opencl_user_event
opencl_table.user_event_set = opencl_user_event_set
opencl_table.allocate = opencl_allocate
opencl_table.free = opencl_free
opencl_table.memory_info = opencl_memory_info
opencl_table.command_failed = opencl_command_failed
opencl_table.error_name = opencl_error_name
opencl_table.advice = opencl_advice
opencl_table.program_build = opencl_program_build
opencl_table.program_load = opencl_program_load
opencl_table.program_kernels = opencl_program_kernels
opencl_table.program_binary = opencl_program_binary
opencl_table.program_release = opencl_program_release
opencl_table.kernel_find = opencl_kernel_find
opencl_table.kernel_release = opencl_kernel_release
opencl_table.kernel_get = opencl_kernel_get
