/* encode.c - dumps: Python objects to compact JSON, with a hook for everything that JSON lacks.
 *
 * hook(kind, object, path) returns what to write in the object's place, or raises. kind is one of "type", "float" (not
 * finite), "key" (not a str), "surrogate", "cycle", "depth" and "int" (too many digits). Only the answer to "type" may be
 * any value; it is written by the same rules. The hook runs Python code, so every object in use is held, and containers
 * are read as if they changed at any time.
 */
#include "encode.h"

#include <math.h>

/* Nesting of containers, and of containers and replaced objects together. */
enum { MAX_DEPTH = 512, MAX_FRAMES = 1024 };

static int encode_value(struct encoder *e, PyObject *o);

static int out_char(struct encoder *e, char c)
{
    if (out_need(&e->out, 1) < 0)
        return -1;
    e->out.p[e->out.n++] = c;
    return 0;
}

/* ---- hook ---- */

static PyObject *call_hook(struct encoder *e, const char *kind, PyObject *o)
{
    PyObject *answer = NULL, *path = frame_path(e->top);
    if (!path)
        return NULL;
    if (e->hook == Py_None)
        PyErr_Format(PyExc_ValueError, "%U: %.100s is not JSON (%s)", path, Py_TYPE(o)->tp_name, kind);
    else
        answer = PyObject_CallFunction(e->hook, "sOO", kind, o, path);
    Py_DECREF(path);
    return answer;
}

/* Writes what the hook gave for an irregular scalar or a container that may not be entered. */
static int encode_scalar(struct encoder *e, PyObject *o)
{
    int rc = -2;
    if (o == Py_None)
        return out_put(&e->out, "null", 4);
    if (PyBool_Check(o))
        return o == Py_True ? out_put(&e->out, "true", 4) : out_put(&e->out, "false", 5);
    if (PyUnicode_Check(o))
        rc = out_string(&e->out, o, SURROGATES_STOP);
    else if (PyLong_Check(o))
        rc = out_int(&e->out, o);
    else if (PyFloat_Check(o) && isfinite(PyFloat_AS_DOUBLE(o)))
        rc = out_float(&e->out, PyFloat_AS_DOUBLE(o));
    if (rc == 0 || rc == -1)
        return rc;
    PyErr_Format(PyExc_TypeError, "the hook returned a %.100s that is not a plain JSON value", Py_TYPE(o)->tp_name);
    return -1;
}

static int replace(struct encoder *e, const char *kind, PyObject *o)
{
    PyObject *answer = call_hook(e, kind, o);
    if (!answer)
        return -1;
    int rc = encode_scalar(e, answer);
    Py_DECREF(answer);
    return rc;
}

/* ---- containers ---- */

static int is_open(const struct encoder *e, PyObject *o)
{
    for (const struct frame *f = e->top; f; f = f->up)
        if (f->object == o)
            return 1;
    return 0;
}

/* Opens a frame for o. 0: done; 1: the hook's answer was written in its place; -1: exception. */
static int enter(struct encoder *e, struct frame *f, enum frame_kind kind, PyObject *o)
{
    if (is_open(e, o))
        return replace(e, "cycle", o) < 0 ? -1 : 1;
    if (e->frames >= MAX_FRAMES || (kind != FRAME_HOOKED && e->depth >= MAX_DEPTH))
        return replace(e, "depth", o) < 0 ? -1 : 1;
    if (Py_EnterRecursiveCall(" while encoding JSON"))
        return -1;
    *f = (struct frame){.up = e->top, .kind = kind, .object = o};
    e->top = f;
    e->frames++;
    e->depth += kind != FRAME_HOOKED;
    return 0;
}

static void leave(struct encoder *e, struct frame *f)
{
    e->top = f->up;
    e->frames--;
    e->depth -= f->kind != FRAME_HOOKED;
    Py_LeaveRecursiveCall();
}

static int list_elements(struct encoder *e, struct frame *f, PyObject *o)
{
    Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    if (out_char(e, '[') < 0)
        return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i >= PySequence_Fast_GET_SIZE(o))
            break;
        if (i && out_char(e, ',') < 0)
            return -1;
        f->index = i;
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(o, i));
        int rc = encode_value(e, item);
        Py_DECREF(item);
        if (rc < 0)
            return -1;
    }
    return out_char(e, ']');
}

