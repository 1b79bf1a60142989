package mcpserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolplane/domain/run"
)

// cut shortens a text and says by how much.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return run.Text{Head: text, Size: int64(len(text))}.Fit(int64(most)).String()
}

// preview returns how a value's JSON begins, up to a character's end.
func preview(canonical []byte, most int) string {
	n := min(len(canonical), most)
	for n > 0 && n < len(canonical) && !utf8.RuneStart(canonical[n]) {
		n--
	}
	return string(canonical[:n])
}

// Bounds on what a text lists of the things that were saved: how many, and bytes
// of each name. Structured content has more.
const (
	maxListed     = 20
	maxListedName = 80
)

// compact is an outcome in as few words as a model needs: the value or the
// error, what was saved and noted, and the output, which gives way when all of
// it is too much.
func compact(view outcome, o run.Outcome) string {
	var b strings.Builder
	switch {
	case view.Error != nil:
		b.WriteString(errorText(view.Error))
	case view.LargeValue != nil:
		fmt.Fprintf(&b, "value: %s…\n", view.LargeValue.Preview)
	default:
		fmt.Fprintf(&b, "value: %s\n", cut(string(view.Value.Bytes()), maxText/2))
	}
	for i, p := range slices.Concat(o.Results, o.Artifacts) {
		if i == maxListed {
			fmt.Fprintf(&b, "saved: and %d more\n", len(o.Results)+len(o.Artifacts)-maxListed)
			break
		}
		b.WriteString(pointerText(p))
	}
	for _, note := range view.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	room := max(0, maxText-b.Len()-256) // less what stands around the output
	output(&b, "stdout", view.Stdout, max(room/2, room-len(view.Stderr)))
	output(&b, "stderr", view.Stderr, max(room/2, room-len(view.Stdout)))
	return cut(strings.TrimSuffix(b.String(), "\n"), maxText-64)
}

func output(b *strings.Builder, name, text string, most int) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, "%s:\n%s\n", name, strings.TrimSuffix(cut(text, most), "\n"))
}

func errorText(f *run.FailureRecord) string {
	text := f.Type + ": " + f.Message
	if f.Code != "" {
		text += fmt.Sprintf(" [%s]", f.Code)
	}
	if f.Line != nil {
		text += fmt.Sprintf(" (line %d)", *f.Line)
	}
	text = "error: " + text + "\n"
	if f.Traceback != "" {
		text += strings.TrimSuffix(f.Traceback, "\n") + "\n"
	}
	return text
}

// pointerText tells of something saved. Names are the snippet's and stay on
// their line.
func pointerText(p run.Pointer) string {
	text := "saved: " + p.Handle.Reveal()
	for _, name := range []string{p.Filename, p.MediaType, p.Label} {
		if name != "" {
			text += " " + strconv.Quote(cut(name, maxListedName))
		}
	}
	return text + fmt.Sprintf(" (%d bytes), resource %s\n", p.Bytes, p.URI())
}
