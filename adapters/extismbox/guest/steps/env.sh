# Environment of every build step; sourced, never run. The caller sets:
#   GUEST  this recipe's folder        WORK  work folder, disposable, may be anywhere
# Nothing that differs between two machines may reach the module: no path, date, locale, umask or hash seed.
set -euo pipefail
: "${GUEST:?}" "${WORK:?}"
die() { echo "guest build: $*" >&2; exit 1; }
[[ $WORK != *[[:space:]]* ]] || die "the work folder's path has a space, which configure scripts do not bear: $WORK"
umask 022
unset CFLAGS CPPFLAGS CXXFLAGS LDFLAGS LIBS MAKEFLAGS CONFIG_SITE CPATH C_INCLUDE_PATH LIBRARY_PATH
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONOPTIMIZE APT_CONFIG
export GUEST WORK LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1750000000 ZERO_AR_DATE=1
# No compiled files of the native library, neither written nor read: which strings a python has interned, and so how
# it marshals a constant, depends on whether its own modules came from them.
export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 PYTHONPYCACHEPREFIX=$WORK/no-pycache
export JOBS="${JOBS:-$(nproc)}"

LOCK=$GUEST/inputs.lock
DOWNLOADS=$WORK/downloads
SYSROOT=$WORK/sysroot/usr
DEPS=$WORK/deps                       # wasm libraries that CPython links
NATIVE_SOURCE=$WORK/src/python        # Debian's source with its security patches
GUEST_SOURCE=$WORK/src/guest-python   # the same with our edits
NATIVE=$WORK/build/native
CPYTHON=$WORK/build/cpython
# not -I: that would ignore PYTHONHASHSEED
NATIVE_PYTHON="$NATIVE/python -s -P -B"

CLANG="clang-19 --target=wasm32-wasi --sysroot=$SYSROOT"
CLANG_RT=$(clang-19 -print-resource-dir 2>/dev/null || true)/lib/wasi/libclang_rt.builtins-wasm32.a
# Features beyond wasm 1.0 that wazero has and CPython gains from; no path of the machine in any string.
WASM_FLAGS="-mbulk-memory -mnontrapping-fptoint -msign-ext -mmutable-globals -g0 -ffile-prefix-map=$WORK=/build"

# use_wasm_compiler: what a configure script reads.
use_wasm_compiler() {
  export CC=$CLANG CPP="$CLANG -E" CXX="clang++-19 --target=wasm32-wasi --sysroot=$SYSROOT"
  export AR=llvm-ar-19 RANLIB=llvm-ranlib-19
  export PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=$DEPS/lib/pkgconfig
}

# locked_file PACKAGE PATTERN: path of the one downloaded file of PACKAGE whose name matches the glob.
locked_file() {
  local file found=
  while read -r file; do
    # shellcheck disable=SC2053
    [[ $file == $2 ]] && found+="$DOWNLOADS/$file"
  done < <(awk -v p="$1" '($1 == "source" || $1 == "deb") && $2 == p { print $4 }' "$LOCK")
  [ -f "$found" ] || die "inputs.lock names no single file of $1 like $2"
  echo "$found"
}
