/* decode.c - loads: JSON text to Python objects, straight from the buffer that the host filled. */
#include "decode.h"
#include "internal/pycore_dict.h"

/* Nesting that loads accepts; canonical JSON stops at 512. */
enum { MAX_DEPTH = 1000 };

static PyObject *decode_value(struct decoder *d);

static int push(struct decoder *d, PyObject *o)
{
    if (d->top == d->room) {
        size_t room = d->room ? (size_t)d->room * 2 : 64;
        PyObject **stack = room > PY_SSIZE_T_MAX / sizeof *stack ? NULL : PyMem_Realloc(d->stack, room * sizeof *stack);
        if (!stack) {
            Py_DECREF(o);
            PyErr_NoMemory();
            return -1;
        }
        d->stack = stack;
        d->room = (Py_ssize_t)room;
    }
    d->stack[d->top++] = o;
    return 0;
}

/* The next byte behind white space, 0 at the end. */
static int next(struct decoder *d)
{
    while (d->p < d->end) {
        int c = (unsigned char)*d->p;
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return c;
        d->p++;
    }
    return 0;
}

/* ---- objects ---- */

/* Whether the dict has exactly the n names of the pairs, in their order. */
static int same_names(PyObject *dict, PyObject **pairs, Py_ssize_t n)
{
    PyDictKeysObject *keys = ((PyDictObject *)dict)->ma_keys;
    if (PyDict_GET_SIZE(dict) != n || keys->dk_nentries != n || !DK_IS_UNICODE(keys))
        return 0;
    PyDictUnicodeEntry *entry = DK_UNICODE_ENTRIES(keys);
    for (Py_ssize_t i = 0; i < n; i++)
        if (entry[i].me_key != pairs[2 * i])
            return 0;
    return 1;
}

/* A dict with the pairs, which has the names of the shape: a copy of its table with the values put in. Takes the
 * references of the pairs when it succeeds. */
static PyObject *copy_shape(struct shape *shape, PyObject **pairs, Py_ssize_t n)
{
    if (!shape->blank) {
        PyObject *blank = PyDict_Copy(shape->dict);
        if (!blank)
            return NULL;
        for (Py_ssize_t i = 0; i < n; i++)
            if (PyDict_SetItem(blank, pairs[2 * i], Py_None) < 0)
                return Py_DECREF(blank), NULL;
        _PyDict_MaybeUntrack(blank);
        Py_SETREF(shape->dict, blank);
        shape->blank = 1;
    }
    PyObject *dict = PyDict_Copy(shape->dict);
    if (!dict)
        return NULL;
    PyDictUnicodeEntry *entry = DK_UNICODE_ENTRIES(((PyDictObject *)dict)->ma_keys);
    int track = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *value = pairs[2 * i + 1];
        Py_SETREF(entry[i].me_value, value);
        track |= PyObject_IS_GC(value);
        Py_DECREF(pairs[2 * i]);
    }
    if (track && !PyObject_GC_IsTracked(dict))
        PyObject_GC_Track(dict);
    return dict;
}

/* A dict of the pairs; of equal names the last one counts. Takes their references when it succeeds. */
static PyObject *build_dict(PyObject **pairs, Py_ssize_t n)
{
    PyObject *dict = _PyDict_FromItems(pairs, 2, pairs + 1, 2, n);
    if (!dict)
        return NULL;
    for (Py_ssize_t i = 0; i < 2 * n; i++)
        Py_DECREF(pairs[i]);
    return dict;
}

/* Makes the object of the pairs above base, and takes them off the stack. */
static PyObject *close_object(struct decoder *d, Py_ssize_t base)
{
    Py_ssize_t n = (d->top - base) / 2;
    PyObject **pairs = d->stack + base;
    struct shape *shape = &d->shapes[d->depth % DECODE_SHAPES];
    PyObject *dict;
    if (n == 0)
        return PyDict_New();
    if (shape->dict && same_names(shape->dict, pairs, n)) {
        dict = copy_shape(shape, pairs, n);
    } else {
        dict = build_dict(pairs, n);
        if (dict && n <= 64) {
            Py_XSETREF(shape->dict, Py_NewRef(dict));
            shape->blank = 0;
        }
    }
    if (dict)
        d->top = base;
    return dict;
}

