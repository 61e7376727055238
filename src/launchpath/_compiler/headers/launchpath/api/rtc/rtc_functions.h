// Functions that hipRTC and NVRTC share but for their first word; as in functions.h, by the names of launchpath.hiprtc.

__LP_CALL_TEXT(GetErrorString)(__LP_RTC(Result) result);
__LP_CALL(Version)(int *major, int *minor);
__LP_CALL(CreateProgram)(__LP_RTC(Program) *prog, const char *src, const char *name, int numHeaders,
                         const char *const *headers, const char *const *includeNames);
__LP_CALL(DestroyProgram)(__LP_RTC(Program) *prog);
__LP_CALL(AddNameExpression)(__LP_RTC(Program) prog, const char *name_expression);
__LP_CALL(CompileProgram)(__LP_RTC(Program) prog, int numOptions, const char *const *options);
__LP_CALL(GetLoweredName)(__LP_RTC(Program) prog, const char *name_expression, const char **lowered_name);
__LP_CALL(GetProgramLogSize)(__LP_RTC(Program) prog, size_t *logSizeRet);
__LP_CALL(GetProgramLog)(__LP_RTC(Program) prog, char *log);
__LP_CALL(GetCodeSize)(__LP_RTC(Program) prog, size_t *codeSizeRet);
__LP_CALL(GetCode)(__LP_RTC(Program) prog, char *code);
