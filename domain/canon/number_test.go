package canon_test

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

func TestFloatsAreWrittenAsPythonWritesThem(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0.0", "0.0"},
		{"-0.0", "-0.0"},
		{"0.000000", "0.0"},
		{"0e0", "0.0"},
		{"-0e5", "-0.0"},
		{"1.0", "1.0"},
		{"1.00", "1.0"},
		{"1e0", "1.0"},
		{"1E2", "100.0"},
		{"1.50", "1.5"},
		{"-12.3400", "-12.34"},
		{"123456.789", "123456.789"},
		{"100.0", "100.0"},
		{"0.1", "0.1"},
		{"0.10", "0.1"},
		{"0.0001", "0.0001"},
		{"0.00010", "0.0001"},
		{"-0.00012", "-0.00012"},
		{"0.00001", "1e-05"},
		{"0.00009999", "9.999e-05"},
		{"1e-5", "1e-05"},
		{"1.5e-7", "1.5e-07"},
		{"1e-10", "1e-10"},
		{"1e15", "1000000000000000.0"},
		{"1e16", "1e+16"},
		{"10000000000000000.0", "1e+16"},
		{"9999999999999998.0", "9999999999999998.0"},
		{"999999999999999.9", "999999999999999.9"},
		{"123456789012345.0", "123456789012345.0"},
		{"1234567890123456.0", "1234567890123456.0"},
		{"12345678901234567.0", "1.2345678901234568e+16"},
		{"9007199254740993.0", "9007199254740992.0"},
		{"0.30000000000000004", "0.30000000000000004"},
		{"0.3000000000000000444", "0.30000000000000004"},
		{"0.1000000000000000055511151231257827", "0.1"},
		{"1e22", "1e+22"},
		{"1e23", "1e+23"},
		{"1.5e300", "1.5e+300"},
		{"5e-324", "5e-324"},
		{"3e-324", "5e-324"},
		{"2e-324", "0.0"},
		{"-1e-400", "-0.0"},
		{"2.2250738585072014e-308", "2.2250738585072014e-308"},
		{"2.225073858507201e-308", "2.225073858507201e-308"},
		{"1.7976931348623157e308", "1.7976931348623157e+308"},
		{"1.7976931348623157E+308", "1.7976931348623157e+308"},
		{"179769313486231570000000000000000000000e270", "1.7976931348623157e+308"},
		{"0." + strings.Repeat("0", 400) + "1", "0.0"},
		{"0." + strings.Repeat("3", 5000), "0.3333333333333333"},
	} {
		t.Run(c.in[:min(len(c.in), 40)], func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(c.in))
			is.NoErr(err)
			is.Equal(string(v.Bytes()), c.want)     // as repr(float(…)) has it
			is.Equal(v.Kind(), canon.KindFloat)     // and a float still
			again, err := canon.Parse(v.Bytes())    //
			is.NoErr(err)                           //
			is.Equal(string(again.Bytes()), c.want) // a fixed point
		})
	}
}

// testdata/repr.txt holds the bits of floats and what CPython's repr says.
func TestFloatsAgreeWithTheRecordedRepr(t *testing.T) {
	is := is.New(t)
	file, err := os.Open("testdata/repr.txt")
	is.NoErr(err)
	defer func() { _ = file.Close() }()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		hex, repr, _ := strings.Cut(lines.Text(), " ")
		bits, err := strconv.ParseUint(hex, 16, 64)
		is.NoErr(err)
		var e canon.Encoder
		is.NoErr(e.Float(math.Float64frombits(bits)))
		v, err := e.Value()
		is.NoErr(err)
		is.Equal(string(v.Bytes()), repr) // encoded
		v, err = canon.Parse([]byte(repr))
		is.NoErr(err)
		is.Equal(string(v.Bytes()), repr) // and parsed
	}
	is.True(n > 500) // the file is there in full
}

