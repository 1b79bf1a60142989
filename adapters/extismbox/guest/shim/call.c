/* call.c - calls of the host: sent when they are made, collected by `await`, without Python code on the way.
 *
 * The prelude derives its class of calls from the type here, and gives share what both sides work with. What goes wrong
 * at once is raised where the call is awaited, like all else that goes wrong. */
#include "toolplane.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_genobject.h"
#include "internal/pycore_pystate.h"
#include <stddef.h>
#include <structmember.h>

/* What the prelude shares. */
static struct {
    PyTypeObject *call;  /* its class of calls */
    PyObject *unawaited; /* dict: id() -> call that nobody has awaited */
    PyObject *pending;   /* dict: number that the host gave -> call that it has not answered */
    PyObject *strict;    /* hook of dumps for arguments */
    PyObject *arguments; /* function: (shown, positional, keywords) -> dict */
    PyObject *text;      /* class of text answers */
    PyObject *file;      /* name of the snippet's own code */
} shared;

struct call {
    PyObject_HEAD
    PyObject *shown, *number, *answer, *error, *waiters, *steps;
    PyObject *code; /* the snippet's own that made the call, innermost; NULL if none did */
    int offset;     /* in code, in bytes */
    char text, done, awaited;
};

static PyTypeObject call_type;

/* ---- making a call ---- */

static void remember_place(struct call *c)
{
    for (_PyInterpreterFrame *f = _PyThreadState_GET()->current_frame; f && shared.file; f = f->previous) {
        if (_PyFrame_IsIncomplete(f))
            continue;
        PyCodeObject *code = _PyFrame_GetCode(f);
        if (code->co_filename != shared.file && !_PyUnicode_EQ(code->co_filename, shared.file))
            continue;
        c->code = Py_NewRef(code);
        c->offset = _PyInterpreterFrame_LASTI(f) * (int)sizeof(_Py_CODEUNIT);
        return;
    }
}

static struct call *new_call(PyObject *shown, int text)
{
    if (!shared.call) {
        PyErr_SetString(PyExc_SystemError, "nothing is shared yet");
        return NULL;
    }
    struct call *c = (struct call *)shared.call->tp_alloc(shared.call, 0);
    if (!c)
        return NULL;
    c->shown = Py_NewRef(shown);
    c->text = (char)text;
    remember_place(c);
    PyObject *id = PyLong_FromVoidPtr(c);
    if (!id || PyDict_SetItem(shared.unawaited, id, (PyObject *)c) < 0)
        Py_CLEAR(c);
    Py_XDECREF(id);
    return c;
}

/* encode NULL: the payload becomes JSON. 0, or -1 with an exception. */
static int make(struct call *c, uint32_t op, PyObject *head, PyObject *payload, PyObject *encode)
{
    PyObject *const json[] = {payload, shared.strict};
    PyObject *body = encode ? PyObject_CallOneArg(encode, payload) : tp_py_dumps(NULL, json, 2), *answer = NULL;
    if (!body)
        return -1;
    int done = tp_submit(op, head, body, &answer);
    Py_DECREF(body);
    if (done < 0)
        return -1;
    if (!done) {
        c->number = answer;
        return PyDict_SetItem(shared.pending, answer, (PyObject *)c);
    }
    if (c->text && PyUnicode_CheckExact(answer))
        Py_SETREF(answer, PyObject_CallOneArg(shared.text, answer));
    c->answer = answer;
    c->done = 1;
    return answer ? 0 : -1;
}

PyObject *tp_start(PyObject *shown, uint32_t op, PyObject *head, PyObject *payload, PyObject *encode, int text)
{
    struct call *c = new_call(shown, text);
    if (!c || make(c, op, head, payload, encode) == 0)
        return (PyObject *)c;
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        Py_DECREF(c);
        return NULL;
    }
    Py_XSETREF(c->error, PyErr_GetRaisedException());
    c->done = 1;
    return (PyObject *)c;
}

PyObject *tp_arguments(PyObject *shown, PyObject *positional, PyObject *keywords)
{
    if (PyTuple_GET_SIZE(positional) == 0)
        return Py_NewRef(keywords);
    if (shared.arguments)
        return PyObject_CallFunctionObjArgs(shared.arguments, shown, positional, keywords, NULL);
    PyErr_SetString(PyExc_SystemError, "nothing is shared yet");
    return NULL;
}

/* start(shown, op, head, payload, encode, text) -> call; encode None: the payload becomes JSON */
PyObject *tp_py_start(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (n != 6) {
        PyErr_SetString(PyExc_TypeError, "start(shown, op, head, payload, encode, text) takes 6 arguments");
        return NULL;
    }
    uint32_t op;
    int text = PyObject_IsTrue(args[5]);
    if (text < 0 || tp_u32(args[1], "op", &op) < 0)
        return NULL;
    return tp_start(args[0], op, args[2], args[3], args[4] == Py_None ? NULL : args[4], text);
}

/* ---- calls ---- */

/* The iterator of one `await` of a call that is done. */
struct answer {
    PyObject_HEAD
    struct call *call; /* NULL once it has answered */
};

