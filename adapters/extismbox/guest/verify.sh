#!/bin/bash
# verify.sh: rebuilds the guest from nothing in a new folder and compares it with the committed module.
# If they are identical, inputs.sha256 is written: what the module was made of, and what it is.
# verify.sh --inputs: prints the hash of every file that shapes the module, and does nothing else.
# The environment of build.sh applies. Only the module itself is compared: another zstd may compress it differently.
set -euo pipefail
guest=$(cd "$(dirname "$0")" && pwd -P)
inputs() {
  cd "$guest" && find build.sh inputs.lock cpython shim sqlite stdlib steps zones -type f -not -path '*/__pycache__/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum
}
if [ "${1-}" = --inputs ]; then
  inputs
  exit
fi

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT

expected() { awk -v name="$1" '$2 == name { print $1 }' "$guest/python.wasm.sha256"; }
differs() { echo "guest verify: $*" >&2; exit 1; }

record=$(inputs && cat "$guest/python.wasm.sha256") # as they are when the build begins
(cd "$guest" && grep ' python.wasm.zst$' python.wasm.sha256 | sha256sum --check --quiet) ||
  differs "python.wasm.zst is not what python.wasm.sha256 says"
committed=$(zstd -dc "$guest/python.wasm.zst" | sha256sum | cut -d ' ' -f 1)
[ "$committed" = "$(expected python.wasm)" ] || differs "python.wasm.zst does not hold what python.wasm.sha256 says"

"$guest/build.sh" "$staging/python.wasm" "$staging/work" > /dev/null
rebuilt=$(sha256sum "$staging/python.wasm" | cut -d ' ' -f 1)
if [ "$rebuilt" != "$committed" ]; then
  trap - EXIT
  differs "the rebuilt module has SHA-256 $rebuilt, the committed one $committed; its work folder stays: $staging"
fi
python3 -B "$guest/provenance.py" | cmp -s - "$guest/PROVENANCE.md" || differs "PROVENANCE.md is not up to date: run update.sh"
echo "$record" > "$guest/inputs.sha256"
echo "guest verify: the rebuilt module is identical, $rebuilt"