func TestFloatsOfAnyLengthBecomeTheShortestForm(t *testing.T) {
	is := is.New(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range 30_000 {
		f := r.NormFloat64() * math.Pow10(r.IntN(22)-5)
		if r.IntN(4) == 0 {
			f = math.Ldexp(float64(r.Uint64()>>(11+r.IntN(50))), r.IntN(70)-60) // few bits
		}
		literal := strconv.FormatFloat(f, 'f', r.IntN(21), 64) // too few digits, enough, or too many
		if r.IntN(3) == 0 {
			literal = strconv.FormatFloat(f, 'f', -1, 64)
		}
		if !strings.Contains(literal, ".") {
			continue
		}
		if r.IntN(2) == 0 { // perhaps another decimal of the same float
			literal = literal[:len(literal)-1] + strconv.Itoa(r.IntN(10))
		}
		v, err := canon.Parse([]byte(literal))
		is.NoErr(err)
		f, err = strconv.ParseFloat(literal, 64)
		is.NoErr(err)
		var e canon.Encoder
		is.NoErr(e.Float(f))
		want, err := e.Value()
		is.NoErr(err)
		if !v.Equal(want) {
			t.Fatalf("%s parsed as %s, should be %s", literal, v.Bytes(), want.Bytes())
		}
	}
}

func TestNumbersAreRead(t *testing.T) {
	for _, c := range []struct {
		in    string
		kind  canon.Kind
		n     int64
		whole bool
		f     float64
		real  bool
	}{
		{"0", canon.KindInteger, 0, true, 0, true},
		{"-7", canon.KindInteger, -7, true, -7, true},
		{"9223372036854775807", canon.KindInteger, math.MaxInt64, true, math.MaxInt64, true},
		{"-9223372036854775808", canon.KindInteger, math.MinInt64, true, math.MinInt64, true},
		{"9223372036854775808", canon.KindInteger, 0, false, 1 << 63, true},
		{"1" + strings.Repeat("0", 400), canon.KindInteger, 0, false, 0, false},
		{"2.0", canon.KindFloat, 0, false, 2, true},
		{"1e300", canon.KindFloat, 0, false, 1e300, true},
		{`"1"`, canon.KindString, 0, false, 0, false},
		{"true", canon.KindBool, 0, false, 0, false},
		{"null", canon.KindNull, 0, false, 0, false},
		{"[1]", canon.KindArray, 0, false, 0, false},
	} {
		t.Run(c.in[:min(len(c.in), 40)], func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(c.in))
			is.NoErr(err)
			is.Equal(v.Kind(), c.kind)
			n, ok := v.Int64()
			is.Equal(ok, c.whole) // an int64 or not
			if ok {
				is.Equal(n, c.n)
			}
			f, ok := v.Float64()
			is.Equal(ok, c.real) // a float64 or not
			if ok {
				is.Equal(f, c.f)
			}
		})
	}
}

func TestDigitsTakeIntegersOnly(t *testing.T) {
	for _, c := range []struct {
		in, want string
		code     fault.Code
	}{
		{"0", "0", ""},
		{"-0", "0", ""},
		{"-10", "-10", ""},
		{"123456789012345678901234567890", "123456789012345678901234567890", ""},
		{strings.Repeat("1", 4300), strings.Repeat("1", 4300), ""},
		{"-" + strings.Repeat("1", 4300), "-" + strings.Repeat("1", 4300), ""},
		{strings.Repeat("1", 4301), "", fault.JSONNumber},
		{"", "", fault.JSONSyntax},
		{"-", "", fault.JSONSyntax},
		{"01", "", fault.JSONSyntax},
		{"-01", "", fault.JSONSyntax},
		{"+1", "", fault.JSONSyntax},
		{"--1", "", fault.JSONSyntax},
		{"1.0", "", fault.JSONSyntax},
		{"1e5", "", fault.JSONSyntax},
		{"0x1", "", fault.JSONSyntax},
		{"1,2", "", fault.JSONSyntax},
		{"١", "", fault.JSONSyntax},
	} {
		t.Run(c.in[:min(len(c.in), 40)], func(t *testing.T) {
			is := is.New(t)
			var e canon.Encoder
			err := e.Digits(c.in)
			is.Equal(fault.CodeOf(err), c.code) // taken or refused
			if err == nil {
				v, err := e.Value()
				is.NoErr(err)
				is.Equal(string(v.Bytes()), c.want) // digit by digit
			}
		})
	}
}
