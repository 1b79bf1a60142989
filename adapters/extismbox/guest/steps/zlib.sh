#!/bin/bash
# zlib -> deps/lib/libz.a. Debian's own patches concern gzwrite and crc32_combine, which no module of the guest calls
# (link.sh checks that neither is linked).
. "$(dirname "$0")/env.sh"
use_wasm_compiler
build=$WORK/build/zlib
rm -rf "$build"
mkdir -p "$WORK/build" "$DEPS/lib" "$DEPS/include"
cp -a "$WORK/src/zlib" "$build"
cd "$build"
CHOST=wasm32 CFLAGS="-O3 $WASM_FLAGS" ./configure --static --prefix="$DEPS" > configure.log 2>&1 || die "configure: see $build/configure.log"
make -j"$JOBS" libz.a > make.log 2>&1 || die "make: see $build/make.log"
cp libz.a "$DEPS/lib/"
cp zlib.h zconf.h "$DEPS/include/"
