// Package spelling tells how far two names are apart, for messages that say
// which name may have been meant.
//
// It compares bytes, because the names of capabilities, arguments and settings
// are ASCII nearly always, and bounds its work by the distance that still
// matters. Any layer may use it.
package spelling

import "strings"

// Distance returns how many edits make b of a: letters put in, taken out,
// changed, or exchanged with their neighbour. It does not count beyond most and
// then returns most+1.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// Only the cells around the diagonal can still lead to a small distance;
	// those beside them hold most+1.
	var memory [3 * 64]int
	width := len(b) + 1
	cells := memory[:]
	if 3*width > len(cells) {
		cells = make([]int, 3*width)
	}
	last, row, next := cells[:width], cells[width:2*width], cells[2*width:3*width]
	for j := range row {
		last[j], row[j], next[j] = most+1, min(j, most+1), most+1
	}
	for i := range len(a) {
		low, high := max(i-most, 0), min(i+most+1, len(b))
		next[low] = most + 1
		if low == 0 {
			next[0] = min(i+1, most+1)
		}
		least := next[low]
		for j := low; j < high; j++ {
			cell := row[j]
			if a[i] != b[j] {
				cell++
			}
			cell = min(cell, next[j]+1)
			if j+1 <= i+most {
				cell = min(cell, row[j+1]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cell = min(cell, last[j-1]+1)
			}
			next[j+1] = cell
			least = min(least, cell)
		}
		if least > most {
			return most + 1
		}
		last, row, next = row, next, last
	}
	return min(row[len(b)], most+1)
}

// Slips returns how many edits of a name of the given length still count as a
// slip: one in four letters, at most three, and one from three letters on.
func Slips(length int) int {
	if length < 3 {
		return 0
	}
	return min(max(length/4, 1), 3)
}

// Nearest returns the name that is spelled most like the given one, or "" if
// none is near. Case, hyphens and underscores do not count.
func Nearest(name string, names []string) string {
	wanted := plain(name)
	best, distance := "", Slips(len(wanted))+1
	for _, candidate := range names {
		if d := Distance(wanted, plain(candidate), distance-1); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// plain takes away what names differ in by convention only.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}
