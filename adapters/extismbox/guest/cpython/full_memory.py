"""A full memory ends an exception handler instead of holding it up for ever, and leaves errors their lines.

Where an exception is raised inside a handler, the interpreter notes in an int where that was. Without memory for the
int it looked for a handler again, found the same one, and so on.

Each frame that an exception leaves needs a frame object and a traceback. Some of both are kept for when there is no
memory for new ones; when these are used up, the exception keeps the entries that it has. What then handles the
exception, such as an event loop, needs memory too: a reserve is given up for it, and made again when there is room.

A frame that is left also looks for the object of the frame below. Without memory for that, the exception on its way
was lost.
"""

CEVAL = "Python/ceval.c"

AGAIN = """\
                if (lasti == NULL) {
                    goto exception_unwind;
                }
"""

UNHANDLED = """\
                if (lasti == NULL) { /* as if nothing here handled the exception */
                    PyObject **base = _PyFrame_Stackbase(frame);
                    while (stack_pointer > base) {
                        PyObject *o = POP();
                        Py_XDECREF(o);
                    }
                    _PyFrame_SetStackPointer(frame, stack_pointer);
                    goto exit_unwind;
                }
"""

ERRORS = "Objects/exceptions.c"

NO_MEMORY = "PyObject *\n_PyErr_NoMemory(PyThreadState *tstate)\n{\n"

RESERVE = "void *_PyErr_reserve;\n\n"

GIVE_UP = "    PyMem_RawFree(_PyErr_reserve);\n    _PyErr_reserve = NULL;\n"

FRAME = "Objects/frameobject.c"

NEW_FRAME = "    PyFrameObject *f = PyObject_GC_NewVar(PyFrameObject, &PyFrame_Type, slots);\n"

MAKE_FRAME = "PyFrameObject*\n_PyFrame_New_NoTrack(PyCodeObject *code)\n"

SPARE_FRAMES = """\
#define MAX_SPARE 16
#define SPARE_SLOTS 256

#define RESERVE_BYTES (128 << 10)
#define ROOM_BYTES (1 << 20)

extern void *_PyErr_reserve;

static PyFrameObject *spare[MAX_SPARE];
static int spares;

static PyFrameObject *
new_frame_object(int slots)
{
    PyObject *exc = PyErr_GetRaisedException();
    if (_PyErr_reserve == NULL) {
        void *room = PyMem_RawMalloc(ROOM_BYTES);
        PyMem_RawFree(room);
        if (room != NULL) {
            _PyErr_reserve = PyMem_RawMalloc(RESERVE_BYTES);
        }
    }
    while (spares < MAX_SPARE) {
        PyFrameObject *f = PyObject_GC_NewVar(PyFrameObject, &PyFrame_Type, SPARE_SLOTS);
        if (f == NULL) {
            break;
        }
        spare[spares++] = f;
    }
    PyErr_SetRaisedException(exc);
    PyFrameObject *f = PyObject_GC_NewVar(PyFrameObject, &PyFrame_Type, slots);
    if (f == NULL && slots <= SPARE_SLOTS && spares > 0) {
        PyErr_Clear();
        f = spare[--spares];
        Py_SET_SIZE(f, slots);
    }
    return f;
}

"""

NO_FRAME = """\
    if (f == NULL) {
        Py_XDECREF(exc);
        return NULL;
    }
    PyErr_SetRaisedException(exc);
"""

KEEP_EXCEPTION = """\
    if (f == NULL) {
        if (exc != NULL) {
            PyErr_SetRaisedException(exc);
        }
        return NULL;
    }
    PyErr_SetRaisedException(exc);
"""

FRAME_BELOW = "        PyFrameObject *back = _PyFrame_GetFrameObject(prev);\n"

KEEP_ON_ITS_WAY = """\
        PyObject *exc = PyErr_GetRaisedException();
        PyFrameObject *back = _PyFrame_GetFrameObject(prev);
"""

LINKED = """\
        else {
            f->f_back = (PyFrameObject *)Py_NewRef(back);
        }
"""

ON_ITS_WAY = "        PyErr_SetRaisedException(exc);\n"

TRACEBACK = "Python/traceback.c"

NEW_TRACEBACK = "    tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type);\n"

MAKE_TRACEBACK = "static PyObject *\ntb_create_raw(PyTracebackObject *next, PyFrameObject *frame, int lasti,\n              int lineno)\n{\n"

SPARE_TRACEBACKS = """\
#define MAX_SPARE 16

static PyTracebackObject *spare[MAX_SPARE];
static int spares;

static PyTracebackObject *
new_traceback(void)
{
    PyObject *exc = PyErr_GetRaisedException();
    while (spares < MAX_SPARE) {
        PyTracebackObject *tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type);
        if (tb == NULL) {
            break;
        }
        spare[spares++] = tb;
    }
    PyErr_SetRaisedException(exc);
    PyTracebackObject *tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type);
    if (tb == NULL && spares > 0) {
        PyErr_Clear();
        tb = spare[--spares];
    }
    return tb;
}

"""

CHAIN = """\
    if (newtb == NULL) {
        _PyErr_ChainExceptions1(exc);
        return -1;
    }
"""

KEEP = """\
    if (newtb == NULL) {
        PyErr_SetRaisedException(exc);
        return -1;
    }
"""


def apply(tree):
    tree.replace(CEVAL, AGAIN, UNHANDLED)
    tree.replace(ERRORS, NO_MEMORY, RESERVE + NO_MEMORY + GIVE_UP)
    tree.replace(FRAME, NEW_FRAME, "    PyFrameObject *f = new_frame_object(slots);\n")
    tree.insert_before(FRAME, MAKE_FRAME, SPARE_FRAMES)
    tree.replace("Python/frame.c", NO_FRAME, KEEP_EXCEPTION)
    tree.replace("Python/frame.c", FRAME_BELOW, KEEP_ON_ITS_WAY)
    tree.insert_after("Python/frame.c", LINKED, ON_ITS_WAY)
    tree.replace(TRACEBACK, NEW_TRACEBACK, "    tb = new_traceback();\n")
    tree.insert_before(TRACEBACK, MAKE_TRACEBACK, SPARE_TRACEBACKS)
    tree.replace(TRACEBACK, CHAIN, KEEP)
