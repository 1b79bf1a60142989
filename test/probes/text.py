### str methods
s = "Hello, Wörld"
result = (s.upper(), s.casefold(), s.swapcase(), s.title(), s.center(16, "*"), s.find("W"), s.partition(", "), s.startswith(("x", "He")), s.isascii(), s.encode().hex())
### str predicates
result = [("12".isdigit(), "½".isnumeric(), "a1".isalnum(), " ".isspace(), "Ab".istitle(), "x".isidentifier(), "\n".isprintable(), "²".isdecimal())]
### split and join
result = ("a  b c".split(), "a,b,,c".split(","), "a,b,c".rsplit(",", 1), "l1\nl2\r\nl3".splitlines(), "x".join("abc"), "a-b".removeprefix("a-"), "a.py".removesuffix(".py"))
### translate and maketrans
result = "hello".translate(str.maketrans("el", "ip", "o"))
### expandtabs zfill justify
result = ("a\tb".expandtabs(4), "-5".zfill(4), "ab".ljust(4, "."), "ab".rjust(4))
### unicode names and normalisation
import unicodedata as u
result = (u.name("é"), u.lookup("GREEK SMALL LETTER ALPHA"), u.normalize("NFD", "é").encode().hex(), u.category("A"), u.bidirectional("א"), u.east_asian_width("字"), u.numeric("½"), u.combining("\u0301"))
### emoji and astral characters
s = "a😀b"
result = (len(s), s[1], s[::-1], s.encode("utf-16-le").hex(), ord("😀"), chr(0x1F600), s.encode().hex())
### lone surrogates
s = "a\ud800b"
try:
    s.encode()
except UnicodeEncodeError as e:
    result = (e.reason, s.encode("utf-8", "surrogatepass").hex(), s.encode("ascii", "backslashreplace"))
### codecs
result = ("é".encode("latin-1"), b"\xe9".decode("cp1252"), "ж".encode("koi8-r"), "abc".encode("utf-16"), "é".encode("ascii", "xmlcharrefreplace"), b"\xff\xfea\x00".decode("utf-16"), "ünï".encode("idna"))
### punycode and rot13
import codecs
result = (codecs.encode("hello", "rot13"), "bücher".encode("punycode"), codecs.decode("68656c6c6f", "hex"))
### regex basics
import re
result = (re.findall(r"\d+", "a1b22"), re.sub(r"(\w)(\d)", r"\2\1", "a1 b2"), re.split(r"[;,]\s*", "a, b;c"), re.match(r"(?P<y>\d{4})-(?P<m>\d\d)", "2026-12-01").groupdict(), re.fullmatch("a+", "aab"))
### regex flags
import re
result = (re.findall(r"^a.c$", "A\nc\nabc", re.I | re.M), re.search("a.b", "a\nb", re.S).span(), re.compile(r"""
  \d+  # digits
""", re.X).findall("1 22"))
### regex lookaround and backreference
import re
result = (re.findall(r"(?<=\$)\d+", "$5 6 $7"), re.findall(r"\b(\w)\w*\1\b", "abca xyz dad"), re.sub(r"(?!^)(?=(\d{3})+$)", ",", "1234567"), re.findall(r"(a)|b", "ab"))
### regex functions as replacement
import re
result = re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "a1 b20")
### regex possessive and atomic
import re
result = (re.match(r"a++b", "aaab") is not None, re.match(r"(?>a+)ab", "aaab"))
### regex unicode
import re
result = (re.findall(r"\w+", "naïve façade 北京"), re.findall(r"(?a)\w+", "naïve"), re.escape("a.b*c"))
### regex errors
import re
try:
    re.compile("(")
except re.error as e:
    result = (e.msg, e.pos)
### textwrap
import textwrap
result = (textwrap.dedent("  a\n    b\n"), textwrap.fill("the quick brown fox jumps", 10), textwrap.shorten("hello big world", 11, placeholder="…"), textwrap.indent("a\nb", "> "))
### string templates and constants
import string
result = (string.Template("$who has ${n}").substitute(who="x", n=2), string.ascii_lowercase[:5], string.Template("$a $b").safe_substitute(a=1), string.capwords("ab cd"), string.punctuation[:4])
### string Formatter
import string
result = list(string.Formatter().parse("a{b!r:>5}c"))
### difflib
import difflib
result = (list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm="")), difflib.get_close_matches("appel", ["ape", "apple", "peach"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3))
### html escape and parser
import html
from html.parser import HTMLParser
out = []
class P(HTMLParser):
    def handle_starttag(self, t, a): out.append((t, a))
    def handle_data(self, d): out.append(d)
