"""trim.py LIB LIST: removes from LIB what the list names (one pattern a line), and what is never imported.

A pattern that matches nothing fails: it is a module that moved.
"""

import pathlib
import shutil
import sys


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def main(lib, names):
    lib = pathlib.Path(lib)
    for line in pathlib.Path(names).read_text(encoding="utf-8").splitlines():
        pattern = line.partition("#")[0].strip()
        if not pattern:
            continue
        found = sorted(lib.glob(pattern))
        if not found:
            sys.exit(f"guest build: {names}: nothing matches {pattern}")
        for path in found:
            remove(path)
    for path in sorted(lib.rglob("__pycache__")):
        remove(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