static PyObject *decode_object(struct decoder *d)
{
    Py_ssize_t base = d->top;
    d->p++;
    if (next(d) == '}') {
        d->p++;
        return PyDict_New();
    }
    for (;;) {
        if (next(d) != '"')
            return decode_fail(d, "a member name is expected");
        PyObject *name = decode_name(d);
        if (!name || push(d, name) < 0)
            return NULL;
        if (next(d) != ':')
            return decode_fail(d, "':' is expected");
        d->p++;
        PyObject *value = decode_value(d);
        if (!value || push(d, value) < 0)
            return NULL;
        int c = next(d);
        d->p += c == ',' || c == '}';
        if (c == '}')
            return close_object(d, base);
        if (c != ',')
            return decode_fail(d, "',' or '}' is expected");
    }
}

/* ---- arrays and the rest ---- */

static PyObject *close_array(struct decoder *d, Py_ssize_t base)
{
    Py_ssize_t n = d->top - base;
    PyObject *list = PyList_New(n);
    if (!list)
        return NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        PyList_SET_ITEM(list, i, d->stack[base + i]);
    d->top = base;
    return list;
}

static PyObject *decode_array(struct decoder *d)
{
    Py_ssize_t base = d->top;
    d->p++;
    if (next(d) == ']') {
        d->p++;
        return PyList_New(0);
    }
    for (;;) {
        PyObject *value = decode_value(d);
        if (!value || push(d, value) < 0)
            return NULL;
        int c = next(d);
        d->p += c == ',' || c == ']';
        if (c == ']')
            return close_array(d, base);
        if (c != ',')
            return decode_fail(d, "',' or ']' is expected");
    }
}

static PyObject *literal(struct decoder *d, const char *word, Py_ssize_t n, PyObject *value)
{
    if (d->end - d->p < n || memcmp(d->p, word, (size_t)n) != 0)
        return decode_fail(d, "a value is expected");
    d->p += n;
    return Py_NewRef(value);
}

static PyObject *nested(struct decoder *d, PyObject *(*decode)(struct decoder *))
{
    if (d->depth == MAX_DEPTH)
        return decode_fail(d, "nested too deeply (more than 1000 levels)");
    d->depth++;
    PyObject *o = decode(d);
    d->depth--;
    return o;
}

static PyObject *decode_value(struct decoder *d)
{
    int c = next(d);
    if ((++d->values & 1023) == 0 && tp_check_stop() < 0)
        return NULL;
    switch (c) {
    case '"':
        return decode_string(d);
    case '{':
        return nested(d, decode_object);
    case '[':
        return nested(d, decode_array);
    case 't':
        return literal(d, "true", 4, Py_True);
    case 'f':
        return literal(d, "false", 5, Py_False);
    case 'n':
        return literal(d, "null", 4, Py_None);
    case '-':
        return decode_number(d);
    }
    if (c >= '0' && c <= '9')
        return decode_number(d);
    return decode_fail(d, c ? "a value is expected" : "the text ends too early");
}

PyObject *tp_decode(const char *json, Py_ssize_t n)
{
    struct decoder d;
    memset(&d, 0, offsetof(struct decoder, names));
    d.start = d.p = json;
    d.end = json + n;
    PyObject *o = decode_value(&d);
    if (o && (next(&d) || d.p < d.end)) {
        Py_CLEAR(o);
        decode_fail(&d, "more text behind the value");
    }
    while (d.top > 0)
        Py_DECREF(d.stack[--d.top]);
    PyMem_Free(d.stack);
    for (int i = 0; i < DECODE_SHAPES; i++)
        Py_XDECREF(d.shapes[i].dict);
    for (int i = 0; d.named && i < DECODE_NAMES; i++)
        Py_XDECREF(d.names[i].str);
    return o;
}

/* loads(json) -> value; json is a str or bytes-like */
PyObject *tp_py_loads(PyObject *self, PyObject *source)
{
    if (PyUnicode_Check(source)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(source, &n);
        return s ? tp_decode(s, n) : NULL;
    }
    Py_buffer view;
    if (PyObject_GetBuffer(source, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *o = tp_decode(view.buf, view.len);
    PyBuffer_Release(&view);
    return o;
}
