package stdio

import "encoding/json"

// maxID is how many bytes of JSON a request's id may have.
const maxID = 256

// idScanner finds the id of a message that is too long to be held or too broken
// to be parsed, in constant memory, so that whoever sent it gets an answer to
// that request instead of none.
type idScanner struct {
	id []byte // the member "id" of the outermost object, if it is a string or a number

	depth           int
	quoted, escaped bool
	behindColon     bool
	key, value      []byte
}

// scan takes the next part of the message.
func (s *idScanner) scan(text []byte) {
	for _, c := range text {
		if s.quoted {
			s.keep(c)
			switch {
			case s.escaped:
				s.escaped = false
			case c == '\\':
				s.escaped = true
			case c == '"':
				s.quoted = false
			}
			continue
		}
		switch c {
		case '"':
			s.quoted = true
			s.keep(c)
		case '{', '[':
			s.depth++
		case '}', ']':
			s.endMember()
			s.depth--
		case ',':
			s.endMember()
		case ':':
			s.behindColon = s.behindColon || s.depth == 1
		case ' ', '\t', '\r', '\n':
		default:
			s.keep(c)
		}
	}
}

// keep keeps a byte of a key or a value of the outermost object; what is longer
// than an id may be is no id, whatever is kept of it.
func (s *idScanner) keep(c byte) {
	if s.depth != 1 {
		return
	}
	token := &s.key
	if s.behindColon {
		token = &s.value
	}
	if len(*token) <= maxID {
		*token = append(*token, c)
	}
}

func (s *idScanner) endMember() {
	if s.depth != 1 {
		return
	}
	if s.id == nil && string(s.key) == `"id"` && isID(s.value) {
		s.id = append([]byte{}, s.value...)
	}
	s.key, s.value, s.behindColon = s.key[:0], s.value[:0], false
}

// isID tells whether a JSON text can be the id of a request.
func isID(text []byte) bool {
	if len(text) == 0 || len(text) > maxID || !json.Valid(text) {
		return false
	}
	return text[0] == '"' || text[0] == '-' || '0' <= text[0] && text[0] <= '9'
}
