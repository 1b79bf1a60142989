"""provenance.py: prints PROVENANCE.md from inputs.lock and the checksums of the module beside it."""

import pathlib

HERE = pathlib.Path(__file__).parent

# what a package is for, and its licence; the texts are in NOTICE
PARTS = {
    "python3.13": ("CPython, its standard library, libmpdec, expat, HACL*", "PSF-2.0 and others"),
    "sqlite3": ("SQLite", "public domain"),
    "zlib": ("zlib", "Zlib"),
    "wasi-libc": ("C library (musl, cloudlibc, dlmalloc)", "CC0-1.0, MIT, BSD-2-Clause, Apache-2.0 and others"),
    "tzdata": ("time zones", "public domain"),
    "tzdata-legacy": ("old names of time zones", "public domain"),
    "libclang-rt-19-dev-wasm32": ("compiler support routines, linked in", "Apache-2.0 WITH LLVM-exception"),
}

TEMPLATE = """\
# Where python.wasm.zst comes from

`python.wasm.zst` is CPython with a trimmed standard library, SQLite and the time zones, built for wasm32-wasi by the
scripts in this folder and compressed by `zstd -19`. This file is written by `update.sh` from `inputs.lock`; change that.

| file | SHA-256 |
|---|---|
{checksums}

## Inputs

Debian trixie, with Debian's security patches of CPython and SQLite applied (zlib's two concern `gzwrite` and
`crc32_combine`, which are not linked). Licence texts: `NOTICE` in the root of the repository, made by `notices.py`.

| package | version | what | licence |
|---|---|---|---|
{packages}

| file | SHA-256 |
|---|---|
{files}

## Tools

The compiler packages shape the bytes: the build refuses another version. The others are those of the recorded build.

| package | version | |
|---|---|---|
{tools}

## Rebuild

- `verify.sh` builds from nothing in a new folder and compares the module with the committed one, byte by byte.
- `build.sh OUT.wasm [WORK]` builds; with the same WORK again only what changed is redone (a change in `shim/`: seconds).
- `update.sh [WORK]` builds and replaces `python.wasm.zst`, `python.wasm.sha256` and this file.

Needed: Debian (the recorded build: bookworm) with its apt sources, root to install tools that are missing, 2 GB of disk
and about five minutes on two cores. The mirror is the one in the machine's apt sources, used through a private apt
configuration below WORK. Files that a mirror no longer has can be given as a folder: `GUEST_DOWNLOADS`.

To move an input on: put the new version, file names and hashes into `inputs.lock`, run `update.sh` and `notices.py`,
run the tests. An edit of CPython's sources whose place is no longer found exactly once fails the build.

## What is done to the sources

| where | what |
|---|---|
| `cpython/edits.py` | anchored edits of CPython: `module_return` (return at module level), `iterator_guard` (bounded \
C recursion), `sqlite_stop` (a stop ends a query), `zones` (time zones from memory), `no_network` (clean errors) |
| `cpython/Setup.local` | C modules left out |
| `stdlib/left_out` | Python modules left out; the rest is frozen into the module by `stdlib/freeze.py` |
| `sqlite/` | compile-time options, an OS layer that opens no file |
| `zones/pack_zones.py` | Debian's compiled zones as one Python module |
| `shim/` | ours: the module's exports and the Python module `_toolplane` |

The result depends on neither the work folder, the recipe's folder, HOME, umask, the number of jobs nor the python that
runs on the machine: a fixed SOURCE_DATE_EPOCH and hash seed, path prefixes mapped away, a relative source folder, and a
fixed output name at link time (the linker records it).
"""


def rows(lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main():
    lock = [line.split() for line in (HERE / "inputs.lock").read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")]
    inputs = [line for line in lock if line[0] in ("source", "deb")]
    tools = [line for line in lock if line[0] in ("compiler", "tool")]
    versions = {package: version for _, package, version, *_ in inputs}
    versions |= {package: version for _, package, version in tools if package in PARTS}
    sums = [line.split() for line in (HERE / "python.wasm.sha256").read_text(encoding="utf-8").splitlines()]
    print(TEMPLATE.format(
        checksums=rows((f"`{name}`", f"`{digest}`") for digest, name in sums),
        packages=rows((package, f"`{version}`", *PARTS[package]) for package, version in versions.items()),
        files=rows((f"`{file}`", f"`{digest}`") for *_, file, digest in inputs),
        tools=rows((package, f"`{version}`", kind) for kind, package, version in tools),
    ), end="")


if __name__ == "__main__":
    main()
