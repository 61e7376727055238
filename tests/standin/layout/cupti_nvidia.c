/* The same, held against NVIDIA's header. */
#include <cupti.h>

#include "../cupti/abi.h"
#include "same.h"

SAME(SC_ERROR_INVALID_PARAMETER, CUPTI_ERROR_INVALID_PARAMETER);
SAME(SC_ERROR_MAX_LIMIT_REACHED, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(SC_ERROR_NOT_INITIALIZED, CUPTI_ERROR_NOT_INITIALIZED);
SAME(SC_ERROR_INVALID_KIND, CUPTI_ERROR_INVALID_KIND);
SAME(SC_ERROR_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(SC_ERROR_UNKNOWN, CUPTI_ERROR_UNKNOWN);
SAME(SC_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
SAME(SC_ENTER, CUPTI_API_ENTER);
SAME(SC_EXIT, CUPTI_API_EXIT);
SAME(SC_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
SAME(SC_KIND_COPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(SC_KIND_FILL, CUPTI_ACTIVITY_KIND_MEMSET);
SAME(SC_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(SC_KIND_PEER_COPY, CUPTI_ACTIVITY_KIND_MEMCPY2);

SAME(sizeof(sc_call), sizeof(CUpti_CallbackData));
OFFSET(sc_call, site, CUpti_CallbackData, callbackSite);
OFFSET(sc_call, name, CUpti_CallbackData, functionName);
OFFSET(sc_call, parameters, CUpti_CallbackData, functionParams);
OFFSET(sc_call, result, CUpti_CallbackData, functionReturnValue);
OFFSET(sc_call, symbol, CUpti_CallbackData, symbolName);
OFFSET(sc_call, context, CUpti_CallbackData, context);
OFFSET(sc_call, context_number, CUpti_CallbackData, contextUid);
OFFSET(sc_call, data, CUpti_CallbackData, correlationData);
OFFSET(sc_call, number, CUpti_CallbackData, correlationId);

SAME(sizeof(sc_kernel), sizeof(CUpti_ActivityKernel10));
OFFSET(sc_kernel, kind, CUpti_ActivityKernel10, kind);
OFFSET(sc_kernel, start, CUpti_ActivityKernel10, start);
OFFSET(sc_kernel, end, CUpti_ActivityKernel10, end);
OFFSET(sc_kernel, device, CUpti_ActivityKernel10, deviceId);
OFFSET(sc_kernel, grid, CUpti_ActivityKernel10, gridX);
OFFSET(sc_kernel, block, CUpti_ActivityKernel10, blockX);
OFFSET(sc_kernel, number, CUpti_ActivityKernel10, correlationId);
OFFSET(sc_kernel, name, CUpti_ActivityKernel10, name);
OFFSET(sc_kernel, node, CUpti_ActivityKernel10, graphNodeId);

#define COMMAND(one, other)                    \
    SAME(sizeof(one), sizeof(other));          \
    OFFSET(one, bytes, other, bytes);          \
    OFFSET(one, start, other, start);          \
    OFFSET(one, end, other, end);              \
    OFFSET(one, number, other, correlationId); \
    OFFSET(one, node, other, graphNodeId)
COMMAND(sc_copy, CUpti_ActivityMemcpy6);
COMMAND(sc_fill, CUpti_ActivityMemset4);
COMMAND(sc_peer_copy, CUpti_ActivityMemcpyPtoP4);

#define CALL(name, call) SAME(CUPTI_DRIVER_TRACE_CBID_##name, call)
CALL(cuMemsetD8Async, 216);
CALL(cuMemsetD16Async, 218);
CALL(cuMemsetD32Async, 220);
CALL(cuMemcpy2DAsync_v2, 289);
CALL(cuCtxGetCurrent, 304);
CALL(cuMemcpyAsync, 306);
CALL(cuLaunchKernel, 307);
CALL(cuLaunchKernelEx, 652);
CALL(cuMemcpyPeerAsync, 319);
CALL(cuMemcpy3DPeerAsync, 321);
CALL(cuLaunchCooperativeKernel, 477);
CALL(cuGraphLaunch, 514);
