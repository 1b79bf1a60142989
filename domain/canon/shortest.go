package canon

import (
	"bytes"
	"math/bits"
)

// The two tests here spare most floats the work of being read or written: what
// programs print is the shortest form already. "No" means that it takes that
// work to know.

// shortest returns how many bytes of a literal such as 12.50 are its canonical
// form, or 0. Fifteen significant digits survive the way to a float and back,
// and no two such decimals share a float: so up to there, without needless
// zeros, they are the shortest form.
func shortest(literal []byte) int {
	const digits = 15
	whole := literal
	if whole[0] == '-' {
		whole = whole[1:]
	}
	if len(whole) > digits+1 { // with the point
		return 0
	}
	if whole[0] == '0' { // then whole[1] is the point
		leading := 0
		for leading < len(whole)-2 && whole[2+leading] == '0' {
			leading++
		}
		if leading >= 4 && leading < len(whole)-2 {
			return 0 // below 1e-4
		}
	}
	n := len(literal)
	for literal[n-1] == '0' && literal[n-2] != '.' {
		n--
	}
	return n
}

// isShortest tells whether a literal without exponent is the canonical form of
// the float that it reads as.
//
// Let the literal have k digits behind the point, so that it is d/10^k, and let
// m/2^s be the nearest float. In units of 1/(10^k·2^s), the float is m·10^k, the
// literal is d·2^s, and the decimals that read as the float are those within
// 10^k/2 of it. The literal is the form to choose if no multiple of 10 lies
// there instead of d, for then no fewer digits would do, and if neither d-1 nor
// d+1 is as near to the float as d.
func isShortest(literal []byte) bool {
	d, unit, ok := decimal(literal)
	if !ok || d < unit/10_000 { // an exponent is written below 1e-4
		return false
	}
	m, s, ok := nearest(d, unit)
	if !ok {
		return false
	}
	hi, lo := bits.Mul64(m, unit)
	exact := uint128{hi, lo}
	half, off, ten := uint128{lo: unit / 2}, exact.distance(d, s), d-d%10
	return half.less(exact.distance(ten, s)) && half.less(exact.distance(ten+10, s)) &&
		off.less(exact.distance(d-1, s)) && off.less(exact.distance(d+1, s))
}

// nearest returns the float m/2^s, with 53 bits in m, that is nearest to d/unit.
// It is not ok with ties, powers of two (whose neighbour below is nearer than the
// one above), and floats that have no fraction.
func nearest(d, unit uint64) (m uint64, s uint, ok bool) {
	const least = 1 << 52
	shift := 52 + bits.Len64(unit) - bits.Len64(d)
	if shift < 1 {
		return 0, 0, false
	}
	s = uint(shift)
	m, rest := shifted(d, s).div(unit)
	if m < least {
		s++
		m, rest = shifted(d, s).div(unit)
	}
	if rest > unit/2 { // unit is even
		m++
	}
	return m, s, rest != unit/2 && m > least && m < 2*least
}

// decimal returns the digits of a literal as a number, and 10 to the power of
// how many of them are behind the point; ok is false if they are too many.
func decimal(literal []byte) (d, unit uint64, ok bool) {
	if literal[0] == '-' {
		literal = literal[1:]
	}
	point := bytes.IndexByte(literal, '.')
	whole, fraction := literal[:point], literal[point+1:]
	if len(fraction) > 19 || len(literal)-1 > 19 && whole[0] != '0' {
		return 0, 0, false // they might not fit 64 bits
	}
	for _, c := range whole {
		d = d*10 + uint64(c-'0')
	}
	unit = 1
	for _, c := range fraction {
		d = d*10 + uint64(c-'0')
		unit *= 10
	}
	return d, unit, 0 < d && d < 1e17
}

type uint128 struct{ hi, lo uint64 }

func (a uint128) less(b uint128) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

// shifted returns n·2^s.
func shifted(n uint64, s uint) uint128 { return uint128{n>>(64-s) | n<<(s-64), n << s} }

// div divides by n, which is greater than a.hi.
func (a uint128) div(n uint64) (quotient, rest uint64) { return bits.Div64(a.hi, a.lo, n) }

// distance returns |a - n·2^s|; both are below 2^127.
func (a uint128) distance(n uint64, s uint) uint128 {
	b := shifted(n, s)
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	if hi>>63 == 1 {
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return uint128{hi, lo}
}
