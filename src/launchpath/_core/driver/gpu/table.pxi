# The tables of the CUDA and HIP drivers: the same functions, under two names.

cdef driver_table cuda_table
cdef driver_table hip_table
cdef bint cuda_forked = False, hip_forked = False

cuda_table.look_first = 100
cuda_table.query_suffices = True
cuda_table.queue_create = gpu_queue_create
cuda_table.queue_adopt = gpu_queue_adopt
cuda_table.queue_release = gpu_queue_release
cuda_table.queue_detach = gpu_queue_detach
cuda_table.queue_flush = gpu_queue_flush
cuda_table.queue_finish = gpu_queue_finish
cuda_table.queue_query = gpu_queue_query
cuda_table.queue_capturing = gpu_queue_capturing
cuda_table.queue_handle = gpu_queue_handle
cuda_table.kinds = GPU_KINDS
cuda_table.submit = gpu_submit
cuda_table.graph_build = gpu_graph_build
cuda_table.graph_run = gpu_graph_run
cuda_table.graph_release = gpu_graph_release
cuda_table.timing_query = gpu_timing_query
cuda_table.timing_read = gpu_timing_read
cuda_table.timing_release = gpu_timing_release
cuda_table.profile_begin = gpu_profile_begin
cuda_table.profile_flush = gpu_profile_flush
cuda_table.profile_read = gpu_profile_read
cuda_table.profile_end = gpu_profile_end
cuda_table.profile_unload = gpu_profile_unload
cuda_table.clock_pair = gpu_clock_pair
cuda_table.event_query = gpu_event_query
cuda_table.event_wait = gpu_event_wait
cuda_table.event_elapsed = gpu_event_elapsed
cuda_table.event_captured = gpu_event_captured
cuda_table.graph_keep = gpu_graph_keep
cuda_table.event_release = gpu_event_release
cuda_table.event_callback = gpu_event_callback
cuda_table.queue_callback = gpu_queue_callback
cuda_table.unheld_begin = gpu_unheld_begin
cuda_table.unheld_end = gpu_unheld_end
cuda_table.user_event = gpu_user_event
cuda_table.user_event_set = gpu_user_event_set
cuda_table.allocate = gpu_allocate
cuda_table.free = gpu_free
cuda_table.memory_info = gpu_memory_info
cuda_table.memory_trim = gpu_memory_trim
cuda_table.local_memory = gpu_local_memory
cuda_table.texture_create = gpu_texture_create
cuda_table.texture_release = gpu_texture_release
cuda_table.peer_get = gpu_peer_get
cuda_table.peer_enable = gpu_peer_enable
cuda_table.program_load = gpu_program_load
cuda_table.program_link = gpu_program_link
cuda_table.output_show = gpu_output_show
cuda_table.program_symbol = gpu_program_symbol
cuda_table.program_release = gpu_program_release
cuda_table.kernel_find = gpu_kernel_find
cuda_table.kernel_adopt = gpu_kernel_adopt
cuda_table.kernel_release = gpu_kernel_release
cuda_table.kernel_get = gpu_kernel_get
cuda_table.kernel_lay_out = gpu_kernel_lay_out
cuda_table.kernel_allow_shared = gpu_kernel_allow_shared
cuda_table.kernel_pair = gpu_kernel_pair
cuda_table.kernel_occupancy = gpu_kernel_occupancy
cuda_table.kernel_suggest = gpu_kernel_suggest
cuda_table.kernel_parameter = gpu_kernel_parameter
cuda_table.kernel_function = gpu_kernel_function
cuda_table.stream_blocking = gpu_stream_blocking
cuda_table.address_device = gpu_address_device
cuda_table.command_failed = gpu_command_failed
cuda_table.advice = gpu_advice

hip_table = cuda_table
hip_table.profile_begin, hip_table.profile_flush, hip_table.profile_read, hip_table.profile_end = NULL, NULL, NULL, NULL
hip_table.profile_unload, hip_table.kernel_pair = NULL, NULL
hip_table.program_link, hip_table.output_show = NULL, NULL

cuda_table.name, cuda_table.forked, cuda_table.error_name = b"cuda", &cuda_forked, cuda_name_of
hip_table.name, hip_table.forked, hip_table.error_name = b"hip", &hip_forked, hip_name_of
