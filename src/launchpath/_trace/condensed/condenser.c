/* The condenser as a library, for readers of files: `library.py` calls it. Each function may be called without the GIL. */
#include "trace/condense/blob.h"
#include "trace/condense/file.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT condenser *lp_condenser_new(int is_recorder) { return condenser_new(is_recorder); }
EXPORT void lp_condenser_free(condenser *of) { condenser_free(of); }
EXPORT void lp_condenser_waits(condenser *of, int api, uint32_t entry) { condenser_waits(of, api, entry); }

/* Measurements of the host's clock, and what is known without them: nanoseconds in a tick. */
EXPORT void lp_condenser_rate(condenser *of, double rate, uint64_t real) { of->host.rate = rate, of->real = real; }
EXPORT void lp_condenser_clock(condenser *of, uint64_t ticks, uint64_t monotonic) { host_clock_measured(&of->host, ticks, monotonic); }

/* Count all slots of rings, in memory or in a file; 0, or errno. */
EXPORT int lp_condenser_read(condenser *of, int file, read_source *sources, uint64_t count) { return file_read_all(of, file, sources, count); }

EXPORT void lp_condenser_end(condenser *of) { condenser_end(of); }
EXPORT uint64_t lp_condenser_words(const condenser *of) { return condenser_words(of); }
EXPORT void lp_condenser_write(const condenser *of, uint64_t *words) { condenser_write(of, words); }
