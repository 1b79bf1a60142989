#!/bin/bash
# The inputs of inputs.lock -> downloads/, each checked against its SHA-256. A file that is there already is not fetched,
# so a folder of kept downloads replaces the network: GUEST_DOWNLOADS=folder.
. "$(dirname "$0")/env.sh"

mkdir -p "$DOWNLOADS"
matches() { echo "$2  $1" | sha256sum --check --status 2>/dev/null; }

# The Debian mirror that the machine itself uses, from deb822 or one-line sources.
mirror() {
  [ -z "${GUEST_MIRROR:-}" ] || { echo "$GUEST_MIRROR"; return; }
  local files
  mapfile -t files < <(find /etc/apt/sources.list /etc/apt/sources.list.d -name '*.list' -o -name '*.sources' 2>/dev/null | sort)
  # of "URIs: address address" and "deb [options] address suite ..." the first address of a Debian archive
  [ ${#files[@]} -eq 0 ] || sed -nE '
    s/^URIs:[[:space:]]*//p
    s/^deb[[:space:]]+(\[[^]]*\][[:space:]]*)?([^[:space:]]+).*/\2/p' "${files[@]}" |
    tr -s ' \t' '\n' | awk '/\/debian(\.list)?\/?$/ && !found++'
}

# A private apt: own sources, lists and cache, nothing of the machine's is read or changed.
private_apt() {
  local apt=$WORK/apt uri
  uri=$(mirror)
  [ -n "$uri" ] || die "no Debian mirror in the machine's apt sources; name one with GUEST_MIRROR=address"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/etc/apt.conf.d" "$apt/etc/preferences.d"
  : > "$apt/status"
  local key=/usr/share/keyrings/debian-archive-keyring.gpg
  printf 'deb [signed-by=%s] %s trixie main\ndeb-src [signed-by=%s] %s trixie main\n' "$key" "$uri" "$key" "$uri" > "$apt/sources.list"
  cat > "$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "$apt/etc/preferences.d";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Acquire::Languages "none";
APT::Sandbox::User "$(id -un)";
CONF
  export APT_CONFIG=$apt/apt.conf
  apt-get update -qq >&2 || die "apt-get update of the private lists did not succeed"
}

# uris KIND PACKAGE VERSION: lines 'URI' NAME SIZE HASH
uris() {
  if [ "$1" = source ]; then
    apt-get source --download-only --print-uris -qq "$2=$3"
  else
    (cd "$WORK" && apt-get download --print-uris -qq "$2=$3")
  fi
}

while read -r -u 3 kind package version file sha256; do
  target=$DOWNLOADS/$file
  matches "$target" "$sha256" && continue
  if [ -n "${GUEST_DOWNLOADS:-}" ] && matches "$GUEST_DOWNLOADS/$file" "$sha256"; then
    cp "$GUEST_DOWNLOADS/$file" "$target"
    continue
  fi
  [ -n "${APT_CONFIG:-}" ] || private_apt
  uri=$(uris "$kind" "$package" "$version" | awk -v f="$file" '$2 == f { gsub(/\x27/, "", $1); print $1; exit }')
  [ -n "$uri" ] || die "the mirror no longer has $file ($package $version): keep a copy in GUEST_DOWNLOADS or move inputs.lock on"
  /usr/lib/apt/apt-helper download-file "$uri" "$target" "SHA256:$sha256" >&2 || die "$file: not fetched, or other content than inputs.lock says"
  matches "$target" "$sha256" || die "$file has another SHA-256 than inputs.lock says"
done 3< <(grep -E '^(source|deb) ' "$LOCK")
