package canon

import (
	"fmt"

	"toolplane/domain/fault"
)

// maxNotes bounds how many repairs are told one by one.
const maxNotes = 100

// Note tells of one repair that a lenient parse made.
type Note struct {
	Code fault.Code // what a strict parse would have refused: json.duplicate or json.surrogate
	Path string     // where, such as "$.rows[1].name"
	More int        // on the last of many notes, how many further repairs are not listed
}

// String says what was repaired, and where.
func (n Note) String() string {
	text := n.Path + ": the key is named more than once; its last value counts"
	if n.Code == fault.JSONSurrogate {
		text = n.Path + ": text that is not valid Unicode; U+FFFD stands for what was replaced"
	}
	if n.More > 0 {
		text += fmt.Sprintf(" (and %d more repairs)", n.More)
	}
	return text
}

// note records a repair; path is called only if the note is kept.
func (w *writer) note(code fault.Code, path func() string) {
	if len(w.notes) == maxNotes {
		w.notes[maxNotes-1].More++
		return
	}
	w.notes = append(w.notes, Note{Code: code, Path: path()})
}
