"""Time zones without files: zoneinfo reads them from the frozen module zoneinfo._zones (see ../zones)."""

LOAD = '''\
def load_tzdata(key):
    from io import BytesIO
    from . import _zones

    start = _zones.INDEX.find(f"\\n{key}\\t") if "\\n" not in key and "\\t" not in key else -1
    if start < 0:
        raise ZoneInfoNotFoundError(f"No time zone found with key {key}")
    start += len(key) + 2
    offset, size = map(int, _zones.INDEX[start:_zones.INDEX.index("\\n", start)].split("\\t"))
    return BytesIO(_zones.DATA[offset:offset + size])


'''

AVAILABLE = '''\
def available_timezones():
    """Returns a set containing all available time zones."""
    from . import _zones

    return {line.partition("\\t")[0] for line in _zones.INDEX.split("\\n") if line}


'''


def apply(tree):
    tree.replace_between("Lib/zoneinfo/_common.py", "def load_tzdata(key):\n", "def load_data(fobj):\n", LOAD)
    tree.replace_between(
        "Lib/zoneinfo/_tzpath.py", "def available_timezones():\n", "class InvalidTZPathWarning(", AVAILABLE)
