"""`return` at module level, for code compiled with the private flag PyCF_MODULE_RETURN.

A snippet is a real module (so `global`, `import *` and pickled top-level classes mean what they mean in a script) that
may end with a value. The bit is in neither PyCF_MASK nor PyCF_COMPILE_MASK: the builtin compile() refuses it and no
code inherits it. Class bodies still refuse `return`.
"""


def apply(tree):
    tree.insert_after(
        "Include/cpython/compile.h",
        "#define PyCF_OPTIMIZED_AST (0x8000 | PyCF_ONLY_AST)\n",
        "/* 'return' is allowed at module level; for C callers only */\n"
        "#define PyCF_MODULE_RETURN 0x10000\n",
    )
    tree.insert_before(
        "Python/compile.c",
        "#define IS_TOP_LEVEL_AWAIT(C) ( \\\n",
        "#define IS_MODULE_RETURN(C) ( \\\n"
        "        ((C)->c_flags.cf_flags & PyCF_MODULE_RETURN) \\\n"
        "        && ((C)->u->u_ste->ste_type == ModuleBlock))\n\n",
    )
    tree.replace(
        "Python/compile.c",
        "    if (!_PyST_IsFunctionLike(c->u->u_ste)) {\n"
        "        return compiler_error(c, loc, \"'return' outside function\");\n",
        "    if (!_PyST_IsFunctionLike(c->u->u_ste) && !IS_MODULE_RETURN(c)) {\n"
        "        return compiler_error(c, loc, \"'return' outside function\");\n",
    )
