package main

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"time"

	"toolplane/test/bench"
)

// Sizes of the chart, in pixels.
const (
	chartWidth  = 860
	labelWidth  = 200
	valueWidth  = 90
	margin      = 24
	barHeight   = 16
	barStep     = 24
	panelTitle  = 34
	panelScale  = 22
	panelBottom = 18
)

// chartStyle has a card of its own behind everything, so that the text can be
// read on any page.
const chartStyle = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.small { font-size: 11px; fill: #59636e }
.card { fill: #ffffff; stroke: #d1d9e0 }
.grid { stroke: #d1d9e0 }
.bar { fill: #8c959f }
.own { fill: #1a7f37 }
.pale { opacity: 0.45 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .small { fill: #9198a1 }
  .card { fill: #0d1117; stroke: #3d444d }
  .grid { stroke: #3d444d }
  .bar { fill: #656c76 }
  .own { fill: #3fb950 }
}
</style>
`

// bar is one peer's time in a panel.
type bar struct {
	label string
	time  time.Duration
	own   bool
	pale  bool
}

// chart draws a panel for a few of the workloads, on logarithmic scales.
func (r *results) chart() string {
	var body strings.Builder
	y := margin
	for _, panel := range []struct {
		title string
		load  bench.Workload
	}{
		{"Fresh sandbox, 1+1: time to the result", bench.Fresh},
		{"100 calls of the host in a fresh sandbox", bench.HundredCalls},
		{"1 MB of rows from the host into objects, filtered", bench.RowsAsObjects},
		{bench.Compute[1].Title + ", in a fresh sandbox", bench.Compute[1]},
	} {
		y = drawPanel(&body, y, panel.title, r.bars(panel.load))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", chartWidth, y+margin, chartWidth, y+margin)
	b.WriteString("<title>Time of a run in toolplane and in what one would use in its place</title>\n")
	b.WriteString(chartStyle)
	fmt.Fprintf(&b, `<rect class="card" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", chartWidth-1, y+margin-1)
	b.WriteString(body.String())
	fmt.Fprintf(&b, `<text class="small" x="%d" y="%d">Median of the best of %d passes, logarithmic scales, shorter is faster. Pale: no sandbox, or not fresh. %s, %s</text>`+"\n</svg>\n",
		margin, y+6, r.effort.passes, html.EscapeString(r.machine.processor), r.begun.UTC().Format("2006-01-02"))
	return b.String()
}

// bars returns what is known of a workload, the fastest first.
func (r *results) bars(w bench.Workload) []bar {
	var bars []bar
	for i, k := range r.kinds {
		if t := r.peers[i].cells[w.Name].summary.P50; t > 0 {
			bars = append(bars, bar{label: k.title, time: t, own: i == 0, pale: k.shared})
		}
	}
	slices.SortFunc(bars, func(a, b bar) int { return cmp.Compare(a.time, b.time) })
	return bars
}

// drawPanel draws bars from y downwards and returns where the next panel begins.
func drawPanel(b *strings.Builder, y int, title string, bars []bar) int {
	if len(bars) == 0 {
		return y
	}
	left, width := margin+labelWidth, chartWidth-2*margin-labelWidth-valueWidth
	low := math.Floor(math.Log10(float64(bars[0].time)) - 0.01)
	high := math.Ceil(math.Log10(float64(bars[len(bars)-1].time)))
	at := func(logarithm float64) float64 { return (logarithm - low) / (high - low) * float64(width) }

	fmt.Fprintf(b, `<text class="title" x="%d" y="%d">%s</text>`+"\n", margin, y+16, html.EscapeString(title))
	top := y + panelTitle
	bottom := top + len(bars)*barStep
	for decade := low; decade <= high; decade++ {
		x := float64(left) + at(decade)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`, x, top-4, x, bottom)
		fmt.Fprintf(b, `<text class="small" x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, bottom+14, decadeLabel(decade))
	}
	for i, bar := range bars {
		class := "bar"
		if bar.own {
			class = "own"
		} else if bar.pale {
			class = "bar pale"
		}
		w := at(math.Log10(float64(bar.time)))
		middle := top + i*barStep
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, middle+13, html.EscapeString(bar.label))
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`, class, left, middle, w, barHeight)
		fmt.Fprintf(b, `<text x="%.1f" y="%d">%s</text>`+"\n", float64(left)+w+6, middle+13, show(bar.time))
	}
	return bottom + panelScale + panelBottom
}

// decadeLabel writes a power of ten of nanoseconds.
func decadeLabel(decade float64) string {
	d := time.Duration(math.Pow(10, decade))
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= unit.size {
			return fmt.Sprintf("%d %s", d/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}
