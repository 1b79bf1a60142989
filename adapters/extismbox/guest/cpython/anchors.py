"""Anchored edits of a source tree.

An edit names text that must occur exactly once in its file. Text that moved, changed or doubled in another release
fails the build instead of leaving the edit out.
"""

import pathlib


class AnchorError(Exception):
    """An anchor was not found exactly once."""


class Tree:
    """The sources below one folder."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def replace(self, name, old, new):
        """Replaces the only occurrence of old in the file name."""
        text = self._read(name)
        self._once(name, text, old)
        self._write(name, text.replace(old, new))

    def insert_before(self, name, anchor, new):
        """Inserts new directly before the only occurrence of anchor."""
        self.replace(name, anchor, new + anchor)

    def insert_after(self, name, anchor, new):
        """Inserts new directly after the only occurrence of anchor."""
        self.replace(name, anchor, anchor + new)

    def replace_between(self, name, first, last, new):
        """Replaces everything from the anchor first up to, not including, the anchor last."""
        text = self._read(name)
        self._once(name, text, first)
        self._once(name, text, last)
        start, end = text.index(first), text.index(last)
        if end < start:
            raise AnchorError(f"{name}: {last!r} stands before {first!r}")
        self._write(name, text[:start] + new + text[end:])

    def add(self, name, text):
        """Adds a file that must not be there yet."""
        if (self.root / name).exists():
            raise AnchorError(f"{name} exists already")
        self._write(name, text)

    def _once(self, name, text, anchor):
        count = text.count(anchor)
        if count != 1:
            raise AnchorError(f"{name}: anchor found {count} times, not once: {anchor!r}")

    def _read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def _write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8", newline="\n")
