package bench

// Compute is the set that measures the language: each snippet makes its data,
// works on it and gives a number.
var Compute = []Workload{
	{
		Name: "fib", Title: "fib(24)", Value: "46368",
		Python: "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(24)",
		Script: "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(24)",
	},
	{
		Name: "nbody", Title: "n-body, 20,000 steps", Value: "2066653",
		Python: nbodyPython, Script: nbodyScript,
	},
	{
		Name: "sort", Title: "sort 200,000 floats", Value: "51.5",
		Python: "a = [(i * 7919) % 200003 * 0.5 for i in range(200000)]\na.sort()\na[100] + len(a) % 7 / 2",
		Script: "let a = []; for (let i = 0; i < 200000; i++) a.push((i * 7919) % 200003 * 0.5);\na.sort((x, y) => x - y); a[100] + a.length % 7 / 2",
	},
	{
		Name: "json", Title: "JSON of 1 MB, out and in", Value: "11000",
		Python: `import json
rows = [{"id": i, "name": f"user number {i}", "email": f"user{i}@example.com", "score": i * 1.5, "active": i % 3 == 0} for i in range(11000)]
len(json.loads(json.dumps(rows)))`,
		Script: `let rows = [];
for (let i = 0; i < 11000; i++) rows.push({id: i, name: "user number " + i, email: "user" + i + "@example.com", score: i * 1.5, active: i % 3 === 0});
JSON.parse(JSON.stringify(rows)).length`,
	},
	{
		Name: "regex", Title: "regular expression over 1 MB", Value: "22000",
		Python: `import re
text = "\n".join([f"user{i}@example{i}.com some text {i}" for i in range(22000)])
len(re.findall(r"[\w.]+@[\w.]+\.com", text))`,
		Script: `let lines = [];
for (let i = 0; i < 22000; i++) lines.push("user" + i + "@example" + i + ".com some text " + i);
lines.join("\n").match(/[\w.]+@[\w.]+\.com/g).length`,
	},
	{
		Name: "dict", Title: "dict of strings, 300,000 updates", Value: "45059700",
		Python: `d = {}
for i in range(300000):
    k = f"k{i % 1000}"
    d[k] = d.get(k, 0) + i
d["k699"]`,
		Script: `let d = new Map();
for (let i = 0; i < 300000; i++) { const k = "k" + i % 1000; d.set(k, (d.get(k) ?? 0) + i) }
d.get("k699")`,
	},
}

// The bodies are the sun and the outer planets: position, velocity, mass.
const nbodyPython = `DAYS = 365.24
SUN = 39.47841760435743
bodies = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, SUN],
    [4.841431442464721, -1.1603200440274284, -0.10362204447112311, 0.001660076642744037 * DAYS, 0.007699011184197404 * DAYS, -0.0000690460016972063 * DAYS, 0.0009547919384243266 * SUN],
    [8.34336671824458, 4.124798564124305, -0.4035234171143214, -0.002767425107268624 * DAYS, 0.004998528012349172 * DAYS, 0.00002304172975737639 * DAYS, 0.0002858859806661308 * SUN],
    [12.894369562139131, -15.111151401698631, -0.22330757889265573, 0.002964601375647616 * DAYS, 0.0023784717395948095 * DAYS, -0.000029658956854023756 * DAYS, 0.00004366244043351563 * SUN],
    [15.379697114850917, -25.919314609987964, 0.17925877295037118, 0.0026806777249038932 * DAYS, 0.001628241700382423 * DAYS, -0.00009515922545197159 * DAYS, 0.00005151389020466115 * SUN],
]
pairs = [(bodies[i], bodies[j]) for i in range(5) for j in range(i + 1, 5)]
def advance(dt, steps):
    for step in range(steps):
        for a, b in pairs:
            dx = a[0] - b[0]
            dy = a[1] - b[1]
            dz = a[2] - b[2]
            mag = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            am = a[6] * mag
            bm = b[6] * mag
            a[3] -= dx * bm
            a[4] -= dy * bm
            a[5] -= dz * bm
            b[3] += dx * am
            b[4] += dy * am
            b[5] += dz * am
        for b in bodies:
            b[0] += dt * b[3]
            b[1] += dt * b[4]
            b[2] += dt * b[5]
advance(0.01, 20000)
int(bodies[1][0] * 1000000)`

const nbodyScript = `const DAYS = 365.24, SUN = 39.47841760435743;
const bodies = [
  [0, 0, 0, 0, 0, 0, SUN],
  [4.841431442464721, -1.1603200440274284, -0.10362204447112311, 0.001660076642744037 * DAYS, 0.007699011184197404 * DAYS, -0.0000690460016972063 * DAYS, 0.0009547919384243266 * SUN],
  [8.34336671824458, 4.124798564124305, -0.4035234171143214, -0.002767425107268624 * DAYS, 0.004998528012349172 * DAYS, 0.00002304172975737639 * DAYS, 0.0002858859806661308 * SUN],
  [12.894369562139131, -15.111151401698631, -0.22330757889265573, 0.002964601375647616 * DAYS, 0.0023784717395948095 * DAYS, -0.000029658956854023756 * DAYS, 0.00004366244043351563 * SUN],
  [15.379697114850917, -25.919314609987964, 0.17925877295037118, 0.0026806777249038932 * DAYS, 0.001628241700382423 * DAYS, -0.00009515922545197159 * DAYS, 0.00005151389020466115 * SUN],
];
const pairs = [];
for (let i = 0; i < 5; i++) for (let j = i + 1; j < 5; j++) pairs.push([bodies[i], bodies[j]]);
function advance(dt, steps) {
  for (let step = 0; step < steps; step++) {
    for (const [a, b] of pairs) {
      const dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
      const mag = dt * (dx * dx + dy * dy + dz * dz) ** -1.5;
      const am = a[6] * mag, bm = b[6] * mag;
      a[3] -= dx * bm; a[4] -= dy * bm; a[5] -= dz * bm;
      b[3] += dx * am; b[4] += dy * am; b[5] += dz * am;
    }
    for (const b of bodies) { b[0] += dt * b[3]; b[1] += dt * b[4]; b[2] += dt * b[5] }
  }
}
advance(0.01, 20000);
Math.trunc(bodies[1][0] * 1000000)`
