#!/bin/bash
# build.sh OUT.wasm [WORK]: builds the guest module from nothing: CPython, its standard library, SQLite, time zones.
#
# WORK is where downloads and builds go; without it a fresh temporary folder is used and removed. With the same WORK
# again only the steps whose files changed are redone: a change in shim/ takes seconds.
# Environment: JOBS (parallel jobs), GUEST_DOWNLOADS (folder of kept downloads), GUEST_MIRROR (a Debian mirror),
# GUEST_OTHER_COMPILER=1 (accept a compiler that inputs.lock does not name).
set -euo pipefail

[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
GUEST=$(cd "$(dirname "$0")" && pwd -P)
OUT=$(realpath -m "$1")
if [ $# -ge 2 ]; then
  mkdir -p "$2"
  WORK=$(cd "$2" && pwd -P)
else
  WORK=$(mktemp -d)
  trap 'rm -rf "$WORK"' EXIT
fi
export GUEST WORK

# step NAME FILES... : runs steps/NAME.sh unless nothing that shapes it changed: its own script and the named files
# here, and the steps before it.
mkdir -p "$WORK/done"
key=
step() {
  local name=$1 stamp=$WORK/done/$1 start=$SECONDS
  shift
  key=$( { echo "$key"; cd "$GUEST" && find "steps/env.sh" "steps/$name.sh" "$@" -type f -not -path '*/__pycache__/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum; } | sha256sum)
  [ "$(cat "$stamp" 2>/dev/null)" != "$key" ] || return 0
  rm -f "$stamp"
  echo "guest build: $name" >&2
  bash "$GUEST/steps/$name.sh"
  echo "$key" > "$stamp"
  echo "guest build: $name took $((SECONDS - start)) s" >&2
}

bash "$GUEST/steps/tools.sh"
step fetch inputs.lock
step sources
step native
step zlib
step sqlite sqlite
step edits cpython
step cpython
step freeze stdlib zones
bash "$GUEST/steps/link.sh" "$OUT"
sha256sum "$OUT"
