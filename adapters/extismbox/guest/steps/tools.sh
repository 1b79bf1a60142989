#!/bin/bash
# The tools of inputs.lock: installs what is missing (as root), refuses another compiler.
. "$(dirname "$0")/env.sh"

installed() { dpkg-query -W -f '${db:Status-Abbrev} ${Version}' "$1" 2>/dev/null | sed -n 's/^ii *//p'; }

missing=()
while read -r kind package version; do
  [ -n "$(installed "$package")" ] && continue
  [ "$kind" = compiler ] && missing+=("$package=$version") || missing+=("$package")
done < <(grep -E '^(compiler|tool) ' "$LOCK")

if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || die "missing tools; as root: apt-get install ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >&2 ||
    die "could not install ${missing[*]}; 'apt-get update' may be due"
fi

while read -r kind package version; do
  have=$(installed "$package")
  [ "$have" = "$version" ] && continue
  [ "$kind" = tool ] && { echo "note: $package is $have, the recorded build used $version" >&2; continue; }
  [ -n "${GUEST_OTHER_COMPILER:-}" ] ||
    die "$package is $have, inputs.lock pins $version; GUEST_OTHER_COMPILER=1 builds all the same, with other bytes"
done < <(grep -E '^(compiler|tool) ' "$LOCK")
