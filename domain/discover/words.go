package discover

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord bounds the length of what is taken for a word, in bytes.
const maxWord = 64

// stopWords are left out of a query that has other words.
var stopWords = set(`a an and any are as at be by can do for from get has have how i in into is it
	its me my of on or that the this to use using want what when where which with you your`)

// words gives every word of a text in lower case: runs of letters and digits,
// taken apart where the case changes (camelCase, HTTPServer). The whole of what
// was taken apart follows its parts. Letters of scripts that are written without
// spaces are words of their own.
func words(text string, yield func(word string)) {
	for i := 0; i < len(text); {
		// Nearly every word is plain: lower-case ASCII between other ASCII.
		end := i
		for end < len(text) && isPlain(text[end]) {
			end++
		}
		if end == len(text) || text[end] < utf8.RuneSelf && !isUpper(text[end]) {
			if 0 < end-i && end-i <= maxWord {
				yield(text[i:end])
			}
			i = end + 1
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWhole(r):
			yield(text[i : i+size])
			i += size
		case isWordRune(r):
			end = i + size
			for end < len(text) {
				next, n := utf8.DecodeRuneInString(text[end:])
				if !isWordRune(next) || isWhole(next) {
					break
				}
				end += n
			}
			split(text[i:end], yield)
			i = end
		default:
			i += size
		}
	}
}

// split takes one run of letters and digits apart.
func split(run string, yield func(word string)) {
	start := 0
	before := rune(0)
	for i, r := range run {
		next, _ := utf8.DecodeRuneInString(run[i+utf8.RuneLen(r):])
		switch {
		case i == 0:
		case unicode.IsUpper(r) && !unicode.IsUpper(before):
			give(run[start:i], yield)
			start = i
		case unicode.IsUpper(r) && unicode.IsLower(next):
			give(run[start:i], yield)
			start = i
		}
		before = r
	}
	if start > 0 {
		give(run[start:], yield)
	}
	give(run, yield)
}

func give(word string, yield func(word string)) {
	if lower := strings.ToLower(word); len(lower) <= maxWord {
		yield(lower)
	}
}

func isPlain(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isPlain(byte(r)) || isUpper(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))
}

// isWhole tells whether a letter is looked for by itself.
func isWhole(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// set makes a set of the words of a text.
func set(text string) map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}
