#!/bin/bash
# update.sh [WORK]: builds the guest and replaces the committed module, its checksums and PROVENANCE.md.
set -euo pipefail
guest=$(cd "$(dirname "$0")" && pwd -P)
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

"$guest/build.sh" "$staging/python.wasm" "$@"
cd "$staging"
# one thread: the compressed bytes must not depend on the number of processors
zstd -19 --single-thread --quiet python.wasm
sha256sum python.wasm python.wasm.zst > python.wasm.sha256
install -m 644 python.wasm.zst python.wasm.sha256 "$guest/"
python3 -B "$guest/provenance.py" > "$guest/PROVENANCE.md"
cat python.wasm.sha256
