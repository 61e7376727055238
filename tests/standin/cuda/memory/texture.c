/* Arrays, which are memory without gaps here, and textures over them. Kernels are given the elements as they are. */
#include <stdio.h>
#include <string.h>

#include "../core.h"

#define PITCH_ALIGNMENT 32 /* as CUDA's devices tell them */
#define TEXTURE_ALIGNMENT 512 /* of memory */

long long arrays_live, textures_live;

struct CUarray_st {
    enum magic magic;
    CUDA_ARRAY3D_DESCRIPTOR is;
    struct memory *memory;
    size_t row; /* bytes */
    int readers; /* textures */
};
struct texture {
    standin_texture seen; /* by kernels */
    CUarray array;        /* NULL: it reads memory of its maker's */
};
_Static_assert(sizeof(enum magic) == sizeof(int) && !offsetof(struct texture, seen.magic), "handle.c reads and writes it");

static size_t channel_size(int format) {
    switch (format) {
    case SI_FORMAT_UINT8:
    case SI_FORMAT_INT8: return 1;
    case SI_FORMAT_UINT16:
    case SI_FORMAT_INT16:
    case SI_FORMAT_HALF: return 2;
    case SI_FORMAT_UINT32:
    case SI_FORMAT_INT32:
    case SI_FORMAT_FLOAT: return 4;
    default: return 0;
    }
}

static size_t element_size(int format, unsigned int channels) {
    return channels == 1 || channels == 2 || channels == 4 ? channels * channel_size(format) : 0;
}

static size_t or_one(size_t extent) { return extent ? extent : 1; }

EXPORT CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted) {
    ENTER(NEEDS_CONTEXT, NULL);
    SAFE;
    if (!array || !wanted || !wanted->Width || (wanted->Flags & ~SI_ARRAY_LAYERED)) LEAVE(SI_ERROR_INVALID_VALUE);
    bool layered = wanted->Flags & SI_ARRAY_LAYERED;
    if (layered ? !wanted->Depth : wanted->Depth && !wanted->Height) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t row = wanted->Width * element_size((int)wanted->Format, wanted->NumChannels);
    if (!row) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t size = row * or_one(wanted->Height) * or_one(wanted->Depth);
    struct memory *memory = memory_new(current, size, PLACE_DEVICE, NULL);
    if (!memory) LEAVE(SI_ERROR_OUT_OF_MEMORY);
    *array = handle_new(sizeof **array, MAGIC_ARRAY);
    (*array)->is = *wanted;
    (*array)->memory = memory;
    (*array)->row = row;
    arrays_live++;
    snprintf(call.detail, sizeof call.detail, "%zu %zu %zu %d %u %u", wanted->Width, wanted->Height, wanted->Depth,
             (int)wanted->Format, wanted->NumChannels, wanted->Flags);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *is, CUarray array) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!is || !handle_is(array, MAGIC_ARRAY)) LEAVE(SI_ERROR_INVALID_VALUE);
    *is = array->is;
    LEAVE(SI_SUCCESS);
}

/* It waits as cuMemFree does. */
EXPORT CUresult cuArrayDestroy(CUarray array) {
    ENTER_TO_END(NULL);
    SAFE;
    if (!handle_is(array, MAGIC_ARRAY)) {
        report("an array was destroyed that is none, or no more");
        LEAVE(SI_ERROR_INVALID_HANDLE);
    }
    if (array->readers) report("an array was destroyed before its texture");
    struct memory *memory = array->memory;
    CUcontext context = memory->context;
    memory->state = STATE_GOING;
    handle_end(array);
    arrays_live--;
    if (option_free_waits) idle_wait(context, IDLE_FREE);
    memory_freed(memory);
    LEAVE(context->error);
}

/* Whole arrays only, from memory without gaps: nobody here copies anything else. */
EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream handle) {
    ENTER_TO_SUBMIT;
    if (code) LEAVE(code);
    if (!copy || (int)copy->srcMemoryType != SI_MEMORY_DEVICE || (int)copy->dstMemoryType != SI_MEMORY_ARRAY)
        LEAVE(SI_ERROR_INVALID_VALUE);
    CUarray array = (CUarray)copy->dstArray;
    if (!handle_is(array, MAGIC_ARRAY) || copy->reserved0 || copy->reserved1) LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->srcXInBytes || copy->srcY || copy->srcZ || copy->srcLOD) LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->dstXInBytes || copy->dstY || copy->dstZ || copy->dstLOD) LEAVE(SI_ERROR_INVALID_VALUE);
    size_t rows = or_one(array->is.Height), slices = or_one(array->is.Depth), size = array->row * rows * slices;
    if (copy->WidthInBytes != array->row || copy->Height != rows || copy->Depth != slices) LEAVE(SI_ERROR_INVALID_VALUE);
    if (copy->srcPitch != array->row || copy->srcHeight != rows) LEAVE(SI_ERROR_INVALID_VALUE);
    const void *from = (const void *)(uintptr_t)copy->srcDevice;
    snprintf(call.detail, sizeof call.detail, "%p %zu", from, size);
    if (!memory_find((uintptr_t)from)) LEAVE(SI_ERROR_INVALID_VALUE);
    code = memory_usable(from, size, stream->context, stream->capture ? stream->capture->graph : NULL);
    if (code) LEAVE(code);
    struct operation *operation = operation_new(stream, OP_COPY);
    operation->as.copy.to = (void *)array->memory->address;
    operation->as.copy.from = from;
    operation->as.copy.size = size;
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