/* Writes a member's name. The frame holds it, as a str, while its value is written. */
static int member_name(struct encoder *e, struct frame *f, PyObject *key)
{
    f->name = NULL;
    if (PyUnicode_Check(key)) {
        f->name = Py_NewRef(key);
    } else {
        PyObject *name = call_hook(e, "key", key);
        if (name && !PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "the hook returned a %.100s as a member name", Py_TYPE(name)->tp_name);
            Py_CLEAR(name);
        }
        if (!name)
            return -1;
        f->name = name;
    }
    int rc = out_string(&e->out, f->name, SURROGATES_STOP);
    if (rc != 1)
        return rc;
    PyObject *name = f->name;
    f->name = NULL; /* the path of a bad name is that of its object */
    PyObject *answer = call_hook(e, "surrogate", name);
    Py_DECREF(name);
    if (!answer)
        return -1;
    if (PyUnicode_Check(answer) && out_string(&e->out, answer, SURROGATES_STOP) == 0) {
        f->name = answer;
        return 0;
    }
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "the hook must return a str without surrogates as a member name");
    Py_DECREF(answer);
    return -1;
}

static int member(struct encoder *e, struct frame *f, PyObject *key, PyObject *value, int first)
{
    int rc = !first && out_char(e, ',') < 0 ? -1 : member_name(e, f, key);
    if (rc == 0)
        rc = out_char(e, ':') < 0 ? -1 : encode_value(e, value);
    Py_CLEAR(f->name);
    return rc;
}

static int dict_members(struct encoder *e, struct frame *f, PyObject *o)
{
    Py_ssize_t at = 0, n = PyDict_GET_SIZE(o);
    PyObject *key, *value;
    if (out_char(e, '{') < 0)
        return -1;
    for (int first = 1; PyDict_Next(o, &at, &key, &value); first = 0) {
        Py_INCREF(key);
        Py_INCREF(value);
        int rc = member(e, f, key, value, first);
        Py_DECREF(key);
        Py_DECREF(value);
        if (rc < 0)
            return -1;
        if (PyDict_GET_SIZE(o) != n) {
            PyErr_SetString(PyExc_RuntimeError, "dictionary changed size during iteration");
            return -1;
        }
    }
    return out_char(e, '}');
}

/* An OrderedDict keeps its order beside the table: its items are asked for. */
static int ordered_members(struct encoder *e, struct frame *f, PyObject *o)
{
    PyObject *items = PyMapping_Items(o);
    if (!items)
        return -1;
    int rc = out_char(e, '{');
    for (Py_ssize_t i = 0; rc == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "items() must give pairs");
            rc = -1;
            break;
        }
        rc = member(e, f, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1), i == 0);
    }
    Py_DECREF(items);
    return rc < 0 ? -1 : out_char(e, '}');
}

static int container(struct encoder *e, PyObject *o)
{
    struct frame f;
    int rc = enter(e, &f, PyDict_Check(o) ? FRAME_DICT : FRAME_LIST, o);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (f.kind == FRAME_LIST)
        rc = list_elements(e, &f, o);
    else
        rc = PyODict_Check(o) ? ordered_members(e, &f, o) : dict_members(e, &f, o);
    leave(e, &f);
    return rc;
}

/* An object that JSON lacks: the hook's answer is written by the same rules, below a frame that holds the object. */
static int other(struct encoder *e, PyObject *o)
{
    struct frame f;
    int rc = enter(e, &f, FRAME_HOOKED, o);
    if (rc)
        return rc < 0 ? -1 : 0;
    PyObject *answer = call_hook(e, "type", o);
    rc = answer ? encode_value(e, answer) : -1;
    Py_XDECREF(answer);
    leave(e, &f);
    return rc;
}

static int encode_value(struct encoder *e, PyObject *o)
{
    int rc;
    if ((++e->values & 255) == 0 && tp_check_stop() < 0)
        return -1;
    if (PyUnicode_Check(o)) {
        rc = out_string(&e->out, o, SURROGATES_STOP);
        return rc == 1 ? replace(e, "surrogate", o) : rc;
    }
    if (o == Py_None || PyBool_Check(o))
        return encode_scalar(e, o);
    if (PyLong_Check(o)) {
        rc = out_int(&e->out, o);
        return rc == 1 ? replace(e, "int", o) : rc;
    }
    if (PyFloat_Check(o)) {
        double v = PyFloat_AS_DOUBLE(o);
        return isfinite(v) ? out_float(&e->out, v) : replace(e, "float", o);
    }
    if (PyDict_Check(o) || PyList_Check(o) || PyTuple_Check(o))
        return container(e, o);
    return other(e, o);
}

/* dumps(value, hook) -> bytes */
PyObject *tp_py_dumps(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "dumps(value, hook) takes 2 arguments");
        return NULL;
    }
    struct encoder e = {.hook = args[1]};
    if (encode_value(&e, args[0]) == 0)
        return out_take(&e.out);
    Py_XDECREF(e.out.bytes);
    return NULL;
}
