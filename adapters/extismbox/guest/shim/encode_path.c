/* encode_path.c - the JSON path of the value that is being written. */
#include "encode.h"

/* Characters of a member name that a path shows, and steps; the middle of a longer path is left out. */
enum { NAME_SHOWN = 64, STEPS_SHOWN = 32 };

#define ELLIPSIS "\xE2\x80\xA6"

static int is_identifier(PyObject *name)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    if (!PyUnicode_IS_ASCII(name) || n == 0)
        return 0;
    const unsigned char *s = PyUnicode_1BYTE_DATA(name);
    for (Py_ssize_t i = 0; i < n; i++) {
        int letter = (s[i] | 32) >= 'a' && (s[i] | 32) <= 'z';
        if (!letter && s[i] != '_' && !(i && s[i] >= '0' && s[i] <= '9'))
            return 0;
    }
    return 1;
}

/* .name, or ["odd name"] */
static int put_name(struct out *o, PyObject *name)
{
    int plain = is_identifier(name), cut = PyUnicode_GET_LENGTH(name) > NAME_SHOWN;
    PyObject *shown = cut ? PyUnicode_Substring(name, 0, NAME_SHOWN) : Py_NewRef(name);
    if (!shown)
        return -1;
    int rc = plain ? out_put(o, ".", 1) : out_put(o, "[", 1);
    if (rc == 0 && plain)
        rc = out_put(o, (const char *)PyUnicode_DATA(shown), PyUnicode_GET_LENGTH(shown));
    else if (rc == 0)
        rc = out_string(o, shown, SURROGATES_SHOWN);
    Py_DECREF(shown);
    if (rc < 0)
        return -1;
    o->n -= !plain; /* the closing quote, for now */
    if (cut && out_put(o, ELLIPSIS, 3) < 0)
        return -1;
    return plain ? 0 : out_put(o, "\"]", 2);
}

static int put_step(struct out *o, const struct frame *f)
{
    char text[32];
    if (f->kind == FRAME_LIST)
        return out_put(o, text, PyOS_snprintf(text, sizeof text, "[%zd]", f->index));
    return put_name(o, f->name);
}

/* Frames are linked from the innermost outwards; the path is written the other way, from an array of its steps. */
PyObject *frame_path(const struct frame *top)
{
    struct out o = {0};
    PyObject *path = NULL;
    Py_ssize_t n = 0;
    for (const struct frame *f = top; f; f = f->up)
        n++;
    const struct frame **steps = PyMem_New(const struct frame *, n + 1), **first = steps + n;
    if (!steps)
        return PyErr_NoMemory();
    for (const struct frame *f = top; f; f = f->up)
        if (f->kind == FRAME_LIST || (f->kind == FRAME_DICT && f->name))
            *--first = f;
    n -= first - steps;
    int rc = out_put(&o, "$", 1);
    for (Py_ssize_t i = 0; rc == 0 && i < n; i++) {
        if (n <= STEPS_SHOWN || i < STEPS_SHOWN / 2 || i >= n - STEPS_SHOWN / 2)
            rc = put_step(&o, first[i]);
        else if (i == STEPS_SHOWN / 2)
            rc = out_put(&o, ELLIPSIS, 3);
    }
    if (rc == 0)
        path = PyUnicode_DecodeUTF8(o.p, o.n, "replace");
    PyMem_Free(steps);
    Py_XDECREF(o.bytes);
    return path;
}
