### math functions
import math
result = (math.gcd(12, 18), math.lcm(4, 6), math.comb(5, 2), math.perm(5, 2), math.isqrt(17), math.factorial(20), math.prod([1, 2, 3]), math.hypot(3, 4), math.dist((0, 0), (3, 4)))
### math transcendental
import math
result = [round(x, 12) for x in (math.sin(1), math.cos(1), math.tan(1), math.exp(1), math.log(10), math.log2(8), math.log10(1000), math.atan2(1, 2), math.sinh(1), math.gamma(5), math.erf(0.5), math.cbrt(27))]
### math special values
import math
result = (math.isnan(math.nan), math.isinf(-math.inf), math.isclose(0.1 + 0.2, 0.3), math.copysign(1, -0.0), math.nextafter(1, 2), math.ulp(1.0), math.frexp(8), math.modf(3.25), math.fsum([0.1] * 10), math.trunc(-2.7))
### decimal arithmetic
from decimal import Decimal, getcontext, ROUND_HALF_UP
getcontext().prec = 28
result = (str(Decimal("1.10") + Decimal("2.2")), str(Decimal(1) / Decimal(7)), str(Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP)), str(Decimal("1E+3").normalize()), Decimal("NaN").is_nan())
### decimal errors
from decimal import Decimal, InvalidOperation
try:
    Decimal("abc")
except InvalidOperation as e:
    result = type(e).__name__
### decimal from float is exact
from decimal import Decimal
result = str(Decimal(0.1))
### decimal local context
from decimal import Decimal, localcontext
with localcontext() as c:
    c.prec = 50
    result = str(Decimal(2).sqrt())
### fractions
from fractions import Fraction
result = (str(Fraction(3, 6) + Fraction("0.25")), Fraction(0.5) == Fraction(1, 2), str(Fraction(22, 7).limit_denominator(5)), Fraction(7, 3).__floor__())
### statistics
import statistics as s
d = [1, 2, 2, 3, 9]
result = (s.mean(d), s.median(d), s.mode(d), round(s.stdev(d), 6), round(s.pvariance(d), 6), s.quantiles(d, n=4), s.fmean(d), s.multimode([1, 1, 2, 2]), round(s.correlation([1, 2, 3], [2, 4, 7]), 6))
### statistics regression and normal
import statistics as s
r = s.linear_regression([1, 2, 3], [2, 4, 6])
n = s.NormalDist(100, 15)
result = (r.slope, r.intercept, round(n.cdf(115), 6), n.mean)
### random is reproducible with a seed
import random
r = random.Random(42)
result = (r.random(), r.randint(1, 100), r.choice("abc"), r.sample(range(10), 3), r.gauss(0, 1))
### random shuffle and choices with a seed
import random
r = random.Random("seed")
x = list(range(8)); r.shuffle(x)
result = (x, r.choices("ab", weights=[1, 9], k=5), r.getrandbits(64))
### huge integers to text
n = 3**8000
s = str(n)
result = (len(s), s[:10], s[-10:])
### int text limit
import sys
try:
    str(10**5000)
except ValueError as e:
    result = (sys.get_int_max_str_digits(), str(e).split(";")[0])
### int from long text
result = int("9" * 300) + 1 == 10**300
### shifts and masks
result = (1 << 100, (1 << 100) >> 98, ~5, 5 & 3, 5 | 3, 5 ^ 3, -1 >> 3, -8 >> 1)
### float extremes
import sys
result = (sys.float_info.max, sys.float_info.epsilon, 5e-324, 1.7976931348623157e308 * 10, sys.maxsize > 0)
### float to int and back
result = (int(1e20), float(2**60 + 1), 2**53 == float(2**53) + 0, 2**53 + 1 == float(2**53 + 1), hash(2.0) == hash(2))
### float parsing
result = (float("  -1_000.5e-3 "), float("nan") != float("nan"), float("-inf"), float("1e-400"), float.fromhex("0x1.8p3"))
### division and modulo signs
result = (7 // -2, 7 % -2, -7.5 // 2, -7.5 % 2, divmod(7.5, -2), 0.0 == -0.0)
### numeric formatting
result = ("{:08.3f}".format(3.14159), "{:+d}".format(5), "{:e}".format(12345.678), "{:g}".format(1e-7), "{:,.2f}".format(1234567.891), "{:_}".format(10**9), "{:b}".format(10), "{:.3g}".format(1234567))
### bool is an int
result = (True + True, sum([True, False, True]), isinstance(True, int), int(True), True == 1.0)
### numbers tower
import numbers
from fractions import Fraction
result = (isinstance(1, numbers.Integral), isinstance(1.5, numbers.Real), isinstance(Fraction(1), numbers.Rational), isinstance(1j, numbers.Complex))
### cmath
import cmath
result = (round(abs(cmath.exp(1j * cmath.pi) + 1), 12), cmath.sqrt(-1), cmath.phase(-1) > 3.14, cmath.polar(1j)[0])
### operator module
import operator as op
result = (op.itemgetter(1, 0)("ab"), op.attrgetter("real")(5), op.methodcaller("upper")("a"), op.add(1, 2), op.index(7), op.concat([1], [2]))
### sum of floats is compensated
result = (sum([0.1] * 10), sum([1e16, 1, -1e16]))
### integer square and cube roots
import math
result = (math.isqrt(10**40), round(27 ** (1 / 3), 6), 10**15 + 0.3)
### modular inverse
result = (pow(3, -1, 11), pow(2, 1000, 1009))
### chained float comparison with nan
n = float("nan")
result = (n < 1, n > 1, n == n, [n] == [n], max(1, n), min(n, 1) != min(n, 1))
### sorted numbers of mixed types
from decimal import Decimal
from fractions import Fraction
result = [str(x) for x in sorted([3, 1.5, Fraction(1, 2), Decimal("2.25"), True])]
### range arithmetic
r = range(10, 0, -3)
result = (list(r), len(range(0, 10**12, 7)), 7 in range(0, 100, 7), range(0, 3) == range(0, 3, 1), r.index(4), range(10)[2:8:3])
### accumulate products
from itertools import accumulate
import operator
result = (list(accumulate([1, 2, 3, 4])), list(accumulate([1, 2, 3], operator.mul, initial=10)))
