package argcheck

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a regular expression that knows its price.
type pattern struct {
	*regexp.Regexp
	size int // in instructions, each of which a byte of text may run once
}

// compilePattern returns nil for a pattern that Go does not know.
func compilePattern(text string) *pattern {
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	return &pattern{Regexp: compiled, size: len(program.Inst)}
}

// price returns the work of matching a text of so many bytes.
func (p *pattern) price(length int) int { return workOfInstruction * p.size * (length + 1) }
