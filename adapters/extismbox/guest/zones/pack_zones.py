"""pack_zones.py ZONEINFO-FOLDER OUT.py: every time zone of Debian's tzdata and tzdata-legacy as one Python module.

The compiled files are Debian's own: the zic of an older release makes three zones wrong from the newer source. Each
file loses its version-1 block (RFC 8536: a reader of version 2 or later skips it); equal files are stored once.
"""

import os
import struct
import sys

MAGIC = b"TZif"
HEADER_SIZE = 44
# seconds of the machine that builds, or copies of the same zones in other time scales
NOT_ZONES = ("posixrules", "localtime")
OTHER_SCALES = ("right/", "posix/")


def without_version_1(data):
    """The TZif file with an empty version-1 block (one type and one designation are the least a block may have)."""
    if data[4:5] < b"2":
        return data
    is_ut, is_std, leap, times, types, chars = struct.unpack(">6l", data[20:HEADER_SIZE])
    second = HEADER_SIZE + times * 5 + types * 6 + chars + leap * 8 + is_std + is_ut
    if data[second:second + 4] != MAGIC:
        sys.exit("guest build: a TZif file without a second header")
    empty = struct.pack(">6l", 0, 0, 0, 0, 1, 1) + bytes(6) + b"\0"
    return data[:20] + empty + data[second:]


def zone_files(root):
    """(key, content) of every zone, sorted by key."""
    keys = sorted(
        os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names
    )
    for key in keys:
        if key in NOT_ZONES or key.startswith(OTHER_SCALES):
            continue
        with open(os.path.join(root, key), "rb") as file:
            content = file.read()
        if content.startswith(MAGIC):
            yield key, content


def main(root, out):
    data, offsets, index = bytearray(), {}, []
    for key, content in zone_files(root):
        zone = without_version_1(content)
        if zone not in offsets:
            offsets[zone] = len(data)
            data += zone
        index.append(f"{key}\t{offsets[zone]}\t{len(zone)}")
    with open(os.path.join(root, "tzdata.zi"), encoding="utf-8") as file:
        version = file.readline().split()[-1]
    text = "\n" + "\n".join(index) + "\n"
    with open(out, "w", encoding="utf-8", newline="\n") as file:
        file.write(f'"""Time zones of tzdata {version}: INDEX has lines of key, offset and size in DATA."""\n\n')
        file.write(f"VERSION = {version!r}\nINDEX = {text!r}\nDATA = {bytes(data)!r}\n")
    print(f"tzdata {version}: {len(index)} zones, {len(offsets)} distinct, {len(data)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
