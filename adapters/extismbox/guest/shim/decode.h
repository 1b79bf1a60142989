/* decode.h - the state of one decoding, shared by decode.c (structure) and decode_text.c (strings and numbers). */
#ifndef TOOLPLANE_DECODE_H
#define TOOLPLANE_DECODE_H

#include "toolplane.h"

/* Slots for member names seen in this text, and nesting levels whose last object is remembered. */
enum { DECODE_NAMES = 128, DECODE_SHAPES = 8 };

/* A member name of up to 64 ASCII bytes: its first and last bytes make its identity. */
struct name {
    uint64_t head, tail;
    Py_ssize_t n;
    PyObject *str;
};

/* The last object of a nesting level: rows have the same members in the same order, so the next one starts as a copy. */
struct shape {
    PyObject *dict;
    int blank; /* all its values are None: ready to be copied */
};

struct decoder {
    const char *start, *p, *end;
    PyObject **stack; /* members of the containers that are still open */
    Py_ssize_t top, room;
    int depth;
    unsigned values;
    int named;
    struct shape shapes[DECODE_SHAPES];
    struct name names[DECODE_NAMES];
};

/* ValueError with the place and the reason; returns NULL. */
PyObject *decode_fail(struct decoder *d, const char *reason);

/* The string, member name or number that starts at d->p; the opening quote is still there. New reference. */
PyObject *decode_string(struct decoder *d);
PyObject *decode_name(struct decoder *d);
PyObject *decode_number(struct decoder *d);

#endif
