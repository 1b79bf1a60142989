package capability

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reserved are the names of toolplane's own functions and values in a snippet.
var reserved = names(`call_tool save_result load_result save_artifact load_artifact
	cli_run reset_session previous`)

// keywords are the hard keywords of Python 3.13; none can be an identifier.
var keywords = names(`False None True and as assert async await break class continue def del
	elif else except finally for from global if import in is lambda nonlocal not or pass raise
	return try while with yield`)

// builtins are the names that every Python 3.13 module sees, and the one
// exception type that a snippet sees beside them.
var builtins = names(`ToolError
	ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
	BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
	ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
	Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError
	FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
	ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
	KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
	NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning
	PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
	ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
	SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
	UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
	UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any ascii bin bool
	breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr
	dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr
	hash help hex id input int isinstance issubclass iter len license list locals map max
	memoryview min next object oct open ord pow print property quit range repr reversed round set
	setattr slice sorted staticmethod str sum super tuple type vars zip`)

// dynamic are the words by which a snippet reaches names that its text does not
// hold, as a name of its own or after a dot.
var dynamic = names(`dir eval exec getattr globals locals vars builtins
	attrgetter methodcaller
	__builtins__ __dict__ __getattribute__ __globals__ __import__ __main__
	f_back f_builtins f_globals f_locals
	gc importlib import_module inspect modules pickle pkgutil runpy`)

// foldable are the letters that Python takes for ASCII ones in an identifier, as
// its normalization (NFKC) does: ligatures, wide and mathematical ones and the
// like, and some between them that it leaves alone.
var foldable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00aa, Hi: 0x00aa, Stride: 1},
		{Lo: 0x00ba, Hi: 0x00ba, Stride: 1},
		{Lo: 0x0132, Hi: 0x0133, Stride: 1},
		{Lo: 0x013f, Hi: 0x0140, Stride: 1},
		{Lo: 0x0149, Hi: 0x0149, Stride: 1},
		{Lo: 0x017f, Hi: 0x017f, Stride: 1},
		{Lo: 0x01c4, Hi: 0x01cc, Stride: 1},
		{Lo: 0x01f1, Hi: 0x01f3, Stride: 1},
		{Lo: 0x02b0, Hi: 0x02e4, Stride: 1},
		{Lo: 0x1d2c, Hi: 0x1dbf, Stride: 1},
		{Lo: 0x1e9a, Hi: 0x1e9a, Stride: 1},
		{Lo: 0x2070, Hi: 0x209c, Stride: 1},
		{Lo: 0x2100, Hi: 0x217f, Stride: 1},
		{Lo: 0x2c7c, Hi: 0x2c7d, Stride: 1},
		{Lo: 0xa7f2, Hi: 0xa7f4, Stride: 1},
		{Lo: 0xfb00, Hi: 0xfb06, Stride: 1},
		{Lo: 0xfe33, Hi: 0xfe4f, Stride: 1},
		{Lo: 0xff10, Hi: 0xff5a, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x107a5, Hi: 0x107a5, Stride: 1}, {Lo: 0x1d400, Hi: 0x1d7ff, Stride: 1}, {Lo: 0x1fbf0, Hi: 0x1fbf9, Stride: 1},
	},
	LatinOffset: 2,
}

// folds reports whether a word of a source may be another, written in ASCII.
func folds(word string) bool {
	for i := 0; i < len(word); i++ {
		if word[i] >= utf8.RuneSelf {
			return strings.ContainsFunc(word[i:], func(r rune) bool { return unicode.Is(foldable, r) })
		}
	}
	return false
}

func names(text string) map[string]bool {
	set := make(map[string]bool)
	for _, name := range strings.Fields(text) {
		set[name] = true
	}
	return set
}

// whyNoGlobal returns why a name cannot be a global of a snippet, or "".
func whyNoGlobal(name string) string {
	switch {
	case reserved[name]:
		return "the name is reserved for toolplane's own"
	case builtins[name]:
		return "the name is a Python builtin"
	}
	return whyNoAttribute(name)
}

// whyNoAttribute returns why a name cannot follow a dot, or "".
func whyNoAttribute(name string) string {
	switch {
	case keywords[name]:
		return "the name is a Python keyword"
	case strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__"):
		return "Python keeps names between double underscores to itself"
	}
	return ""
}

// IsKeyword reports whether a name is a hard keyword of Python, which names no
// variable, parameter or attribute.
func IsKeyword(name string) bool { return keywords[name] }

// Identifier returns the Python identifier that stands for a name of any kind:
// each character but ASCII letters, digits and the underscore becomes an
// underscore, and one is put before a leading digit. A name without any ASCII
// letter or digit has none, and "" is returned.
func Identifier(name string) string {
	word := spell(name)
	if strings.Trim(word, "_") == "" {
		return ""
	}
	if isDigit(word[0]) {
		return "_" + word
	}
	return word
}

// spell writes a name with the characters of identifiers, one for each of its
// own.
func spell(name string) string {
	for i := range len(name) {
		if !isWord(name[i]) {
			return strings.Map(func(r rune) rune {
				if r < 0x80 && isWord(byte(r)) {
					return r
				}
				return '_'
			}, name)
		}
	}
	return name
}

// isWord reports whether an ASCII character can stand in an identifier.
func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
