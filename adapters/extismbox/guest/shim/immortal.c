/* immortal.c - objects of the image live for ever, so using them does not write to their reference counts. */
#include "toolplane.h"
#include "internal/pycore_gc.h"
#include "internal/pycore_interp.h"
#include "internal/pycore_object.h"
#include "internal/pycore_pystate.h"

static int visit(PyObject *o, void *unused);

static void visit_items(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++)
        if (PyTuple_GET_ITEM(tuple, i))
            visit(PyTuple_GET_ITEM(tuple, i), NULL);
}

/* The collector does not know what a code object refers to. */
static void visit_code(PyCodeObject *code)
{
    PyObject *const parts[] = {
        code->co_consts,   code->co_names, code->co_exceptiontable, code->co_localsplusnames, code->co_localspluskinds,
        code->co_filename, code->co_name,  code->co_qualname,       code->co_linetable,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(parts); i++)
        if (parts[i])
            visit(parts[i], NULL);
}

static void visit_names(PyHeapTypeObject *type)
{
    PyObject *const names[] = {type->ht_name, type->ht_qualname, type->ht_slots};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        if (names[i])
            visit(names[i], NULL);
}

/* What the collector tracks is met in its lists, with all that it refers to; the rest is followed here. A bytearray
 * may be held only to be given back. */
static int visit(PyObject *o, void *unused)
{
    if (_Py_IsImmortal(o) || PyByteArray_CheckExact(o))
        return 0;
    _Py_SetImmortalUntracked(o);
    if (PyCode_Check(o))
        visit_code((PyCodeObject *)o);
    else if (PyTuple_CheckExact(o) && !_PyObject_GC_IS_TRACKED(o))
        visit_items(o);
    else if (PyDict_CheckExact(o) && !_PyObject_GC_IS_TRACKED(o))
        Py_TYPE(o)->tp_traverse(o, visit, NULL);
    return 0;
}

static void visit_list(PyGC_Head *list)
{
    for (PyGC_Head *gc = _PyGCHead_NEXT(list); gc != list; gc = _PyGCHead_NEXT(gc)) {
        PyObject *o = _Py_FROM_GC(gc);
        visit(o, NULL);
        if (PyType_Check(o) && PyType_HasFeature((PyTypeObject *)o, Py_TPFLAGS_HEAPTYPE))
            visit_names((PyHeapTypeObject *)o);
        Py_TYPE(o)->tp_traverse(o, visit, NULL);
    }
}

void tp_immortalize(void)
{
    struct _gc_runtime_state *state = &_PyInterpreterState_GET()->gc;
    for (int i = 0; i < NUM_GENERATIONS; i++)
        visit_list(&state->generations[i].head);
    visit_list(&state->permanent_generation.head);
}
