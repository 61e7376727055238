/* The driver's functions, as the program finds them: each calls the driver's own, and writes a record. */
#ifndef LAUNCHPATH_RECORDER_CUDA_WRAPPERS_H
#define LAUNCHPATH_RECORDER_CUDA_WRAPPERS_H

#include "graph_runs.h"

/* What all of them begin with: `real`, and `ring`, NULL if nothing is recorded. */
#define CUDA_BEGIN(name, parameters)                                                                                   \
    int(*real) parameters = (int(*) parameters)cuda_real(E_##name);                                                    \
    const uint16_t entry = (uint16_t)(cuda.first + E_##name);                                                          \
    lp_records *ring;                                                                                                  \
    uint64_t begin, end;                                                                                               \
    int code;                                                                                                          \
    if (LP_UNLIKELY(real == 0)) return CUDA_NOT_FOUND;                                                                 \
    ring = process_ring()

#define CALL_PROVEN(name, parameters, arguments, where, quantity, prove)                                               \
    EXPORT int name parameters {                                                                                       \
        CUDA_BEGIN(name, parameters);                                                                                  \
        if (ring == 0) return real arguments;                                                                          \
        PROOF(prove)                                                                                                   \
        begin = call_begins(ring, entry);                                                                              \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        PROVEN(ring, cuda_failed(code), begin, call_write(ring, entry, begin, end, code, cuda_failed(code), quantity, where)); \
        return code;                                                                                                   \
    }
#define HOOK(name, parameters, arguments, before, after, where, quantity)                                              \
    EXPORT int name parameters {                                                                                       \
        CUDA_BEGIN(name, parameters);                                                                                  \
        before;                                                                                                        \
        PROOF((void)0)                                                                                                 \
        begin = ring ? call_begins(ring, entry) : 0;                                                                   \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        if (ring) PROVEN(ring, cuda_failed(code), begin, call_write(ring, entry, begin, end, code, cuda_failed(code), quantity, where)); \
        after;                                                                                                         \
        return code;                                                                                                   \
    }
#define CUDA_COMMAND(name, parameters, arguments, stream, own, describe, prove)                                        \
    EXPORT int name parameters {                                                                                       \
        CUDA_BEGIN(name, parameters);                                                                                  \
        payload what = {0};                                                                                            \
        pending_enter();                                                                                               \
        if (ring == 0) {                                                                                               \
            code = real arguments;                                                                                     \
            pending_leave();                                                                                           \
            return code;                                                                                               \
        }                                                                                                              \
        describe;                                                                                                      \
        PROOF(prove)                                                                                                   \
        begin = call_begins(ring, entry);                                                                              \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        PROVEN(ring, code, begin, cuda_command_write(ring, entry, begin, end, code, &what, stream, own));              \
        return code;                                                                                                   \
    }
#define COPY(name, parameters, arguments, stream, own, direction, size_, to_, source_)                                 \
    CUDA_COMMAND(name, parameters, arguments, stream, own,                                                             \
                 (what.command = COMMAND_COPY, what.flags = direction, what.of.copy.bytes = size_, what.of.copy.to = to_, \
                  what.of.copy.source = source_),                                                                      \
                 cuda_copy_prove(&proof, direction, CUDA_WAITS(name), size_, to_, source_))
#define BOX(name, parameters, arguments, stream, own, command_, shape, prove)                                          \
    CUDA_COMMAND(name, parameters, arguments, stream, own, (what.command = command_, shape), prove)
#define FILL(name, parameters, arguments, stream, own, size_, to_)                                                     \
    CUDA_COMMAND(name, parameters, arguments, stream, own,                                                             \
                 (what.command = COMMAND_FILL, what.of.copy.bytes = size_, what.of.copy.to = to_),                     \
                 evidence_fills(&proof, value))
#define LAUNCH(name, parameters, arguments, stream_, own, function_, grid_, block_, shared_, flags_, kernel_parameters_, extra_) \
    EXPORT int name parameters {                                                                                       \
        CUDA_BEGIN(name, parameters);                                                                                  \
        const cuda_kernel *kernel = ring ? cuda_kernel_of(function_) : 0;                                              \
        pending_enter();                                                                                               \
        if (LP_UNLIKELY(kernel == 0 || kernel->excluded)) {                                                            \
            if (kernel) lp_add(&lp_trace.header->counters.excluded, 1);                                                \
            code = real arguments;                                                                                     \
            pending_leave();                                                                                           \
            return code;                                                                                               \
        }                                                                                                              \
        PROOF(cuda_launch_prove(&proof, function_, kernel, kernel_parameters_, extra_))                                \
        begin = call_begins(ring, entry);                                                                              \
        code = real arguments;                                                                                         \
        end = lp_ticks();                                                                                              \
        payload what = {.of = {.launch = {grid_, block_}}};                                                            \
        cuda_launch_payload(&what, kernel, flags_, shared_);                                                           \
        PROVEN(ring, code, begin, cuda_command_write(ring, entry, begin, end, code, &what, stream_, own));             \
        return code;                                                                                                   \
    }
#define OTHER(name)

static inline void cuda_launch_payload(payload *what, const cuda_kernel *kernel, uint8_t flags, uint32_t shared) {
    what->command = COMMAND_LAUNCH, what->flags = flags, what->name = kernel->name, what->shared = shared;
}

static inline uint64_t cuda_command_write(lp_records *ring, uint16_t entry, uint64_t begin, uint64_t end, int code,
                                      const payload *what, void *stream, int own) {
    const place at = cuda_place(ring, stream, own);
    const int captured = cuda_captured(stream, own);
    const uint64_t correlation = command_write(ring, entry, begin, end, code, what, at, captured ? SLOT_KEPT_BACK : 0);
    if (LP_LIKELY(!options.timed)) return correlation;
    if (code || captured || correlation == 0) pending_leave();
    else if (pending_has_record(what->command)) pending_submitted(correlation, begin, at, what, 0, 1);
    else {
        pending_leave();
        pending_untimed(1);
    }
    return correlation;
}

#include "entries.h"
#undef CALL_PROVEN
#undef HOOK
#undef COPY
#undef BOX
#undef FILL
#undef LAUNCH
#undef OTHER

#endif
