"""A full memory ends an exception handler instead of holding it up for ever.

Where an exception is raised inside a handler, the interpreter notes in an int where that was. Without memory for the
int it looked for a handler again, found the same one, and so on.
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


def apply(tree):
    tree.replace(CEVAL, AGAIN, UNHANDLED)