static PyObject *answer_next(struct answer *a)
{
    struct call *c = a->call;
    if (!c)
        return NULL;
    a->call = NULL;
    if (!c->error || c->error == Py_None) {
        _PyGen_SetStopIterationValue(c->answer ? c->answer : Py_None);
    } else if (PyExceptionInstance_Check(c->error)) {
        PyException_SetTraceback(c->error, Py_None);
        PyErr_SetObject((PyObject *)Py_TYPE(c->error), c->error);
    } else {
        PyErr_SetString(PyExc_SystemError, "the error of a call is no exception");
    }
    Py_DECREF(c);
    return NULL;
}

static void answer_dealloc(struct answer *a)
{
    Py_XDECREF(a->call);
    PyObject_Free(a);
}

static PyTypeObject answer_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_toolplane.Answer",
    .tp_basicsize = sizeof(struct answer),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)answer_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)answer_next,
};

static PyObject *call_await(struct call *c)
{
    c->awaited = 1;
    PyObject *id = PyLong_FromVoidPtr(c);
    int known = id && shared.unawaited ? PyDict_Pop(shared.unawaited, id, NULL) : -1;
    Py_XDECREF(id);
    if (known < 0)
        return NULL;
    if (!c->done)
        return PyObject_CallMethod((PyObject *)c, "_wait", NULL);
    struct answer *a = PyObject_New(struct answer, &answer_type);
    if (a)
        a->call = (struct call *)Py_NewRef(c);
    return (PyObject *)a;
}

static int call_traverse(struct call *c, visitproc visit, void *arg)
{
    Py_VISIT(c->shown);
    Py_VISIT(c->number);
    Py_VISIT(c->answer);
    Py_VISIT(c->error);
    Py_VISIT(c->waiters);
    Py_VISIT(c->steps);
    Py_VISIT(c->code);
    return 0;
}

static int call_clear(struct call *c)
{
    Py_CLEAR(c->shown);
    Py_CLEAR(c->number);
    Py_CLEAR(c->answer);
    Py_CLEAR(c->error);
    Py_CLEAR(c->waiters);
    Py_CLEAR(c->steps);
    Py_CLEAR(c->code);
    return 0;
}

static void call_dealloc(struct call *c)
{
    PyObject_GC_UnTrack(c);
    call_clear(c);
    Py_TYPE(c)->tp_free(c);
}

static PyMemberDef call_members[] = {
    {"_shown", T_OBJECT, offsetof(struct call, shown), 0, NULL},
    {"_number", T_OBJECT, offsetof(struct call, number), 0, NULL},
    {"_answer", T_OBJECT, offsetof(struct call, answer), 0, NULL},
    {"_error", T_OBJECT, offsetof(struct call, error), 0, NULL},
    {"_waiters", T_OBJECT, offsetof(struct call, waiters), 0, NULL},
    {"_steps", T_OBJECT, offsetof(struct call, steps), 0, NULL},
    {"_code", T_OBJECT, offsetof(struct call, code), 0, NULL},
    {"_offset", T_INT, offsetof(struct call, offset), 0, NULL},
    {"_text", T_BOOL, offsetof(struct call, text), 0, NULL},
    {"_done", T_BOOL, offsetof(struct call, done), 0, NULL},
    {"_awaited", T_BOOL, offsetof(struct call, awaited), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyAsyncMethods call_async = {.am_await = (unaryfunc)call_await};

static PyTypeObject call_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_toolplane.Call",
    .tp_basicsize = sizeof(struct call),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)call_dealloc,
    .tp_traverse = (traverseproc)call_traverse,
    .tp_clear = (inquiry)call_clear,
    .tp_as_async = &call_async,
    .tp_members = call_members,
};

/* ---- the module ---- */

/* share(call, unawaited, pending, strict, arguments, text) */
PyObject *tp_py_share(PyObject *self, PyObject *args)
{
    PyObject *call, *unawaited, *pending, *strict, *arguments, *text;
    if (!PyArg_ParseTuple(args, "O!O!O!OOO!", &PyType_Type, &call, &PyDict_Type, &unawaited, &PyDict_Type, &pending,
                          &strict, &arguments, &PyType_Type, &text))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)call, &call_type)) {
        PyErr_SetString(PyExc_TypeError, "the class of calls must be derived from Call");
        return NULL;
    }
    Py_XSETREF(shared.call, (PyTypeObject *)Py_NewRef(call));
    Py_XSETREF(shared.unawaited, Py_NewRef(unawaited));
    Py_XSETREF(shared.pending, Py_NewRef(pending));
    Py_XSETREF(shared.strict, Py_NewRef(strict));
    Py_XSETREF(shared.arguments, Py_NewRef(arguments));
    Py_XSETREF(shared.text, Py_NewRef(text));
    Py_RETURN_NONE;
}

/* set_file(name): how the code of the coming snippet is called */
PyObject *tp_py_set_file(PyObject *self, PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "a str is needed, not %.100s", Py_TYPE(name)->tp_name);
        return NULL;
    }
    Py_XSETREF(shared.file, Py_NewRef(name));
    Py_RETURN_NONE;
}

int tp_add_call(PyObject *module)
{
    return PyType_Ready(&answer_type) < 0 ? -1 : PyModule_AddType(module, &call_type);
}
