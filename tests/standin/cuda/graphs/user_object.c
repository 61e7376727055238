/* User objects: references that callers and graphs have to something of the program's, and the program's function that
 * is called when the last one has gone. What is instantiated of a graph has references of its own, which its launches
 * in flight keep too. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "../core.h"

struct CUuserObject_st {
    enum magic magic;
    CUuserObject next, following;           /* among all; among those that are due */
    unsigned long long callers, references; /* those that callers have; all */
    CUhostFn destroy;                       /* NULL: it is forgotten, and not called any more */
    void *data;
};
struct objects {
    unsigned int users, count, room;
    struct owned {
        CUuserObject object;
        unsigned long long references;
    } *items;
};

long long user_objects_live, user_objects_due;
static CUuserObject objects, first_due, last_due;
static unsigned int calling;

static void object_end(CUuserObject object) {
    for (CUuserObject *at = &objects; *at; at = &(*at)->next)
        if (*at == object) {
            *at = object->next;
            break;
        }
    user_objects_live--;
    handle_end(object);
}

static CUuserObject due_next(void) {
    CUuserObject object = first_due;
    if (!object) return NULL;
    first_due = object->following;
    if (!first_due) last_due = NULL;
    return object;
}

static void object_release(CUuserObject object, unsigned long long count) {
    object->references -= count;
    if (object->references) return;
    object->magic = MAGIC_DEAD;
    if (!object->destroy) {
        object_end(object);
        return;
    }
    if (last_due)
        last_due->following = object;
    else
        first_due = object;
    last_due = object;
    user_objects_due++;
    if (!option_destroy_at_once) worker_for_functions();
}

bool user_objects_destroy(void) {
    CUuserObject object = due_next();
    if (!object) return false;
    calling++;
    if (!standin_stopped) call_outside(object->destroy, object->data, "a user object's destroy function");
    calling--;
    user_objects_due--;
    object_end(object);
    workers_completed();
    return true;
}

void user_objects_forget(void) {
    while (calling && !standin_stopped) workers_wait();
    for (CUuserObject object; (object = due_next()); user_objects_due--) object_end(object);
    for (CUuserObject object = objects; object; object = object->next) object->destroy = NULL;
}

void user_objects_reset(void) {
    while (objects) object_end(objects);
}

static struct owned *find(struct objects *owner, CUuserObject object) {
    for (unsigned int i = 0; owner && i < owner->count; i++)
        if (owner->items[i].object == object) return &owner->items[i];
    return NULL;
}

static void add(struct objects *owner, CUuserObject object, unsigned long long references) {
    struct owned *owned = find(owner, object);
    if (!owned) {
        if (owner->count == owner->room) {
            owner->room = owner->room ? owner->room * 2 : 4;
            owner->items = realloc(owner->items, owner->room * sizeof *owner->items);
        }
        owned = &owner->items[owner->count++];
        *owned = (struct owned){object, 0};
    }
    owned->references += references;
}

static struct objects *objects_new(void) {
    struct objects *made = calloc(1, sizeof *made);
    made->users = 1;
    return made;
}

struct objects *objects_copy(const struct objects *from) {
    if (!from) return NULL;
    struct objects *made = objects_new();
    for (unsigned int i = 0; i < from->count; i++) {
        from->items[i].object->references += from->items[i].references;
        add(made, from->items[i].object, from->items[i].references);
    }
    return made;
}

struct objects *objects_keep(struct objects *kept) {
    if (kept) kept->users++;
    return kept;
}

void objects_drop(struct objects *dropped) {
    if (!dropped || --dropped->users) return;
    for (unsigned int i = 0; i < dropped->count; i++)
        object_release(dropped->items[i].object, dropped->items[i].references);
    free(dropped->items);
    free(dropped);
}

/* With an object that is no more, or for references that are not the caller's, CUDA's calls may do anything. */
static bool check(struct call *call, CUuserObject object, unsigned int count) {
    snprintf(call->detail, sizeof call->detail, "%p %u", (void *)object, count);
    if (object && !handle_is(object, MAGIC_USER_OBJECT))
        report("%s was given a user object that nobody has references to", call->name);
    else
        return object && count && count <= INT_MAX;
    return false;
}

static bool take(struct call *call, CUuserObject object, unsigned int count) {
    if (count <= object->callers) {
        object->callers -= count;
        return true;
    }
    report("%s was called for %u references to a user object of which callers have %llu", call->name, count,
           object->callers);
    return false;
}

EXPORT CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned int count,
                                   unsigned int flags) {
    ENTER(NEEDS_INIT, NULL);
    if (!object || !destroy || !count || count > INT_MAX || flags != SI_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        LEAVE(SI_ERROR_INVALID_VALUE);
    CUuserObject made = handle_new(sizeof *made, MAGIC_USER_OBJECT);
    made->callers = made->references = count;
    made->destroy = destroy;
    made->data = data;
    made->next = objects;
    objects = *object = made;
    user_objects_live++;
    snprintf(call.detail, sizeof call.detail, "%p %u", (void *)made, count);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
    ENTER(NEEDS_INIT, NULL);
    if (!check(&call, object, count)) LEAVE(SI_ERROR_INVALID_VALUE);
    object->callers += count;
    object->references += count;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
    ENTER(NEEDS_INIT, NULL);
    if (!check(&call, object, count) || !take(&call, object, count)) LEAVE(SI_ERROR_INVALID_VALUE);
    object_release(object, count);
    LEAVE(SI_SUCCESS);
}

/* A graph that is being captured can be given references like any other: no capture forbids it. */
EXPORT CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
    ENTER(NEEDS_INIT, NULL);
    if (!check(&call, object, count) || !handle_is(graph, MAGIC_GRAPH)) LEAVE(SI_ERROR_INVALID_VALUE);
    if (flags & ~(unsigned int)SI_GRAPH_USER_OBJECT_MOVE) LEAVE(SI_ERROR_INVALID_VALUE);
    if (!flags)
        object->references += count;
    else if (!take(&call, object, count))
        LEAVE(SI_ERROR_INVALID_VALUE);
    if (!graph->objects) graph->objects = objects_new();
    add(graph->objects, object, count);
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
    ENTER(NEEDS_INIT, NULL);
    if (!check(&call, object, count) || !handle_is(graph, MAGIC_GRAPH)) LEAVE(SI_ERROR_INVALID_VALUE);
    struct owned *owned = find(graph->objects, object);
    if (!owned || owned->references < count) LEAVE(SI_ERROR_INVALID_VALUE);
    owned->references -= count;
    if (!owned->references) *owned = graph->objects->items[--graph->objects->count];
    object_release(object, count);
    LEAVE(SI_SUCCESS);
}
