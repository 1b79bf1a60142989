#!/bin/bash
# A native python of the guest's very version: runs the cross build and records the values that tests expect.
. "$(dirname "$0")/env.sh"
rm -rf "$NATIVE"
mkdir -p "$NATIVE"
cd "$NATIVE"
../../src/python/configure --with-ensurepip=no --disable-test-modules > configure.log 2>&1 || die "configure: see $NATIVE/configure.log"
make -j"$JOBS" > make.log 2>&1 || die "make: see $NATIVE/make.log"
