package spelling_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"toolplane/domain/spelling"
)

// plainDistance is the whole table of the textbook.
func plainDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cell := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				cell++
			}
			cell = min(cell, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cell = min(cell, rows[i-2][j-2]+1)
			}
			rows[i][j] = cell
		}
	}
	return rows[len(a)][len(b)]
}

func TestDistanceIsTheTextbooksWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,12}`)
		a, b, most := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 14).Draw(t, "most")
		want := min(plainDistance(a, b), most+1)
		if got := spelling.Distance(a, b, most); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, most, got, want)
		}
	})
}

func TestDistanceOfLongTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab]{60,90}`)
		a, b, most := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 60).Draw(t, "most")
		want := min(plainDistance(a, b), most+1)
		if got := spelling.Distance(a, b, most); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, most, got, want)
		}
	})
}

func TestNearestName(t *testing.T) {
	names := []string{"query", "limit", "page_size", "includeArchived", "id"}
	for name, want := range map[string]string{
		"qurey": "query", "querry": "query", "Limit": "limit", "limits": "limit", "pageSize": "page_size", "page-size": "page_size",
		"include_archived": "includeArchived", "includeArchive": "includeArchived", "ids": "id",
		"quantity": "", "if": "", "ID": "id", "": "", "x": "", "completely_different": "",
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(spelling.Nearest(name, names), want)
		})
	}
	is.New(t).Equal(spelling.Nearest("query", nil), "")
}

func TestNearestNamePrefersTheFewestEdits(t *testing.T) {
	is.New(t).Equal(spelling.Nearest("max_bytes", []string{"max_byte", "max_bytes_", "may_bites"}), "max_bytes_")
}

func ExampleNearest() {
	fmt.Println(spelling.Nearest("qurey", []string{"limit", "query"}))
	// Output: query
}
