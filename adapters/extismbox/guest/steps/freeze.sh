#!/bin/bash
# The standard library -> build/frozen/frozen.o: trimmed, compiled to code objects, as the table toolplane_frozen.
. "$(dirname "$0")/env.sh"
lib=$WORK/build/lib
frozen=$WORK/build/frozen
rm -rf "$lib" "$frozen"
mkdir -p "$frozen"
cp -a "$GUEST_SOURCE/Lib" "$lib"
$NATIVE_PYTHON "$GUEST/stdlib/trim.py" "$lib" "$GUEST/stdlib/left_out"
cp "$GUEST/stdlib/_sysconfigdata.py" "$lib/_sysconfigdata__wasi_wasm32-wasi.py"
$NATIVE_PYTHON "$GUEST/zones/pack_zones.py" "$WORK/src/zoneinfo/usr/share/zoneinfo" "$lib/zoneinfo/_zones.py"

$NATIVE_PYTHON "$GUEST/stdlib/freeze.py" "$lib" "$frozen"
cd "$frozen"
# shellcheck disable=SC2086
$CLANG -O1 -DNDEBUG $WASM_FLAGS -Wno-c23-extensions -I"$GUEST_SOURCE/Include" -I"$CPYTHON" -c frozen.c -o frozen.o
