/* tool.c - a capability under a friendly name: calling it makes a call of the host. */
#include "toolplane.h"
#include <stddef.h>
#include <structmember.h>

struct tool {
    PyObject_HEAD
    PyObject *name, *id, *shown;
};

static PyObject *tool_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *name, *id, *shown;
    if (!PyArg_ParseTuple(args, "UUU", &name, &id, &shown))
        return NULL;
    struct tool *t = (struct tool *)type->tp_alloc(type, 0);
    if (!t)
        return NULL;
    t->name = Py_NewRef(name);
    t->id = Py_NewRef(id);
    t->shown = Py_NewRef(shown);
    return (PyObject *)t;
}

static PyObject *tool_call(struct tool *t, PyObject *args, PyObject *keywords)
{
    enum { CALL = 2 }; /* the host's operation */
    keywords = keywords ? Py_NewRef(keywords) : PyDict_New();
    PyObject *payload = keywords ? tp_arguments(t->shown, args, keywords) : NULL;
    PyObject *c = payload ? tp_start(t->shown, CALL, t->id, payload, NULL, 1) : NULL;
    Py_XDECREF(payload);
    Py_XDECREF(keywords);
    return c;
}

static void tool_dealloc(struct tool *t)
{
    Py_XDECREF(t->name);
    Py_XDECREF(t->id);
    Py_XDECREF(t->shown);
    Py_TYPE(t)->tp_free(t);
}

static PyMemberDef tool_members[] = {
    {"__name__", T_OBJECT, offsetof(struct tool, name), READONLY, NULL},
    {"_id", T_OBJECT, offsetof(struct tool, id), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject tool_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_toolplane.Tool",
    .tp_basicsize = sizeof(struct tool),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = (destructor)tool_dealloc,
    .tp_call = (ternaryfunc)tool_call,
    .tp_members = tool_members,
    .tp_new = tool_new,
};

int tp_add_tool(PyObject *module)
{
    return PyModule_AddType(module, &tool_type);
}
