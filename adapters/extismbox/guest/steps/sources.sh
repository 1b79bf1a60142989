#!/bin/bash
# downloads/ -> sysroot/ and src/: unpacked, with Debian's security patches.
. "$(dirname "$0")/env.sh"

rm -rf "$WORK/sysroot" "$WORK/src"
mkdir -p "$WORK/src"

unpack() { mkdir -p "$2"; tar -C "$2" --strip-components=1 --no-same-owner -xf "$1"; }

# apply_patches SOURCE DEBIAN REGEX: the patches of debian/patches/series whose name matches, in its order.
apply_patches() {
  local name names
  names=$(grep -E "$3" "$2/patches/series") || die "no patch of $2 matches $3"
  for name in $names; do
    patch -d "$1" -p1 -s -N --no-backup-if-mismatch < "$2/patches/$name" || die "patch $name does not apply"
  done
}

dpkg-deb -x "$(locked_file wasi-libc '*.deb')" "$WORK/sysroot"
dpkg-deb -x "$(locked_file tzdata '*.deb')" "$WORK/src/zoneinfo"
dpkg-deb -x "$(locked_file tzdata-legacy '*.deb')" "$WORK/src/zoneinfo"
unpack "$(locked_file zlib '*.orig.tar.gz')" "$WORK/src/zlib"

# SQLite: the patches of its numbers 41 (a wrong result) and 5x (security); the others concern Debian's own build.
unpack "$(locked_file sqlite3 '*.orig.tar.xz')" "$WORK/src/sqlite"
unpack "$(locked_file sqlite3 '*.debian.tar.xz')" "$WORK/src/sqlite-debian"
apply_patches "$WORK/src/sqlite" "$WORK/src/sqlite-debian" '^(41|5[0-9])-'

# CPython: security and crash fixes; the others concern Debian's file layout and packaging.
unpack "$(locked_file python3.13 '*.orig.tar.xz')" "$NATIVE_SOURCE"
unpack "$(locked_file python3.13 '*.debian.tar.xz')" "$WORK/src/python-debian"
apply_patches "$NATIVE_SOURCE" "$WORK/src/python-debian" \
  '^(CVE-|ssl-|dict-use-after-free|traverse-managed-dicts|revert-logger-disable)'