/* CUDA's rules, as far as a mistake can break them. */
static bool reads_are(const CUDA_TEXTURE_DESC *reads, int format, bool linear) {
    bool floats = format == SI_FORMAT_HALF || format == SI_FORMAT_FLOAT || !(reads->flags & SI_READ_AS_INTEGER);
    if (reads->flags & ~(unsigned int)(SI_READ_AS_INTEGER | SI_NORMALIZED_COORDINATES)) return false;
    if ((int)reads->filterMode == SI_FILTER_LINEAR && (!floats || linear)) return false;
    for (int i = 0; i < 3; i++) {
        int mode = (int)reads->addressMode[i];
        if (mode < 0 || mode > SI_ADDRESS_BORDER) return false;
        if (mode != SI_ADDRESS_CLAMP && mode != SI_ADDRESS_BORDER && !(reads->flags & SI_NORMALIZED_COORDINATES))
            return false;
    }
    return true;
}

EXPORT CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *of, const CUDA_TEXTURE_DESC *reads,
                                  const CUDA_RESOURCE_VIEW_DESC *view) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!object || !of || !reads || view) LEAVE(SI_ERROR_INVALID_VALUE);
    standin_texture seen = {MAGIC_TEXTURE, 1, NULL, 0};
    CUarray array = NULL;
    int format;
    if ((int)of->resType == SI_RESOURCE_ARRAY) {
        array = of->res.array.hArray;
        if (!handle_is(array, MAGIC_ARRAY)) LEAVE(SI_ERROR_INVALID_VALUE);
        format = (int)array->is.Format;
        seen.elements = (const void *)array->memory->address;
        seen.size = array->memory->size;
    } else if ((int)of->resType == SI_RESOURCE_LINEAR) {
        format = (int)of->res.linear.format;
        seen.elements = (const void *)(uintptr_t)of->res.linear.devPtr;
        seen.size = of->res.linear.sizeInBytes;
        if (!element_size(format, of->res.linear.numChannels) || !memory_find((uintptr_t)seen.elements))
            LEAVE(SI_ERROR_INVALID_VALUE);
        if ((uintptr_t)seen.elements % TEXTURE_ALIGNMENT) LEAVE(SI_ERROR_INVALID_VALUE);
        if (memory_check(seen.elements, seen.size, false)) LEAVE(SI_ERROR_INVALID_VALUE);
    } else if ((int)of->resType == SI_RESOURCE_PITCH2D) {
        format = (int)of->res.pitch2D.format;
        size_t row = of->res.pitch2D.width * element_size(format, of->res.pitch2D.numChannels);
        seen.elements = (const void *)(uintptr_t)of->res.pitch2D.devPtr;
        if (!row || !of->res.pitch2D.height || of->res.pitch2D.pitchInBytes < row) LEAVE(SI_ERROR_INVALID_VALUE);
        if (of->res.pitch2D.pitchInBytes % PITCH_ALIGNMENT || (uintptr_t)seen.elements % TEXTURE_ALIGNMENT)
            LEAVE(SI_ERROR_INVALID_VALUE);
        seen.size = of->res.pitch2D.pitchInBytes * (of->res.pitch2D.height - 1) + row;
        if (!memory_find((uintptr_t)seen.elements) || memory_check(seen.elements, seen.size, false))
            LEAVE(SI_ERROR_INVALID_VALUE);
    } else {
        LEAVE(SI_ERROR_INVALID_VALUE);
    }
    if (!reads_are(reads, format, (int)of->resType == SI_RESOURCE_LINEAR)) LEAVE(SI_ERROR_INVALID_VALUE);
    struct texture *texture = handle_new(sizeof *texture, MAGIC_TEXTURE);
    texture->seen = seen;
    texture->array = array;
    if (array) array->readers++;
    textures_live++;
    *object = (CUtexObject)(uintptr_t)texture;
    snprintf(call.detail, sizeof call.detail, "%d %zu %d %#x", (int)of->resType, seen.size, (int)reads->filterMode,
             reads->flags);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuTexObjectDestroy(CUtexObject object) {
    ENTER_TO_END(NULL);
    struct texture *texture = (struct texture *)(uintptr_t)object;
    if (!handle_is(texture, MAGIC_TEXTURE)) {
        report("a texture was destroyed that is none, or no more");
        LEAVE(SI_ERROR_INVALID_VALUE);
    }
    if (texture->array) texture->array->readers--;
    texture->seen.live = 0;
    handle_end(texture);
    textures_live--;
    LEAVE(SI_SUCCESS);
}
