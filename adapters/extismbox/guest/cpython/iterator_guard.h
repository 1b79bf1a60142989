/* Bounded C recursion of iterators that take their items from other iterators.
 *
 * next() of a million nested map objects is a million nested C calls: natively a crash, in the sandbox some 150 MB of
 * the host's stack. The iterators of bltinmodule.c, itertoolsmodule.c and enumobject.c that hold an inner iterator count
 * as C recursion here and raise RecursionError. An inner iterator that cannot lead to another one, by far the usual
 * case, skips the check, so that a tight loop over a list or a range pays the test of a bit only.
 */
#ifndef Py_INTERNAL_ITERATOR_GUARD_H
#define Py_INTERNAL_ITERATOR_GUARD_H

#include "pycore_ceval.h"          // _Py_EnterRecursiveCall()
#include "pycore_unicodeobject.h"  // _PyUnicodeASCIIIter_Type

/* Marks the types of iterators that never call another iterator. A bit that CPython leaves free; subclasses, of which
 * these types have none, would not inherit it. */
#define _Py_TPFLAGS_LEAF_ITERATOR (1UL << 21)

/* Sets the mark, once, before any iterator runs. A generator counts as a leaf because its frame counts itself. */
static inline void
_PyIter_MarkLeaves(void)
{
    PyTypeObject *leaves[] = {
        &PyListIter_Type, &PyListRevIter_Type, &PyTupleIter_Type,
        &PyRangeIter_Type, &PyLongRangeIter_Type,
        &PyDictIterKey_Type, &PyDictIterValue_Type, &PyDictIterItem_Type,
        &PySetIter_Type, &PyBytesIter_Type,
        &PyUnicodeIter_Type, &_PyUnicodeASCIIIter_Type,
        &PyGen_Type,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(leaves); i++) {
        leaves[i]->tp_flags |= _Py_TPFLAGS_LEAF_ITERATOR;
    }
}

/* True for NULL too. */
static inline int
_PyIter_IsLeaf(PyObject *it)
{
    return it == NULL || (Py_TYPE(it)->tp_flags & _Py_TPFLAGS_LEAF_ITERATOR) != 0;
}

/* The same for every item of a tuple of iterators. */
static inline int
_PyIter_AreLeaves(PyObject *iterators)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(iterators); i++) {
        if (!_PyIter_IsLeaf(PyTuple_GET_ITEM(iterators, i))) {
            return 0;
        }
    }
    return 1;
}

/* The body of a guarded tp_iternext: returns NEXT, counted as recursion unless IS_LEAF. */
#define _PyIter_RETURN_GUARDED(IS_LEAF, NEXT) \
    do { \
        int counted = !(IS_LEAF); \
        if (counted && _Py_EnterRecursiveCall(" in an iterator")) { \
            return NULL; \
        } \
        PyObject *item = NEXT; \
        if (counted) { \
            _Py_LeaveRecursiveCall(); \
        } \
        return item; \
    } while (0)

/* The next item of one inner iterator, for a function that may go through several. */
static inline PyObject *
_PyIter_NextGuarded(PyObject *it)
{
    _PyIter_RETURN_GUARDED(_PyIter_IsLeaf(it), Py_TYPE(it)->tp_iternext(it));
}

#endif
