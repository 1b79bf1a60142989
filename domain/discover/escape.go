package discover

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is shown of a text from outside, in bytes before escaping.
const (
	maxSummary = 160
	maxProse   = 1200 // a capability's description
	maxRemark  = 300  // an argument's description
	maxLabel   = 80   // titles, tags
)

// clean returns a text from outside as one line: white space and line breaks of
// every kind become single spaces, control characters U+FFFD, and what has no
// width or turns the direction of writing is left out. It is cut to most bytes,
// with "…" for what is missing.
func clean(text string, most int) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			continue // zero width, direction, tags: what a reader does not see
		case unicode.Is(unicode.Cc, r) || !unicode.IsPrint(r):
			r = utf8.RuneError
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		if b.Len()+utf8.RuneLen(r) > most {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}

// prose is clean and escaped: nothing in it is Markdown or HTML.
func prose(text string, most int) string { return escape(clean(text, most)) }

// escape makes Markdown and HTML of one line literal. An underscore between
// letters or digits means nothing in Markdown and stays readable.
func escape(line string) string {
	if !strings.ContainsAny(line, "\\`*_[]<>&~|#") {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		switch c := line[i]; c {
		case '\\', '`', '*', '[', ']', '~', '|', '#':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			if isEntity(line[i:]) {
				b.WriteString("&amp;")
			} else {
				b.WriteByte(c)
			}
		case '_':
			if i == 0 || i == len(line)-1 || !inWord(line[i-1]) || !inWord(line[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isEntity tells whether a text that begins with an ampersand begins with a
// character reference.
func isEntity(text string) bool {
	for i := 1; i < len(text) && i < 40; i++ {
		if text[i] == ';' {
			return i > 1
		}
		if !inWord(text[i]) && text[i] != '#' {
			return false
		}
	}
	return false
}

func inWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

// code returns a line as a code span, whose fence is longer than any run of
// backticks in it.
func code(line string) string {
	longest, run := 0, 0
	for i := range len(line) {
		if line[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + line + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + line + " " + fence
}

// sentence returns the first sentence of a clean line.
func sentence(line string) string {
	for i := range len(line) {
		switch line[i] {
		case '.', '!', '?':
			if i+1 < len(line) && line[i+1] == ' ' && endsSentence(line[:i], line[i+2:]) {
				return line[:i+1]
			}
		}
	}
	return line
}

// endsSentence tells a full stop from the one of an abbreviation such as "e.g."
// by the letters around it.
func endsSentence(before, after string) bool {
	word := before[strings.LastIndexAny(before, " (")+1:]
	if len(word) < 2 || strings.Contains(word, ".") || word == "etc" || word == "vs" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(after)
	return !unicode.IsLower(next)
}
