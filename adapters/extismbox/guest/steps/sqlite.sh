#!/bin/bash
# SQLite -> deps/lib/libsqlite3.a: the amalgamation is made natively, then compiled with an OS layer that opens no file.
. "$(dirname "$0")/env.sh"
build=$WORK/build/sqlite
rm -rf "$build"
mkdir -p "$build" "$DEPS/lib" "$DEPS/include"
cd "$build"
../../src/sqlite/configure --disable-shared > configure.log 2>&1 || die "configure: see $build/configure.log"
make sqlite3.c sqlite3.h > make.log 2>&1 || die "make: see $build/make.log"

use_wasm_compiler
mapfile -t defines < <(grep -vE '^(#|$)' "$GUEST/sqlite/defines")
# -Os: half the size of -O2 in the module for 5 to 12 % of speed
# shellcheck disable=SC2086
$CC -Os -DNDEBUG $WASM_FLAGS "${defines[@]/#/-D}" -w -c sqlite3.c -o sqlite3.o
cp "$GUEST/sqlite/no_files_vfs.c" .
# shellcheck disable=SC2086
$CC -O2 -DNDEBUG $WASM_FLAGS -Wall -Wextra -Wno-unused-parameter -c no_files_vfs.c -o no_files_vfs.o
rm -f "$DEPS/lib/libsqlite3.a"
$AR rcsD "$DEPS/lib/libsqlite3.a" sqlite3.o no_files_vfs.o
cp sqlite3.h "$DEPS/include/"
