/* Cubins, as NVRTC makes them: names and parameters of their kernels, and their variables; not their code, see ptx.c.
 *
 * The layout of `.nv.info` is not documented by NVIDIA; it is what tools that read it agree on:
 * entries of (format, attribute, 16 bits), followed by as many bytes as these say where the format is 4. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "../core.h"

#define MACHINE_CUDA 190
#define INFO_SIZED 4
#define INFO_MAX_THREADS 0x05
#define INFO_PARAMETER 0x17
#define INFO_LONG_PARAMETER 0x45 /* of kernels whose arguments are more than 4 KiB */
#define TYPE_UNLINKED 13 /* of variables, in files that are to be linked */
#define INSTRUCTION_WAIT 0x82e
#define INSTRUCTION_TRIGGER 0x82d
#define RESERVED_SHARED 1024 /* from compute capability 9.0 on, `.nv.shared.NAME` begins with it */

struct elf {
    const char *image;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const char *names;
};

static const char *name_of(const struct elf *elf, const Elf64_Shdr *section) { return elf->names + section->sh_name; }

static const Elf64_Shdr *section_of(const struct elf *elf, const char *prefix, const char *name) {
    size_t length = strlen(prefix);
    for (int i = 0; i < elf->header->e_shnum; i++) {
        const char *found = name_of(elf, &elf->sections[i]);
        if (!strncmp(found, prefix, length) && !strcmp(found + length, name)) return &elf->sections[i];
    }
    return NULL;
}

static int capability_of(const Elf64_Ehdr *header) {
    return header->e_ident[EI_ABIVERSION] >= 8 ? (int)(header->e_flags >> 8 & 0xff) : (int)(header->e_flags & 0xff);
}

static void read_info(const struct elf *elf, CUfunction function) {
    struct parameter found[512];
    unsigned int count = 0;
    const Elf64_Shdr *section = section_of(elf, ".nv.info.", function->name);
    if (!section) return;
    const char *at = elf->image + section->sh_offset, *end = at + section->sh_size;
    while (at + 4 <= end) {
        unsigned char format = (unsigned char)at[0], attribute = (unsigned char)at[1];
        uint16_t size;
        uint32_t words[3] = {0};
        memcpy(&size, at + 2, sizeof size);
        at += 4;
        if (format != INFO_SIZED) continue;
        memcpy(words, at, size < sizeof words ? size : sizeof words);
        at += size;
        if (attribute == INFO_MAX_THREADS) function->max_threads = (int)(words[0] * words[1] * words[2]);
        if (attribute != INFO_PARAMETER && attribute != INFO_LONG_PARAMETER) continue;
        unsigned int ordinal = words[1] & 0xffff; /* they come last first */
        if (ordinal >= sizeof found / sizeof *found) continue;
        found[ordinal] = (struct parameter){words[1] >> 16, attribute == INFO_PARAMETER ? words[2] >> 18 : words[2]};
        if (ordinal >= count) count = ordinal + 1;
    }
    for (unsigned int i = 0; i < count; i++) function_parameter(function, found[i].offset, found[i].size);
}

/* Instructions have 16 bytes. Waits (ACQBULK) and triggers (PREEXIT) have these codes from compute capability 9.0 on. */
static bool has(const struct elf *elf, const char *name, unsigned int instruction) {
    const Elf64_Shdr *text = section_of(elf, ".text.", name);
    for (size_t at = 0; text && at + 16 <= text->sh_size; at += 16) {
        uint64_t word;
        memcpy(&word, elf->image + text->sh_offset + at, sizeof word);
        if ((word & 0xfff) == instruction) return true;
    }
    return false;
}

static void read_kernel(struct reading *reading, const struct elf *elf, const char *name) {
    CUfunction function = module_function(reading->module, name, strlen(name));
    read_info(elf, function);
    function->binary = capability_of(elf->header);
    function->waits = function->binary >= 90 && has(elf, name, INSTRUCTION_WAIT);
    function->triggers = function->binary >= 90 && has(elf, name, INSTRUCTION_TRIGGER);
    const Elf64_Shdr *shared = section_of(elf, ".nv.shared.", name);
    size_t reserved = function->binary >= 90 ? RESERVED_SHARED : 0;
    if (shared && shared->sh_size > reserved) function->shared = (int)(shared->sh_size - reserved);
}

static void read_global(struct reading *reading, const struct elf *elf, const Elf64_Sym *symbol, const char *name) {
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= elf->header->e_shnum || !symbol->st_size) return;
    const Elf64_Shdr *section = &elf->sections[symbol->st_shndx];
    const char *where = name_of(elf, section);
    if (strcmp(where, ".nv.constant3") && strncmp(where, ".nv.global", 10)) return;
    struct global *global = module_global(reading->module, name, strlen(name), symbol->st_size);
    if (global && section->sh_type != SHT_NOBITS) /* addresses of other variables are left 0 */
        memcpy((void *)(uintptr_t)global->address, elf->image + section->sh_offset + symbol->st_value, symbol->st_size);
}

bool cubin_is(const char *image) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
    return !memcmp(image, ELFMAG, SELFMAG) && header->e_machine == MACHINE_CUDA;
}

int cubin_read(struct reading *reading) {
    struct elf elf = {.image = reading->image, .header = (const Elf64_Ehdr *)reading->image};
    int capability = capability_of(elf.header), mine = device_capability(reading->module->context->device);
    if (capability / 10 != mine / 10 || capability > mine) {
        snprintf(reading->log, sizeof reading->log, "error   : the binary is for sm_%d, the device is sm_%d",
                 capability, mine);
        return SI_ERROR_NO_BINARY_FOR_GPU;
    }
    elf.sections = (const Elf64_Shdr *)(reading->image + elf.header->e_shoff);
    elf.names = reading->image + elf.sections[elf.header->e_shstrndx].sh_offset;
    const Elf64_Shdr *table = section_of(&elf, ".symtab", "");
    if (!table) return SI_ERROR_INVALID_IMAGE;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(reading->image + table->sh_offset);
    const char *names = reading->image + elf.sections[table->sh_link].sh_offset;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const char *name = names + symbols[i].st_name;
        unsigned char type = ELF64_ST_TYPE(symbols[i].st_info);
        if (type == STT_FUNC && section_of(&elf, ".nv.info.", name))
            read_kernel(reading, &elf, name);
        else if (type == STT_OBJECT || type == TYPE_UNLINKED)
            read_global(reading, &elf, &symbols[i], name);
    }
    return SI_SUCCESS;
}

void cubin_symbols(const char *image, void (*each)(void *data, const char *name, bool defined, bool weak), void *data) {
    struct elf elf = {.image = image, .header = (const Elf64_Ehdr *)image};
    elf.sections = (const Elf64_Shdr *)(image + elf.header->e_shoff);
    elf.names = image + elf.sections[elf.header->e_shstrndx].sh_offset;
    const Elf64_Shdr *table = section_of(&elf, ".symtab", "");
    if (!table) return;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(image + table->sh_offset);
    const char *names = image + elf.sections[table->sh_link].sh_offset;
    for (size_t i = 1; i < table->sh_size / sizeof *symbols; i++) {
        unsigned char binding = ELF64_ST_BIND(symbols[i].st_info), type = ELF64_ST_TYPE(symbols[i].st_info);
        if (binding != STB_LOCAL && (type == STT_FUNC || type == STT_OBJECT || type == TYPE_UNLINKED))
            each(data, names + symbols[i].st_name, symbols[i].st_shndx != SHN_UNDEF, binding == STB_WEAK);
    }
}
