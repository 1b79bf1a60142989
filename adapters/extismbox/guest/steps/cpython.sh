#!/bin/bash
# CPython for wasm32-wasi -> build/cpython/libpython3.13.a and the libraries that it carries.
. "$(dirname "$0")/env.sh"
use_wasm_compiler
rm -rf "$CPYTHON"
mkdir -p "$CPYTHON/Modules"
cp "$GUEST/cpython/Setup.local" "$CPYTHON/Modules/"
cd "$CPYTHON"

# ../../: a relative source folder keeps the work folder out of the strings
options=(
  --host=wasm32-wasip1 --build="$(../../src/guest-python/config.guess)" "--with-build-python=$NATIVE/python"
  --disable-test-modules --disable-ipv6 --with-pymalloc --with-ensurepip=no
  # wazero refuses a poll until an absolute time
  ac_cv_func_clock_nanosleep=no ac_cv_lib_rt_clock_nanosleep=no
  HOSTRUNNER=false
  "LIBSQLITE3_CFLAGS=-I$DEPS/include" "LIBSQLITE3_LIBS=-L$DEPS/lib -lsqlite3 -lm"
  "CFLAGS=$WASM_FLAGS" "LDFLAGS=-L$DEPS/lib" "CPPFLAGS=-I$DEPS/include"
)
CONFIG_SITE=../../src/guest-python/Tools/wasm/config.site-wasm32-wasi \
  ../../src/guest-python/configure "${options[@]}" > configure.log 2>&1 || die "configure: see $CPYTHON/configure.log"
make -j"$JOBS" libpython3.13.a Modules/_decimal/libmpdec/libmpdec.a Modules/_hacl/libHacl_Hash_SHA2.a \
  Modules/expat/libexpat.a > make.log 2>&1 || die "make: see $CPYTHON/make.log"
