package canon

import (
	"math"
	"strconv"

	"toolplane/domain/fault"
)

// appendFloat appends a finite float as Python's repr writes it: the shortest
// digits that read back equal, with an exponent below 1e-4 and from 1e16 on,
// else with a fraction.
func appendFloat(dst []byte, f float64) []byte {
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// writeFloat writes a float.
func (w *writer) writeFloat(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return w.nonFinite(strconv.FormatFloat(f, 'g', -1, 64))
	}
	var scratch [32]byte
	return write(w, appendFloat(scratch[:0], f))
}

func (w *writer) nonFinite(what string) error {
	return fault.At(fault.JSONNonFinite, w.here(), "%s has no JSON form; use null or a string", what)
}

// integerForm returns how many bytes at the end of an integer, given in JSON's
// syntax, are its canonical form: all, except for -0.
func integerForm[T text](w *writer, literal T) (n int, err error) {
	n = len(literal)
	if n < MaxDigits && literal[0] != '-' {
		return n, nil
	}
	digits := n
	if literal[0] == '-' {
		digits--
	}
	if digits > MaxDigits {
		return n, fault.At(fault.JSONNumber, w.here(),
			"an integer of %d digits; at most %d are allowed, send it as a string", digits, MaxDigits)
	}
	if literal[n-digits] == '0' {
		n = digits
	}
	return n, nil
}
