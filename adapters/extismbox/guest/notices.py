"""notices.py WORK: prints the notices that the licences of the guest's parts ask for, from the parts' own files.

WORK is the work folder of a finished build. The texts are not edited; what concerns files that are not in the module
is left out by the titles below.
"""

import pathlib
import re
import sys

# sections of CPython's list of incorporated software whose code is not in the module
NOT_IN_THE_MODULE = {
    "OpenSSL", "libffi", "Select kqueue", "test_epoll", "W3C C14N test suite", "XML Remote Procedure Calls",
}
# files with a licence of their own, by Debian's list, that are in the module
OWN_LICENCES = (
    "Include/unicodeobject.h", "Lib/logging/*", "Lib/sqlite3/*", "Lib/tarfile.py", "Python/dtoa.c",
)
APACHE_2 = pathlib.Path("/usr/share/common-licenses/Apache-2.0")
LLVM_COPYRIGHT = pathlib.Path("/usr/share/doc/libclang-rt-19-dev-wasm32/copyright")

INTRODUCTION = """\
NOTICE

toolplane itself is under the licence in the file LICENSE. Its sandbox contains the WebAssembly module
adapters/extismbox/guest/python.wasm.zst, which is built from the software below. This file carries the notices that
its licences ask for; adapters/extismbox/guest/PROVENANCE.md names versions and origins.

Changes to CPython (adapters/extismbox/guest/cpython): nested iterators count as C recursion; `return` is accepted at
module level for code that the sandbox itself compiles; a stop ends a long SQLite query; time zones are read from
memory; look-ups of network names raise OSError; modules without a host are left out. Debian's security patches are
applied to CPython and SQLite. SQLite has an operating system layer that opens no file.
"""


def heading(title):
    return f"\n\n{'=' * 100}\n{title}\n{'=' * 100}\n\n"


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8").strip("\n") + "\n"


def sections(rst, underline):
    """(title, text) of every section with this underline."""
    parts = re.split(rf"^(\S.*)\n{re.escape(underline)}{{4,}}\n", rst, flags=re.MULTILINE)
    return zip(parts[1::2], parts[2::2])


def incorporated(license_rst):
    """CPython's "Licenses and Acknowledgements for Incorporated Software" without what is not in the module."""
    text = dict(sections(read(license_rst), "="))["Licenses and Acknowledgements for Incorporated Software"]
    found = dict(sections(text, "-"))
    if unknown := NOT_IN_THE_MODULE - set(found):
        sys.exit(f"notices: CPython no longer lists {sorted(unknown)}")
    kept = [f"{title}\n{'-' * len(title)}\n{body.rstrip()}\n" for title, body in found.items()
            if title not in NOT_IN_THE_MODULE]
    return "\n\n".join(kept)


def own_licences(copyright_file):
    """The paragraphs of Debian's copyright file for OWN_LICENCES."""
    _, _, tail = read(copyright_file).partition("Files with other licenses than the Python License\n")
    kept = []
    for paragraph in re.split(r"\n(?=Files: )(?<!\n)|\n\n(?=Files: )", tail):
        names = re.findall(r"^Files: (\S+)$", paragraph, flags=re.MULTILINE)
        if set(names) & set(OWN_LICENCES):
            kept.append(paragraph.strip("\n") + "\n")
    if len(kept) != len(OWN_LICENCES):
        sys.exit(f"notices: found {len(kept)} of {len(OWN_LICENCES)} files with a licence of their own")
    return "\n\n".join(kept)


def first_comment(source):
    """The comment that opens a C file."""
    return read(source).partition("*/")[0].removeprefix("/*").replace("\n *", "\n").strip("\n") + "\n"


def main(work):
    work = pathlib.Path(work)
    python = work / "src/python"
    out = [
        INTRODUCTION,
        heading("CPython"), read(python / "LICENSE"),
        heading("CPython: incorporated software"), incorporated(python / "Doc/license.rst"),
        heading("CPython: files with a licence of their own"), own_licences(work / "src/python-debian/copyright"),
        heading("expat (in CPython)"), read(python / "Modules/expat/COPYING"),
        heading("libmpdec (in CPython)"), first_comment(python / "Modules/_decimal/libmpdec/mpdecimal.h"),
        heading("HACL* (in CPython)"), first_comment(python / "Modules/_hacl/Hacl_Hash_SHA2.c"),
        heading("zlib"), read(work / "src/zlib/LICENSE"),
        heading("SQLite"), read(work / "src/sqlite/LICENSE.md"),
        heading("tzdata"), read(work / "src/zoneinfo/usr/share/doc/tzdata/copyright"),
        heading("wasi-libc, with musl, cloudlibc and dlmalloc (public domain, Doug Lea)"),
        read(work / "sysroot/usr/share/doc/wasi-libc/copyright"),
        heading("LLVM compiler-rt"), read(LLVM_COPYRIGHT).partition("\nFiles: debian/*")[0],
        heading("Apache License 2.0 (LLVM compiler-rt, parts of wasi-libc)"), read(APACHE_2),
    ]
    text = "".join(out)
    sys.stdout.write("\n".join(line.rstrip() for line in text.split("\n")))


if __name__ == "__main__":
    main(sys.argv[1])
