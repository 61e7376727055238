// rocFFT's plans and what describes them, and its enumerators.
#pragma once
#include <hip/hip_complex.h>
typedef struct rocfft_plan_t *rocfft_plan;
typedef struct rocfft_plan_description_t *rocfft_plan_description;
typedef struct rocfft_execution_info_t *rocfft_execution_info;
typedef struct rocfft_field_t *rocfft_field;
typedef struct rocfft_brick_t *rocfft_brick;
typedef enum rocfft_status_e {
  rocfft_status_success = 0, rocfft_status_failure, rocfft_status_invalid_arg_value, rocfft_status_invalid_dimensions,
  rocfft_status_invalid_array_type, rocfft_status_invalid_strides, rocfft_status_invalid_distance,
  rocfft_status_invalid_offset, rocfft_status_invalid_work_buffer
} rocfft_status;
typedef enum rocfft_transform_type_e {
  rocfft_transform_type_complex_forward = 0, rocfft_transform_type_complex_inverse, rocfft_transform_type_real_forward,
  rocfft_transform_type_real_inverse
} rocfft_transform_type;
typedef enum rocfft_precision_e {
  rocfft_precision_single = 0, rocfft_precision_double, rocfft_precision_half
} rocfft_precision;
typedef enum rocfft_result_placement_e {
  rocfft_placement_inplace = 0, rocfft_placement_notinplace
} rocfft_result_placement;
typedef enum rocfft_array_type_e {
  rocfft_array_type_complex_interleaved = 0, rocfft_array_type_complex_planar, rocfft_array_type_real,
  rocfft_array_type_hermitian_interleaved, rocfft_array_type_hermitian_planar, rocfft_array_type_unset
} rocfft_array_type;
typedef enum rocfft_comm_type_e { rocfft_comm_none = 0, rocfft_comm_mpi } rocfft_comm_type;
