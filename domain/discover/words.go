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
		if c := text[i]; c < utf8.RuneSelf && !isWordRune(rune(c)) {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWhole(r):
			yield(text[i : i+size])
			i += size
		case isWordRune(r):
			end := i + size
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
	if isASCIILower(run) {
		give(run, yield)
		return
	}
	start := 0
	before, beforeSize := rune(0), 0
	for i, r := range run {
		_, size := utf8.DecodeRuneInString(run[i:])
		next, _ := utf8.DecodeRuneInString(run[i+size:])
		switch {
		case i == 0:
		case unicode.IsUpper(r) && !unicode.IsUpper(before):
			give(run[start:i], yield)
			start = i
		case unicode.IsUpper(r) && unicode.IsLower(next) && i-beforeSize >= start:
			give(run[start:i], yield)
			start = i
		}
		before, beforeSize = r, size
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

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
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
