/* What operations do. */
#include <stdlib.h>
#include <string.h>

#include "../core.h"

bool operation_is_long(const struct operation *operation) {
    return operation->kind == OP_KERNEL || operation->kind == OP_COPY || operation->kind == OP_FILL;
}

bool operation_value_met(struct operation *operation) {
    if (option_let_go) return true;
    if (memory_check(operation->as.value.word, sizeof(uint32_t), true)) return true; /* it fails, in operation_check */
    uint32_t now = __atomic_load_n(operation->as.value.word, __ATOMIC_ACQUIRE), value = operation->as.value.value;
    switch (operation->as.value.flags) {
    case SI_WAIT_VALUE_GEQ: return (int32_t)(now - value) >= 0; /* cyclic: a word may wrap around */
    case SI_WAIT_VALUE_EQ: return now == value;
    case SI_WAIT_VALUE_AND: return now & value;
    default: return ~(now | value) != 0;
    }
}

static int kernel_check(struct operation *operation) {
    if (operation->as.kernel.module->unloaded) {
        report("%s ran after its module was unloaded", operation->as.kernel.launch.name);
        return SI_ERROR_LAUNCH_FAILED;
    }
    if (operation->as.kernel.unreachable) {
        report("%s used memory of a device that its own has no access to: %p", operation->as.kernel.launch.name,
               operation->as.kernel.unreachable);
        return SI_ERROR_ILLEGAL_ADDRESS;
    }
    return fault_of_run(operation->as.kernel.launch.name);
}

/* Memory that was freed in the meantime, or is allocated only later in another stream. */
int operation_check(struct operation *operation) {
    int code = 0;
    switch (operation->kind) {
    case OP_KERNEL: return kernel_check(operation);
    case OP_COPY:
        code = memory_check(operation->as.copy.to, operation->as.copy.size, true);
        if (!code && !operation->as.copy.staged)
            code = memory_check(operation->as.copy.from, operation->as.copy.size, true);
        return code ? code : fault_of_run("copy");
    case OP_FILL:
        code = memory_check(operation->as.fill.to, fill_size(operation), true);
        return code ? code : fault_of_run("fill");
    case OP_VALUE: return memory_check(operation->as.value.word, sizeof(uint32_t), true);
    default: return 0;
    }
}

static void copy(struct operation *operation) {
    char *to = operation->as.copy.to;
    const char *from = operation->as.copy.from;
    if (!operation->as.copy.rows) memmove(to, from, operation->as.copy.size);
    for (size_t i = 0; i < operation->as.copy.rows; i++)
        memmove(to + i * operation->as.copy.to_pitch, from + i * operation->as.copy.from_pitch,
                operation->as.copy.width);
}

static void fill(const struct operation *operation, void *to) {
    size_t count = operation->as.fill.count;
    unsigned int value = operation->as.fill.value, width = operation->as.fill.width;
    if (width == 1)
        memset(to, (int)value, count);
    else if (width == 2)
        for (size_t i = 0; i < count; i++) ((uint16_t *)to)[i] = (uint16_t)value;
    else
        for (size_t i = 0; i < count; i++) ((uint32_t *)to)[i] = value;
}

int operation_run(struct operation *operation) {
    switch (operation->kind) {
    case OP_KERNEL: return operation->as.kernel.function(&operation->as.kernel.launch, operation->as.kernel.arguments);
    case OP_COPY: copy(operation); return 0;
    case OP_FILL:
        fill(operation, operation->as.fill.to);
        for (size_t i = 1; i < operation->as.fill.rows; i++)
            fill(operation, (char *)operation->as.fill.to + i * operation->as.fill.pitch);
        return 0;
    default: return 0;
    }
}

void operation_apply(struct operation *operation) {
    struct memory *memory = NULL;
    if (operation->kind == OP_ALLOCATE || operation->kind == OP_FREE) memory = memory_find(operation->as.memory);
    if (operation->kind == OP_RECORD) event_reached(operation->as.record.event, operation->as.record.generation);
    if (operation->kind == OP_ALLOCATE && memory && memory->state == STATE_COMING) memory->state = STATE_LIVE;
    if (operation->kind == OP_FREE && memory) memory_freed(memory);
}

void operation_release(struct operation *operation) {
    if (operation->kind == OP_RECORD) event_drop(operation->as.record.event);
    if (operation->kind == OP_WAIT && operation->as.wait.event) event_drop(operation->as.wait.event);
    if (operation->kind == OP_LAUNCHED) {
        graph_drop(operation->as.launched.graph);
        objects_drop(operation->as.launched.objects);
    }
    if (operation->kind == OP_COPY) free(operation->as.copy.staged);
    if (operation->kind == OP_KERNEL) {
        free(operation->as.kernel.arguments);
        module_drop(operation->as.kernel.module);
    }
}

/* Of what a graph's nodes are. */
struct operation *operation_copy(const struct operation *operation, CUstream stream) {
    struct operation *made = malloc(sizeof *made);
    *made = *operation;
    made->stream = stream;
    if (made->kind == OP_KERNEL) {
        size_t size = made->as.kernel.launch.size;
        made->as.kernel.arguments = calloc(1, size + 16);
        memcpy(made->as.kernel.arguments, operation->as.kernel.arguments, size);
        made->as.kernel.module->references++;
    }
    if (made->kind == OP_RECORD) made->as.record.event->references++;
    if (made->kind == OP_WAIT && made->as.wait.event) made->as.wait.event->references++;
    return made;
}
