/* Memory: what is allocated. New memory is 0xCD, freed memory 0xDD and kept from reuse for a while: what still reads it
 * gets wrong numbers, what writes it or writes past an end is reported. */
#include <stdlib.h>
#include <string.h>

#include "../core.h"

#define ALIGNMENT 512
#define POOL_ALIGNMENT 256 /* memory of a pool has no more */
#define GUARD 64 /* bytes after each block that nobody may write */
#define KEPT_BYTES (64u << 20)
#define KEPT_BLOCKS 1024
#define PAINTED (4u << 20) /* of a larger block only that much at its head and its tail is painted and inspected */

enum { NEW = 0xCD, OLD = 0xDD, FENCE = 0xFD };

static struct memory **table; /* by address */
static size_t count, room;
static struct memory *kept[KEPT_BLOCKS]; /* freed, oldest first */
static size_t kept_count, kept_bytes;
static unsigned long long ids;

static void paint(struct memory *memory, int byte) {
    size_t head = memory->size < PAINTED ? memory->size : PAINTED;
    memset((void *)memory->address, byte, head);
    memset((char *)memory->address + memory->size - head, byte, head);
}

static bool is_all(const unsigned char *bytes, size_t size, unsigned char byte) {
    return !size || (bytes[0] == byte && !memcmp(bytes, bytes + 1, size - 1));
}

static void inspect(struct memory *memory) {
    unsigned char *bytes = (unsigned char *)memory->address;
    size_t head = memory->size < PAINTED ? memory->size : PAINTED;
    if (memory->state == STATE_FREED &&
        (!is_all(bytes, head, OLD) || !is_all(bytes + memory->size - head, head, OLD))) {
        report("freed memory was written: block %llu, %zu bytes at %p", memory->id, memory->size, (void *)bytes);
        paint(memory, OLD);
    }
    if (!is_all(bytes + memory->size, GUARD, FENCE)) {
        report("written past the end: block %llu, %zu bytes at %p", memory->id, memory->size, (void *)bytes);
        memset(bytes + memory->size, FENCE, GUARD);
    }
}

static size_t place_of(uintptr_t address) { /* the first block that begins after the address */
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle]->address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void forget(struct memory *memory) {
    size_t at = place_of(memory->address) - 1;
    memmove(&table[at], &table[at + 1], (--count - at) * sizeof *table);
    free(memory->block);
    free(memory);
}

static void forget_oldest(void) {
    struct memory *memory = kept[0];
    inspect(memory);
    kept_bytes -= memory->size;
    memmove(kept, kept + 1, --kept_count * sizeof *kept);
    forget(memory);
}

struct memory *memory_new(CUcontext context, size_t size, enum place place, CUmemoryPool pool) {
    if (!pool && place != PLACE_PINNED && (size > option_memory || context->used + size > option_memory)) return NULL;
    if (pool && !pool_take(pool, size)) return NULL;
    struct memory *memory = calloc(1, sizeof *memory);
    void *block = NULL;
    size_t offset = pool ? POOL_ALIGNMENT : 0;
    if (posix_memalign(&block, ALIGNMENT, offset + size + GUARD)) abort();
    char *begin = (char *)block + offset;
    enum state state = pool || place == PLACE_GRAPH ? STATE_COMING : STATE_LIVE;
    *memory = (struct memory){
        .block = block, .address = (uintptr_t)begin, .size = size, .place = place, .state = state, .context = context, .pool = pool};
    memory->id = ++ids;
    paint(memory, NEW);
    memset(begin + size, FENCE, GUARD);
    if (count == room) table = realloc(table, (room = room ? room * 2 : 64) * sizeof *table);
    size_t at = place_of(memory->address);
    memmove(&table[at + 1], &table[at], (count++ - at) * sizeof *table);
    table[at] = memory;
    if (!pool && place != PLACE_PINNED) context->used += size;
    return memory;
}

struct memory *memory_find(uintptr_t address) {
    size_t at = place_of(address);
    if (!at) return NULL;
    struct memory *memory = table[at - 1];
    return address < memory->address + memory->size ? memory : NULL;
}

int memory_check(const void *address, size_t size, bool running) {
    struct memory *memory = memory_find((uintptr_t)address);
    if (!memory || !size) return SI_SUCCESS;
    const char *mistake = NULL;
    if (memory->state == STATE_FREED || (memory->state == STATE_GOING && !running)) mistake = "freed memory was used";
    if (memory->state == STATE_COMING && running)
        mistake = "memory was used before its allocation, in the streams' order";
    if ((uintptr_t)address + size > memory->address + memory->size) mistake = "more was used than was allocated";
    if (!mistake) return SI_SUCCESS;
    report("%s: block %llu, %zu bytes at %p", mistake, memory->id, memory->size, (void *)memory->address);
    return running ? SI_ERROR_ILLEGAL_ADDRESS : SI_ERROR_INVALID_VALUE;
}

void memory_free(struct memory *memory) {
    if (memory->pool)
        pool_give(memory->pool, memory->size);
    else if (memory->place != PLACE_PINNED)
        memory->context->used -= memory->size;
    inspect(memory);
    memory->state = STATE_FREED;
    paint(memory, OLD);
    kept[kept_count++] = memory;
    kept_bytes += memory->size;
    while (kept_count && (kept_count == KEPT_BLOCKS || kept_bytes > KEPT_BYTES)) forget_oldest();
}

void memory_freed(struct memory *memory) {
    if (memory->graph) {
        inspect(memory);
        paint(memory, OLD);
        memory->state = STATE_COMING;
    } else
        memory_free(memory);
}

void memory_end(CUcontext context) {
    for (size_t i = 0; i < count;) {
        struct memory *memory = table[i];
        if (memory->context == context && memory->state != STATE_FREED) {
            memory_free(memory); /* may forget others: from the start again */
            i = 0;
        } else
            i++;
    }
}

void memory_inspect(void) {
    for (size_t i = 0; i < count; i++) inspect(table[i]);
}

long long memory_count(enum place place, bool bytes) {
    long long sum = 0;
    for (size_t i = 0; i < count; i++)
        if (table[i]->place == place && table[i]->state != STATE_FREED) sum += bytes ? (long long)table[i]->size : 1;
    return sum;
}
