#!/bin/bash
# src/python -> src/guest-python: a copy with the guest's edits.
. "$(dirname "$0")/env.sh"
rm -rf "$GUEST_SOURCE"
cp -a "$NATIVE_SOURCE" "$GUEST_SOURCE"
# not NATIVE_PYTHON: the edits import one another from their own folder
"$NATIVE/python" -s -B "$GUEST/cpython/edits.py" "$GUEST_SOURCE"
