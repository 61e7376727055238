// Functions that only hipRTC has, as in functions.h.

__LP_CALL(GetBitcodeSize)(hiprtcProgram prog, size_t *bitcode_size);
__LP_CALL(GetBitcode)(hiprtcProgram prog, char *bitcode);
__LP_CALL(LinkCreate)(unsigned int num_options, hiprtcJIT_option *option_ptr, void **option_vals_pptr,
                      hiprtcLinkState *hip_link_state_ptr);
__LP_CALL(LinkAddFile)(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type, const char *file_path,
                       unsigned int num_options, hiprtcJIT_option *options_ptr, void **option_values);
__LP_CALL(LinkAddData)(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type, void *image, size_t image_size,
                       const char *name, unsigned int num_options, hiprtcJIT_option *options_ptr, void **option_values);
__LP_CALL(LinkComplete)(hiprtcLinkState hip_link_state, void **bin_out, size_t *size_out);
__LP_CALL(LinkDestroy)(hiprtcLinkState hip_link_state);
