"""The recursion guard of iterators over iterators (see iterator_guard.h).

Of the 26 tp_iternext functions of the three files, product, combinations, combinations_with_replacement, permutations,
count and repeat hold no inner iterator, reversed only a sequence: these seven cannot nest and stay as they are.
"""

import pathlib

# file -> (its include to stand before, {function: (type, argument, is its inner iterator a leaf?)})
GUARDED = {
    "Python/bltinmodule.c": (
        '#include "clinic/bltinmodule.c.h"\n',
        {
            "filter_next": ("filterobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "map_next": ("mapobject", "lz", "_PyIter_AreLeaves(lz->iters)"),
            "zip_next": ("zipobject", "lz", "_PyIter_AreLeaves(lz->ittuple)"),
        },
    ),
    "Objects/enumobject.c": (
        '#include "clinic/enumobject.c.h"\n',
        {"enum_next": ("enumobject", "en", "_PyIter_IsLeaf(en->en_sit)")},
    ),
    "Modules/itertoolsmodule.c": (
        "#include <stddef.h>                   // offsetof()\n",
        {
            "batched_next": ("batchedobject", "bo", "_PyIter_IsLeaf(bo->it)"),
            "pairwise_next": ("pairwiseobject", "po", "_PyIter_IsLeaf(po->it)"),
            "groupby_next": ("groupbyobject", "gbo", "_PyIter_IsLeaf(gbo->it)"),
            "_grouper_next": ("_grouperobject", "igo", "_PyIter_IsLeaf(((groupbyobject *)igo->parent)->it)"),
            # a link of the chain of buffers may hold another iterator than the current one
            "tee_next": ("teeobject", "to", "0"),
            "cycle_next": ("cycleobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "dropwhile_next": ("dropwhileobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "takewhile_next": ("takewhileobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "islice_next": ("isliceobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "starmap_next": ("starmapobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "chain_next": ("chainobject", "lz", "_PyIter_IsLeaf(lz->source)"),
            "accumulate_next": ("accumulateobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "compress_next": (
                "compressobject", "lz", "_PyIter_IsLeaf(lz->data) && _PyIter_IsLeaf(lz->selectors)"),
            "filterfalse_next": ("filterfalseobject", "lz", "_PyIter_IsLeaf(lz->it)"),
            "zip_longest_next": ("ziplongestobject", "lz", "_PyIter_AreLeaves(lz->ittuple)"),
        },
    ),
}


def apply(tree):
    header = pathlib.Path(__file__).with_name("iterator_guard.h").read_text(encoding="utf-8")
    tree.add("Include/internal/pycore_iterator_guard.h", header)
    for name, (include, functions) in GUARDED.items():
        tree.insert_before(name, include, '#include "pycore_iterator_guard.h"\n')
        for function, (kind, argument, is_leaf) in functions.items():
            head = f"static PyObject *\n{function}({kind} *{argument})\n{{\n"
            tree.replace(name, head, guarded(function, kind, argument, is_leaf))
    tree.insert_before(
        "Python/bltinmodule.c",
        "    mod = _PyModule_CreateInitialized(&builtinsmodule, PYTHON_API_VERSION);\n",
        "    _PyIter_MarkLeaves();\n",
    )
    # chain: its active iterator may end within the call and one of another type follows, so look at each
    tree.replace(
        "Modules/itertoolsmodule.c",
        "        item = (*Py_TYPE(lz->active)->tp_iternext)(lz->active);\n",
        "        item = _PyIter_NextGuarded(lz->active);\n",
    )


def guarded(function, kind, argument, is_leaf):
    """The function under its own name as a guard around its body, which follows under another one."""
    inner = f"{function}_unguarded"
    return (
        f"static PyObject *{inner}({kind} *{argument});\n\n"
        f"static PyObject *\n{function}({kind} *{argument})\n{{\n"
        f"    _PyIter_RETURN_GUARDED({is_leaf}, {inner}({argument}));\n}}\n\n"
        f"static PyObject *\n{inner}({kind} *{argument})\n{{\n"
    )
