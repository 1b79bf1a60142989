"""Name look-ups that fail cleanly.

WASI has no resolver, so CPython leaves these functions out and socket.create_connection or urlopen end in an
AttributeError. Here they raise OSError, as without a network. The host's name, which mail headers and the like ask
for, is "localhost".
"""

FUNCTIONS = '''
def _no_network(*args, **kwargs):
    raise OSError(errno.ENOTSUP, "the sandbox has no network")


def gethostname():
    return "localhost"


_socket.getaddrinfo = _no_network
gethostbyaddr = gethostbyname = gethostbyname_ex = getnameinfo = _no_network

'''


def apply(tree):
    tree.insert_after("Lib/socket.py", "EWOULDBLOCK = getattr(errno, 'EWOULDBLOCK', 11)\n", FUNCTIONS)
