"""freeze.py LIB OUT: all modules of LIB as one blob of marshalled code (OUT/frozen.bin) and C source that embeds it.

The C source (OUT/frozen.c) defines `const struct _frozen toolplane_frozen[]`, for PyImport_FrozenModules.
"""

import marshal
import pathlib
import sys

# frozen by CPython itself, which needs them before any other
CPYTHONS_OWN = {"importlib._bootstrap", "importlib._bootstrap_external", "zipimport"}
ALIGNMENT = 8

HEAD = """\
#include <Python.h>

static const unsigned char blob[] __attribute__((aligned(16))) = {
#embed "frozen.bin"
};

const struct _frozen toolplane_frozen[] = {
"""


def modules(lib):
    """(module name, is it a package, path below lib) of every source file, sorted by name."""
    found = []
    for path in lib.rglob("*.py"):
        relative = path.relative_to(lib)
        parts = list(relative.with_suffix("").parts)
        package = parts[-1] == "__init__"
        if package:
            parts.pop()
        name = ".".join(parts)
        if name not in CPYTHONS_OWN:
            found.append((name, package, relative.as_posix()))
    return sorted(found)


def main(lib, out):
    lib, out = pathlib.Path(lib), pathlib.Path(out)
    blob, rows = bytearray(), []
    for name, package, relative in modules(lib):
        source = (lib / relative).read_bytes()
        code = marshal.dumps(compile(source, f"/lib/{relative}", "exec", dont_inherit=True, optimize=0))
        blob += bytes(-len(blob) % ALIGNMENT)
        rows.append(f'    {{"{name}", blob + {len(blob)}, {len(code)}, {int(package)}}},\n')
        blob += code
    (out / "frozen.bin").write_bytes(blob)
    (out / "frozen.c").write_text(HEAD + "".join(rows) + "    {0, 0, 0, 0},\n};\n", encoding="utf-8")
    print(f"{len(rows)} modules, {len(blob)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
