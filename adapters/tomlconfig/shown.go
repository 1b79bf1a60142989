package tomlconfig

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a message shows of a file, in bytes: a name is cut at its end, so that
// what it begins with can be looked for; a sentence in its middle, where it holds
// a name.
const (
	maxName     = 80
	maxSentence = 240
)

// shown is a name from a file as a message has it between quotes or brackets.
func shown(name string) string {
	text := escaped(name, `"\`)
	if len(text) <= maxName {
		return text
	}
	return head(text, maxName) + "…"
}

// sentence is a message of the TOML library, which holds names as they are.
func sentence(message string) string {
	text := escaped(message, "")
	if len(text) <= maxSentence {
		return text
	}
	return head(text, maxSentence/2) + "…" + tail(text, maxSentence/2)
}

// escaped writes what a terminal would act on, and the characters of also, as in
// a Go string. A text that is much too long is cut first.
func escaped(text, also string) string {
	if most := 2 * maxSentence; len(text) > most {
		text = head(text, most/2) + tail(text, most/2)
	}
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) && r != utf8.RuneError && !strings.ContainsRune(also, r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.Quote(string(r))
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// head is the begin of a text, at most n bytes and whole characters.
func head(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// tail is the end of a text, at most n bytes and whole characters.
func tail(text string, n int) string {
	from := len(text) - n
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return text[from:]
}
