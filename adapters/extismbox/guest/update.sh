#!/bin/bash
# update.sh [WORK]: builds the guest and replaces the committed module, its checksums, inputs.sha256 and PROVENANCE.md.
set -euo pipefail
guest=$(cd "$(dirname "$0")" && pwd -P)
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

"$guest/verify.sh" --inputs > "$staging/inputs.sha256" # as they are when the build begins
"$guest/build.sh" "$staging/python.wasm" "$@"
cd "$staging"
# one thread: the compressed bytes must not depend on the number of processors
zstd -19 --single-thread --quiet python.wasm
sha256sum python.wasm python.wasm.zst > python.wasm.sha256
cat python.wasm.sha256 >> inputs.sha256
install -m 644 python.wasm.zst python.wasm.sha256 inputs.sha256 "$guest/"
python3 -B "$guest/provenance.py" > "$guest/PROVENANCE.md"
cat python.wasm.sha256
