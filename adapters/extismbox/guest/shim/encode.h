/* encode.h - the state of one encoding, shared by encode.c (structure), encode_text.c (strings, numbers) and
 * encode_path.c (where a value is). */
#ifndef TOOLPLANE_ENCODE_H
#define TOOLPLANE_ENCODE_H

#include "toolplane.h"

/* Output that grows: a bytes object with room for more than the n bytes at p that are written. */
struct out {
    PyObject *bytes;
    char *p;
    Py_ssize_t n, room;
};

enum frame_kind {
    FRAME_LIST,
    FRAME_DICT,
    FRAME_HOOKED, /* an object that the hook replaced: no step of the path */
};

/* One container that is being written. Frames live on the C stack, linked from the innermost outwards. */
struct frame {
    struct frame *up;
    enum frame_kind kind;
    PyObject *object;
    PyObject *name;   /* of the current member of a dict; NULL before it is known */
    Py_ssize_t index; /* of the current element of a list */
};

struct encoder {
    struct out out;
    PyObject *hook;
    struct frame *top;
    int depth;  /* containers */
    int frames; /* containers and hooked objects */
    unsigned values;
};

/* Makes room for n more bytes: 0, or -1 with MemoryError. */
int out_grow(struct out *o, Py_ssize_t n);

static inline int out_need(struct out *o, Py_ssize_t n)
{
    return o->room - o->n >= n ? 0 : out_grow(o, n);
}

int out_put(struct out *o, const char *s, Py_ssize_t n);

/* What was written, as bytes. New reference, NULL with MemoryError. The output is empty afterwards. */
PyObject *out_take(struct out *o);

/* What becomes of lone surrogates in out_string. */
enum surrogates { SURROGATES_STOP, SURROGATES_SHOWN };

/* A str as a JSON string: 0; -1 with an exception; 1 if it holds lone surrogates (SURROGATES_STOP; nothing is written).
 * SURROGATES_SHOWN writes each as \udxxx. */
int out_string(struct out *o, PyObject *s, enum surrogates mode);

/* An int: 0; -1 with an exception; 1 if it has more digits than CPython converts (nothing is written). */
int out_int(struct out *o, PyObject *v);

/* A finite float in the shortest form that reads back equal and still reads as a float. */
int out_float(struct out *o, double v);

/* The path of the value that is being written, such as $.rows[1].name, as a str. New reference. */
PyObject *frame_path(const struct frame *top);

#endif
