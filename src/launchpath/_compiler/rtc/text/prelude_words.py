"""The words of the headers before every source for NVRTC. Written by ``scripts/prelude_words.py``."""

from __future__ import annotations

_TEXT = """
    CHAR_BIT CHAR_MAX CHAR_MIN CUDART_INF_BF16 CUDART_INF_FP16 CUDART_MAX_NORMAL_BF16 CUDART_MAX_NORMAL_FP16
    CUDART_MIN_DENORM_BF16 CUDART_MIN_DENORM_FP16 CUDART_NAN_BF16 CUDART_NAN_FP16 CUDART_NEG_ZERO_BF16
    CUDART_NEG_ZERO_FP16 CUDART_ONE_BF16 CUDART_ONE_FP16 CUDART_VERSION CUDART_ZERO_BF16 CUDART_ZERO_FP16
    CUgraphConditionalHandle CUsurfObject CUtexObject DBL DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP
    DBL_MAX_EXP DBL_MIN DBL_MIN_10_EXP DBL_MIN_EXP DBL_TRUE_MIN EXIT_FAILURE EXIT_SUCCESS FLT FLT_DIG FLT_EPSILON
    FLT_MANT_DIG FLT_MAX FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FLT_TRUE_MIN
    HIPRT_INF_BF16 HIPRT_INF_FP16 HIPRT_MAX_NORMAL_BF16 HIPRT_MAX_NORMAL_FP16 HIPRT_MIN_DENORM_BF16
    HIPRT_MIN_DENORM_FP16 HIPRT_NAN_BF16 HIPRT_NAN_FP16 HIPRT_NEG_ZERO_BF16 HIPRT_NEG_ZERO_FP16 HIPRT_ONE_BF16
    HIPRT_ONE_FP16 HIPRT_ZERO_BF16 HIPRT_ZERO_FP16 HIP_DYNAMIC_SHARED HIP_DYNAMIC_SHARED_ATTRIBUTE HIP_KERNEL_NAME
    HUGE_VAL HUGE_VALF INFINITY INT16_MAX INT16_MIN INT32_C INT32_MAX INT32_MIN INT64_C INT64_MAX INT64_MIN INT8_MAX
    INT8_MIN INTPTR_MAX INT_MAX INT_MIN LAUNCHPATH_WHOLE_WARPS LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN MAXFLOAT M_1_PI
    M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN NULL RAND_MAX
    SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN SIZE_MAX UCHAR_MAX UINT16_MAX UINT32_C UINT32_MAX UINT64_C UINT64_MAX
    UINT8_MAX UINTPTR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX _A _All _B _C _CCCL_FREESTANDING _D _DIG _E
    _EPSILON _F _First _From _H _I _Kernel _L _MANT_DIG _MAX _MAX_10_EXP _MAX_EXP _MIN _MIN_10_EXP _MIN_EXP _N _O _P
    _R _Rest _S _T _TRUE_MIN _To _U _V __AMDGCN_WAVEFRONT_SIZE __AMDGCN_WAVEFRONT_SIZE__ __ATOMIC_ACQUIRE
    __ATOMIC_ACQ_REL __ATOMIC_CONSUME __ATOMIC_RELAXED __ATOMIC_RELEASE __ATOMIC_SEQ_CST __CUDACC_RTC__
    __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ __CUDA_ARCH__ __HIPCC_RTC__ __HIP_ARCH_HAS_3DGRID__
    __HIP_ARCH_HAS_DOUBLES__ __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__
    __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__
    __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__
    __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ __HIP_ARCH_HAS_SURFACE_FUNCS__
    __HIP_ARCH_HAS_SYNC_THREAD_EXT__ __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ __HIP_ARCH_HAS_WARP_BALLOT__
    __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ __HIP_ARCH_HAS_WARP_SHUFFLE__ __HIP_ARCH_HAS_WARP_VOTE__ __INT16_TYPE__
    __INT32_TYPE__ __INT64_TYPE__ __INT8_TYPE__ __INTMAX_TYPE__ __INTPTR_TYPE__ __INT_FAST16_TYPE__
    __INT_FAST32_TYPE__ __INT_FAST64_TYPE__ __INT_FAST8_TYPE__ __INT_LEAST16_TYPE__ __INT_LEAST32_TYPE__
    __INT_LEAST64_TYPE__ __INT_LEAST8_TYPE__ __LP_ATOMIC __LP_ATOMICS __LP_BITS __LP_BOTH __LP_BOUND __LP_BYTES
    __LP_CHOICE __LP_CLIB __LP_COMMA __LP_COMPARE __LP_CUDA_VERSION __LP_CUDA__ __LP_DEVICE __LP_EITHER __LP_FLOAT
    __LP_FLOATS __LP_GCN __LP_GCN_AXIS __LP_GCN_WARP __LP_INFINITY __LP_INTEGER __LP_INTEGERS __LP_KIND __LP_LAZY
    __LP_LIBCUXX__ __LP_LOOP __LP_MEMBER __LP_NAN __LP_NEGATED __LP_ONE __LP_OPERATOR __LP_OVERFLOW_ONE_TYPE
    __LP_OWN __LP_PREFERRED __LP_REDUCE __LP_SHUFFLE __LP_STD1 __LP_STD__ __LP_TEXT __LP_TOGETHER __LP_TWO
    __LP_VALUE __LP_VECTOR __LP_VECTORS __LP_WARP __LP_WARP_SIZE __PTRDIFF_TYPE__ __SIZE_TYPE__ __UINT16_TYPE__
    __UINT32_TYPE__ __UINT64_TYPE__ __UINT8_TYPE__ __UINTMAX_TYPE__ __UINTPTR_TYPE__ __UINT_FAST16_TYPE__
    __UINT_FAST32_TYPE__ __UINT_FAST64_TYPE__ __UINT_FAST8_TYPE__ __UINT_LEAST16_TYPE__ __UINT_LEAST32_TYPE__
    __UINT_LEAST64_TYPE__ __UINT_LEAST8_TYPE__ __VA_ARGS__ __activemask __algorithm_ __all __all_sync __any
    __any_sync __assert_fail __assertfail __attribute__ __ballot __ballot64 __ballot_sync __bitextract_u32
    __bitextract_u64 __bitinsert_u32 __bitinsert_u64 __builtin_add_overflow __builtin_amdgcn_
    __builtin_amdgcn_ds_permute __builtin_amdgcn_ds_swizzle __builtin_amdgcn_fence __builtin_amdgcn_mov_dpp
    __builtin_amdgcn_permlane16 __builtin_amdgcn_permlanex16 __builtin_amdgcn_update_dpp
    __builtin_amdgcn_wave_barrier __builtin_bit_cast __builtin_clz __builtin_clzll __builtin_ctz __builtin_ctzll
    __builtin_huge_val __builtin_huge_valf __builtin_inf __builtin_inff __builtin_memcpy __builtin_memset
    __builtin_mul_overflow __builtin_nan __builtin_nanf __builtin_offsetof __builtin_popcount __builtin_popcountll
    __builtin_sub_overflow __builtin_trap __clzll __cplusplus __dp4a __extension__ __ffsll __float_as_int
    __funnelshift_r __grid_constant__ __half2 __has_include __hip_ds_bpermute __hip_ds_bpermutef __hip_ds_permute
    __hip_ds_permutef __hip_ds_swizzle __hip_ds_swizzle_N __hip_ds_swizzlef __hip_ds_swizzlef_N __int_as_float
    __intptr_t __is_base_of __is_class __is_constructible __is_empty __is_enum __is_standard_layout __is_trivial
    __is_trivially_copyable __is_union __lane_id __lastbit_u32_u32 __lastbit_u32_u64 __lp __lp__shfl_down_sync
    __lp__shfl_sync __lp__shfl_up_sync __lp__shfl_xor_sync __lp_activemask __lp_all __lp_all_sync __lp_any
    __lp_any_sync __lp_ballot __lp_ballot_sync __lp_decay __lp_grid_dependency_synchronize __lp_int16_t __lp_int32_t
    __lp_int64_t __lp_int8_t __lp_int_fast16_t __lp_int_fast32_t __lp_int_fast64_t __lp_int_fast8_t
    __lp_int_least16_t __lp_int_least32_t __lp_int_least64_t __lp_int_least8_t __lp_integer __lp_intmax_t
    __lp_intptr_t __lp_is_pointer __lp_is_signed __lp_joined __lp_mask __lp_match_all_sync __lp_match_any_sync
    __lp_no_limits __lp_one_of __lp_parameter __lp_reduce_add_sync __lp_reduce_and_sync __lp_reduce_max_sync
    __lp_reduce_min_sync __lp_reduce_or_sync __lp_reduce_xor_sync __lp_sequence __lp_std __lp_syncwarp __lp_take
    __lp_trigger_launch_completion __lp_uint16_t __lp_uint32_t __lp_uint64_t __lp_uint8_t __lp_uint_fast16_t
    __lp_uint_fast32_t __lp_uint_fast64_t __lp_uint_fast8_t __lp_uint_least16_t __lp_uint_least32_t
    __lp_uint_least64_t __lp_uint_least8_t __lp_uintmax_t __lp_uintptr_t __lp_void __managed__ __match_all_sync
    __match_any __match_any_sync __mul64hi __popcll __reduce_ __reduce_add_sync __reduce_and_sync __reduce_max_sync
    __reduce_min_sync __reduce_or_sync __reduce_xor_sync __shfl __shfl_down __shfl_down_sync __shfl_sync __shfl_up
    __shfl_up_sync __shfl_xor __shfl_xor_sync __smid __syncwarp __trap __tuple_dir __type __typeof __typeof__
    __umul64hi __underlying_type __ushort_as_bfloat16 __ushort_as_half __vsadu2 __vsadu4 _block _sync _system _v
    a_signed abort abs acos acosh add add_const add_const_t add_lvalue_reference add_lvalue_reference_t add_overflow
    add_pointer add_pointer_t add_rvalue_reference add_rvalue_reference_t address aimed algorithm alignas alignbit
    alignbyte aligned_storage aligned_storage_t alignment_of alignment_of_v alignof all all_of amd_mixed_dot
    amdgpu_flat_work_group_size amdgpu_num_sgpr amdgpu_num_vgpr amdgpu_waves_per_eu and any_of array as_const asin
    asinh asm at atan atan2 atanh atomicAdd atomicAddNoRet atomicAnd atomicCAS atomicDec atomicExch atomicInc
    atomicMax atomicMin atomicOr atomicSub atomicXor axis b_signed ballot ballot_w32 ballot_w64 banks begin bits
    bits_of bool_constant byte cbrt ceil char16_t char32_t char4 child choice clamp clamped class cmath common_float
    common_type common_type_t condition conditional conditional_t conjunction conjunction_v control copy copy_n
    copysign cos cosh cospif cstddef cuda cudaBoundaryModeClamp cudaBoundaryModeTrap cudaBoundaryModeZero cudaError
    cudaError_t cudaEvent_t cudaGraphConditionalHandle cudaGraphSetConditional cudaGridDependencySynchronize
    cudaStream_t cudaSuccess cudaSurfaceObject_t cudaTextureObject_t cudaTriggerProgrammaticLaunchCompletion decay
    decay_t declval define defined denorm_min device difference digits10 disjunction disjunction_v dotted dpp_source
    ds_bpermute ds_permute enable_if enable_if_t ended endif enum epsilon equal erf erfc erfcf erff exact exchange
    exit exp exp2 expected expm1 expression extent extent_v fabs false_type fdim fdimf fence fill fill_n find
    find_if first_ first_lane first_type float_round_style floor fma fmax fmed3f fmin fmod fmodf for_each forward
    fractf free frexp frexp_exp frexp_expf frexp_mant frexp_mantf frexpf from_active from_first_lane from_lane
    function given got grid_size_ half handle has_infinity has_quiet_NaN has_signaling_NaN hipBlockDim_x
    hipBlockDim_y hipBlockDim_z hipBlockIdx_x hipBlockIdx_y hipBlockIdx_z hipBoundaryModeClamp hipBoundaryModeTrap
    hipBoundaryModeZero hipError_t hipGridDim_x hipGridDim_y hipGridDim_z hipStream_t hipSuccess hipSurfaceObject_t
    hipTextureObject_t hipThreadIdx_x hipThreadIdx_y hipThreadIdx_z hypot identity ifdef ifndef ilogb index_sequence
    index_sequence_for infinity initializer_list int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t
    int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t integer_sequence
    integral_constant intmax_t intptr_t invoke_result invoke_result_t is_arithmetic is_array is_base_of is_base_of_v
    is_bounded is_class is_const is_constructible is_constructible_v is_convertible is_convertible_v
    is_default_constructible is_empty is_enum is_exact is_float is_floating_point is_function is_fundamental
    is_iec559 is_integer is_integral is_lvalue_reference is_modulo is_null_pointer is_number is_pointer is_reference
    is_rvalue_reference is_same is_same_v is_scalar is_signed is_specialized is_standard_layout is_there is_trivial
    is_trivially_copyable is_union is_unsigned is_void is_volatile isalnum isalpha isdigit isfinite isgreater
    isgreaterequal isinf isless islessequal islessgreater islower isnan isnormal isspace isunordered isupper
    iterator join lanes ldexp ldexpf least lerp less lgamma limits llrint llround log log10 log1p log2 logb longlong
    lower_bound lowest lrint lround made make_index_sequence make_integer_sequence make_pair make_signed
    make_signed_t make_unsigned make_unsigned_t malloc max max_align_t max_digits10 max_element max_exponent
    max_exponent10 mbcnt_hi mbcnt_lo member memcmp memcpy memmove memset min min_element min_exponent min_exponent10
    minmax mixed_dot modf modff more most most_digits move msad_u8 mul_overflow multiprocessor namespace nan nanf
    nearbyint negation never new nextafter noexcept none none_of nullptr_t numeric_limits of of_any of_both
    of_integer of_three of_unlike offsetof once op operator or overflow_is_small overflow_is_unsigned
    overflow_narrow overflow_same overflow_wide pair parameters pattern perm permuted piece_of pow pragma ptrdiff_t
    public quiet_NaN radix rank rank_v rcp rcpf read_exec readfirstlane readlane reduce register remainder
    remainderf remove_all_extents remove_all_extents_t remove_const remove_const_t remove_cv remove_cv_t
    remove_cvref remove_cvref_t remove_extent remove_extent_t remove_pointer remove_pointer_t remove_reference
    remove_reference_t remove_volatile remove_volatile_t remquo remquof reverse rint root round round_error
    round_indeterminate round_to_nearest round_toward_zero row rows rsq rsqf rsqrt s_barrier s_setprio s_sleep
    s_waitcnt sad_hi_u8 sad_u16 sad_u8 safeAtomicAdd safeAtomicMax safeAtomicMin same_bits saturate sbfe scalbln
    scalbn scaled sched_barrier sched_group_barrier sdot4 sdot8 second_type seen sent short2 signbit sin sinh sinpif
    size_ size_t sort source sqrt ssize_t std strcat strchr strcmp strcpy strlen strncmp strncpy struct sub_overflow
    sudot4 sudot8 suffix swap swizzled sync_warp tan tanh target template tgamma time tolower toupper transform
    traps true_type trunc tuple tuple_element tuple_element_t tuple_size tuple_size_v type type_identity
    type_identity_t type_traits typename typeof typeof_ ubfe uchar uchar4 udot4 udot8 uint uint16_t uint32_t
    uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t
    uint_least64_t uint_least8_t uintmax_t uintptr_t ul ulong ulonglong unavailable undef underlying_type
    underlying_type_t unreferenced unsafeAtomicAdd unsafeAtomicMax unsafeAtomicMin unused updated upper_bound ushort
    ushort2 using utility value_type vector vector_count vector_element vector_only vector_traits verdict void_t
    vote wall_clock64 warpSize wave_barrier wavefrontsize wchar_t workgroup_id_ workgroup_size_ workitem_id_ xor
    zero
"""
WORDS = frozenset(_TEXT.split())
