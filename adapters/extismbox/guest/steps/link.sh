#!/bin/bash
# link.sh OUT.wasm: the shim (shim/*.c), the frozen library, CPython and its libraries -> one module.
. "$(dirname "$0")/env.sh"
out=$(realpath -m "$1")
shim=$WORK/build/shim
rm -rf "$shim"
mkdir -p "$shim" "$(dirname "$out")"

# compiled from its own folder, so that no string has the recipe's path
cd "$GUEST/shim"
objects=()
for source in *.c; do
  [ -f "$source" ] || die "no shim/*.c"
  # shellcheck disable=SC2086
  $CLANG -std=c11 -O2 -DNDEBUG -DPy_BUILD_CORE $WASM_FLAGS -Wall -Wextra -Wno-unused-parameter \
    -I. -I"$GUEST_SOURCE/Include" -I"$GUEST_SOURCE/Include/internal" -I"$CPYTHON" \
    -c "$source" -o "$shim/${source%.c}.o"
  objects+=("shim/${source%.c}.o")
done

cd "$WORK/build"
# Linked by hand: clang's own link skips wasm-ld without wasm-opt. No _start, _initialize or exported constructors:
# guest_init calls them itself, so that an engine runs nothing on a restored image. The output has a fixed name because
# the name section, which stays for readable stack traces, records it.
# The memory it begins with is what guest_init needs and about a MiB more, for runs that make little: beyond that a
# memory that grows, in large pages, is cheaper than one that is there.
wasm-ld-19 -m wasm32 --no-entry --stack-first -z stack-size=8388608 --gc-sections --strip-debug \
  --export=__stack_pointer --export-memory --initial-memory=29097984 \
  -L"$SYSROOT/lib/wasm32-wasi" -L"$DEPS/lib" -o python.wasm \
  "${objects[@]}" frozen/frozen.o \
  cpython/libpython3.13.a cpython/Modules/_decimal/libmpdec/libmpdec.a \
  cpython/Modules/_hacl/libHacl_Hash_SHA2.a cpython/Modules/expat/libexpat.a \
  -lsqlite3 -lz -ldl -lwasi-emulated-signal -lwasi-emulated-getpid -lwasi-emulated-process-clocks -lm -lc "$CLANG_RT"
# The name section tells: neither function of zlib that Debian patches (see zlib.sh) may be in.
if grep -aqE 'gz_write|x2nmodp' python.wasm; then
  die "zlib's gzwrite or crc32_combine is linked: apply Debian's patches"
fi
cp python.wasm "$out"