P().feed('<a href="x">hi &amp; <b>bye</b></a>')
result = (html.escape('<a b="c">'), html.unescape("&eacute;&lt;&#39;"), out)
### xml elementtree
import xml.etree.ElementTree as ET
r = ET.fromstring("<r a='1'><x>t</x><x k='v'/></r>")
ET.SubElement(r, "y").text = "né"
result = (r.attrib, [c.tag for c in r], r.find("x").text, r.findall("x[@k]")[0].attrib, ET.tostring(r, encoding="unicode"))
### xml errors
import xml.etree.ElementTree as ET
try:
    ET.fromstring("<a><b></a>")
except ET.ParseError as e:
    result = (str(e), e.position)
### xml minidom
from xml.dom import minidom
d = minidom.parseString("<a><b c='1'>t</b></a>")
result = (d.documentElement.tagName, d.getElementsByTagName("b")[0].getAttribute("c"))
### csv reader and writer
import csv, io
rows = list(csv.reader(io.StringIO('a,"b, c","d ""q"""\n1,,\n')))
out = io.StringIO(); csv.writer(out).writerows([[1, "x,y", 'q"'], [None, 2.5, ""]])
result = (rows, out.getvalue())
### csv dict and sniff
import csv, io
r = list(csv.DictReader(io.StringIO("n;v\na;1\nb;2\n"), delimiter=";"))
o = io.StringIO(); w = csv.DictWriter(o, ["n", "v"]); w.writeheader(); w.writerow({"n": "z", "v": 3})
result = (r, o.getvalue(), csv.Sniffer().sniff("a|b\n1|2\n").delimiter)
### json round trip
import json
d = {"b": [1, 2.5, None, True, "é\n\u2028"], "a": {"x": 10**20}}
result = (json.dumps(d), json.dumps(d, ensure_ascii=False, sort_keys=True, separators=(",", ":")), json.loads(json.dumps(d)) == d)
### json pretty and default
import json, datetime
result = (json.dumps({"a": [1, {}], "b": []}, indent=2), json.dumps({"d": datetime.date(2026, 1, 2)}, default=str), json.dumps(float("nan")))
### json hooks
import json
from decimal import Decimal
result = (json.loads('{"a": 1.10}', parse_float=lambda s: s), json.loads('[{"x": 1}]', object_hook=lambda d: sorted(d)), json.loads('{"a":1,"a":2}', object_pairs_hook=lambda p: p))
### json errors
import json
try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    result = (e.msg, e.lineno, e.colno, e.pos)
### json key coercion
import json
result = json.dumps({1: "a", None: "b", True: "c", 2.5: "d"})
### base64 and binascii
import base64, binascii
result = (base64.b64encode(b"\xff\x00a"), base64.urlsafe_b64decode("_wBh"), base64.b32encode(b"hi"), base64.b85encode(b"hello"), binascii.hexlify(b"ab"), binascii.crc32(b"abc"), base64.a85encode(b"test"))
### quoted printable
import quopri
result = quopri.encodestring("é=".encode())
### hashlib
import hashlib
result = (hashlib.md5(b"a").hexdigest(), hashlib.sha1(b"a").hexdigest(), hashlib.sha256(b"a").hexdigest(), hashlib.sha3_256(b"a").hexdigest()[:16], hashlib.blake2b(b"a", digest_size=8).hexdigest(), hashlib.new("sha512", b"a").hexdigest()[:16], hashlib.shake_128(b"a").hexdigest(8))
### hmac and compare
import hmac, hashlib
result = (hmac.new(b"k", b"m", hashlib.sha256).hexdigest(), hmac.compare_digest("a", "a"), hmac.digest(b"k", b"m", "sha1").hex())
### pbkdf2
import hashlib
result = hashlib.pbkdf2_hmac("sha256", b"pw", b"salt", 10).hex()
### urllib parse
from urllib.parse import urlparse, urlencode, quote, unquote, urljoin, parse_qs, urlsplit, parse_qsl
u = urlparse("https://u:p@h.org:8080/a/b;c?q=1&q=2#f")
result = (u.netloc, u.port, u.username, u.query, parse_qs(u.query), urlencode({"a": "x y", "b": ["1", "2"]}, doseq=True), quote("a/b é", safe=""), unquote("a%20%C3%A9"), urljoin("http://h/a/b", "../c"), parse_qsl("a=&b=1", keep_blank_values=True))
### ipaddress
import ipaddress as ip
n = ip.ip_network("10.0.0.0/30")
result = ([str(h) for h in n.hosts()], ip.ip_address("10.0.0.2") in n, str(ip.ip_address("::1").exploded), n.num_addresses, ip.ip_address("192.168.1.1").is_private)
### email parsing
from email import message_from_string
from email.message import EmailMessage
m = message_from_string("Subject: =?utf-8?q?h=C3=A9?=\nTo: a@b.c\n\nbody\n")
from email.header import decode_header, make_header
result = (str(make_header(decode_header(m["Subject"]))), m["To"], m.get_payload())
### email building
from email.message import EmailMessage
m = EmailMessage(); m["Subject"] = "hé"; m["From"] = "a@b.c"; m.set_content("text é\n")
result = (m["Subject"], m.get_content_type(), m.get_content())
### email dates and addresses
from email.utils import parsedate_to_datetime, parseaddr, formataddr
result = (parsedate_to_datetime("Tue, 01 Dec 2026 10:00:00 +0100").isoformat(), parseaddr("Ann <a@b.c>"), formataddr(("Ann", "a@b.c")))
### configparser
import configparser
c = configparser.ConfigParser(); c.read_string("[a]\nx = 1\ny = %(x)s2\n[b]\nflag = yes\n")
result = (c.sections(), c["a"]["y"], c["b"].getboolean("flag"), c.getint("a", "x"))
### tomllib
import tomllib
result = tomllib.loads('a = 1\n[t]\nx = [1.5, "s"]\nd = 2026-01-02\n')["t"]["x"]
### shlex
import shlex
result = (shlex.split("a 'b c' \"d\\\"e\" f\\ g"), shlex.quote("a b"), shlex.join(["x", "y z"]))
### fnmatch and glob translate
import fnmatch
result = (fnmatch.filter(["a.py", "b.txt", "c.py"], "*.py"), fnmatch.fnmatchcase("A", "a"))
### pprint
import pprint
result = (pprint.pformat({"b": list(range(30)), "a": {"x": 1}}, width=40), pprint.saferepr([1]))
### reprlib
import reprlib
result = reprlib.repr(list(range(100)))
### io text and bytes
import io
b = io.BytesIO(b"line1\nline2\n"); t = io.TextIOWrapper(b, encoding="utf-8")
s = io.StringIO(); print("a", 1, sep="-", end="!", file=s)
result = (t.readline(), t.read(), s.getvalue(), io.StringIO("a\nb").readlines())
### zlib and gzip
import zlib, gzip, io
d = b"abc" * 1000
z = zlib.compress(d, 9)
result = (len(z) < 50, zlib.decompress(z) == d, gzip.decompress(gzip.compress(d)) == d, zlib.adler32(b"abc"), zlib.decompressobj().decompress(z, 5))
### zipfile in memory
import zipfile, io
b = io.BytesIO()
with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("a.txt", "hello " * 100); z.writestr("d/b.txt", "x")
with zipfile.ZipFile(b) as z:
    result = (z.namelist(), z.read("a.txt")[:5], z.getinfo("a.txt").file_size, z.testzip())
