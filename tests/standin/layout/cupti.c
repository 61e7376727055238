/* The stand-in's structs of CUPTI and its numbers, held against those that launchpath is compiled with. */
#include "cupti.h"

#include "../cupti/abi.h"
#include "same.h"

SAME(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS, SC_ERROR_MULTIPLE_SUBSCRIBERS);
SAME(CUPTI_DOMAIN_DRIVER, SC_DOMAIN_DRIVER);
SAME(CUPTI_ENTER, SC_ENTER);
SAME(CUPTI_EXIT, SC_EXIT);
SAME(CUPTI_FLUSH_FORCED, SC_FORCED);
SAME(CUPTI_KIND_LAUNCH, SC_KIND_KERNEL);

SAME(sizeof(cupti_call), sizeof(sc_call));
OFFSET(cupti_call, site, sc_call, site);
OFFSET(cupti_call, result, sc_call, result);
OFFSET(cupti_call, data, sc_call, data);
OFFSET(cupti_call, number, sc_call, number);

/* What launchpath reads of a record; and the same of kinds that launchpath asks for none of. */
int read_record(const void *record, uint32_t *number, uint64_t *start, uint64_t *end) {
    const sc_copy *copy = record;
    const sc_fill *fill = record;
    const sc_peer_copy *peer = record;
    if (cupti_record(record, number, start, end)) return 1;
    *start = copy->start, *end = copy->end; /* all three have them there */
    *number = copy->kind == SC_KIND_COPY ? copy->number : copy->kind == SC_KIND_FILL ? fill->number : peer->number;
    return copy->kind == SC_KIND_COPY || copy->kind == SC_KIND_FILL || copy->kind == SC_KIND_PEER_COPY;
}

size_t command_count(void) { return CUPTI_COMMANDS; }

const uint32_t *command_numbers(void) { return cupti_commands; }

const char *const *function_names(void) { return cupti_names; }
size_t function_count(void) { return CUPTI_N_FUNCTIONS; }
