package discover

import "strings"

// stem returns what words of one family have in common: "issue" and "issues",
// "create", "created", "creating" and "creation". It knows the commonest English
// endings only; two words of different families seldom get one stem.
func stem(word string) string {
	if len(word) < 4 || !isASCIILower(word) {
		return word
	}
	word = singular(word)
	for _, ending := range []string{"ing", "ed"} {
		if base, ok := strings.CutSuffix(word, ending); ok && len(base) >= 3 && hasVowel(base) && !strings.HasSuffix(word, "eed") {
			return trimE(verb(base))
		}
	}
	if base, ok := strings.CutSuffix(word, "ion"); ok && len(base) >= 5 && strings.HasSuffix(base, "t") {
		return base
	}
	return trimE(word)
}

func singular(word string) string {
	switch {
	case !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "us") || strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes") || strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "shes"):
		return word[:len(word)-2]
	default:
		return word[:len(word)-1]
	}
}

// verb mends what an ending leaves of a verb: "runn" is run, "sav" is save,
// "copi" is copy.
func verb(base string) string {
	n := len(base)
	last := base[n-1]
	switch {
	case n > 3 && last == base[n-2] && !isVowel(last) && !strings.ContainsRune("lsz", rune(last)):
		return base[:n-1]
	case n == 3 && !isVowel(last) && isVowel(base[1]) && !isVowel(base[0]) && !strings.ContainsRune("wxy", rune(last)):
		return base + "e"
	case n > 3 && last == 'i':
		return base[:n-1] + "y"
	}
	return base
}

// trimE drops the e that endings replace.
func trimE(word string) string {
	if len(word) >= 5 {
		return strings.TrimSuffix(word, "e")
	}
	return word
}

func hasVowel(word string) bool { return strings.ContainsAny(word, "aeiouy") }

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func isASCIILower(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}