### tarfile in memory
import tarfile, io
b = io.BytesIO()
with tarfile.open(fileobj=b, mode="w:gz") as t:
    i = tarfile.TarInfo("x.txt"); i.size = 3; t.addfile(i, io.BytesIO(b"abc"))
b.seek(0)
with tarfile.open(fileobj=b) as t:
    result = (t.getnames(), t.extractfile("x.txt").read())
### locale independent formats
result = (f"{1234.5:n}", "{:,}".format(1234))
### locale collation of sorted text
result = sorted(["é", "z", "a", "B", "ä"]), sorted("bCa", key=str.casefold)
### ast literal_eval and unparse
import ast
result = (ast.literal_eval("{'a': [1, 2.5, (3,)], 'b': None}"), ast.unparse(ast.parse("x=1+2 if y else z")), type(ast.parse("1", mode="eval").body).__name__)
### tokenize
import tokenize, io
result = [t.string for t in tokenize.generate_tokens(io.StringIO("x = 1 # c\n").readline)]
### python source with odd encodings in text
result = "\N{BULLET} \x41 \u00e9 \U0001F600 \101", r"\n", b"\x00\xff"
### str comparison and min of words
result = ("a" < "B", "abc" < "abd", max("apple", "banana"), sorted(["b10", "b9"]))
### bytes translate and split
result = (b"a-b-c".split(b"-"), b"abc".translate(None, b"b"), b"ab".ljust(4, b"."), bytes(3), bytes([1, 2]), b"x" * 3)
