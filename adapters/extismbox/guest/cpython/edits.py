"""edits.py SOURCE-TREE: every change that the guest makes to CPython's own sources, in place."""

import sys

import full_memory
import iterator_guard
import module_return
import no_network
import sqlite_stop
import zones
from anchors import AnchorError, Tree


def main(root):
    tree = Tree(root)
    for edit in (module_return, iterator_guard, full_memory, sqlite_stop, zones, no_network):
        edit.apply(tree)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AnchorError as error:
        sys.exit(f"guest build: edits of CPython: {error}")
