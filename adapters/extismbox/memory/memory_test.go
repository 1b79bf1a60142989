package memory_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox/memory"
)

const page = memory.PageSize

// content is an image in which every third page is zero.
func content(pages int) []byte {
	data := make([]byte, pages*page)
	for i := range pages {
		if i%3 != 0 {
			for k := range page {
				data[i*page+k] = byte(i + k)
			}
		}
	}
	return data
}

// forEachStrategy runs a test with every way to reset on a fresh mapping.
func forEachStrategy(t *testing.T, pages int, f func(t *testing.T, m *memory.Mapping, image []byte)) {
	for _, name := range memory.Names() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			data := content(pages)
			image, err := memory.NewImage(data)
			is.NoErr(err) // an image
			s, err := memory.OpenStrategy(name)
			is.NoErr(err) // a strategy
			is.Equal(s.Name(), name)
			m, err := memory.Map(image, s)
			is.NoErr(err) // a mapping
			f(t, m, data)
			is.NoErr(m.Release())
			is.NoErr(m.Release()) // again
			is.NoErr(s.Close())
			is.NoErr(image.Close())
		})
	}
}

func TestMappingBeginsAsItsImage(t *testing.T) {
	forEachStrategy(t, 40, func(t *testing.T, m *memory.Mapping, image []byte) {
		is := is.New(t)
		is.True(bytes.Equal(m.Bytes(), image)) // before an instance takes it
		_, differs := m.Difference()
		is.True(!differs)
		is.True(bytes.Equal(m.Reallocate(page), image)) // an instance that declares less gets the image
	})
}

func TestResetBringsTheImageBack(t *testing.T) {
	const pages = 3000 // more than are copied back in place
	random := rand.New(rand.NewPCG(1, 2))
	forEachStrategy(t, pages, func(t *testing.T, m *memory.Mapping, image []byte) {
		is := is.New(t)
		for round, writes := range []int{0, 1, 50, 900, 1500, 5000, 3} {
			b := m.Reallocate(uint64(len(image)))
			for range writes {
				b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
			}
			if round%2 == 1 {
				grown := m.Reallocate(uint64(len(image)) + 64<<10)
				grown[len(image)] = 1
				is.True(m.Grown()) // larger than the image
			}
			_, err := m.Reset()
			is.NoErr(err)                          // reset
			is.True(!m.Grown())                    // its size again
			is.True(bytes.Equal(m.Bytes(), image)) // and its content
			_, differs := m.Difference()
			is.True(!differs)
			again := m.Reallocate(uint64(len(image)) + 64<<10)
			is.Equal(again[len(image)], byte(0)) // what was beyond is gone
			_, err = m.Reset()
			is.NoErr(err)
		}
	})
}

func TestDifferenceFindsTheFirstPageThatDiffers(t *testing.T) {
	forEachStrategy(t, 40, func(t *testing.T, m *memory.Mapping, _ []byte) {
		is := is.New(t)
		m.Bytes()[7*page+5] ^= 1
		m.Bytes()[9*page] ^= 1
		at, differs := m.Difference()
		is.True(differs)
		is.Equal(at, uint64(7*page)) // the first
	})
}

func TestGrowthEndsAtTheLimit(t *testing.T) {
	forEachStrategy(t, 16, func(t *testing.T, m *memory.Mapping, image []byte) {
		is := is.New(t)
		m.SetLimit(1 << 20)
		b := m.Reallocate(uint64(len(image)))
		b[0] ^= 0xff
		first := &b[0]
		grown := m.Reallocate(1 << 20)
		is.True(grown != nil)                           // up to the limit
		is.True(&grown[0] == first)                     // in place
		is.Equal(grown[0], image[0]^0xff)               // with its content
		is.Equal(m.Reallocate(1<<20+page) == nil, true) // and no further
		is.Equal(m.Size(), uint64(1<<20))               // a refusal changes nothing
	})
}

func TestViewsStayInside(t *testing.T) {
	forEachStrategy(t, 16, func(t *testing.T, m *memory.Mapping, _ []byte) {
		size := uint32(16 * page)
		for _, c := range []struct {
			p, n uint32
			ok   bool
		}{
			{0, 0, true},
			{0, size, true},
			{size, 0, true},
			{size - 1, 1, true},
			{size - 1, 2, false},
			{size, 1, false},
			{size + 1, 0, false},
			{0, 0xffffffff, false},
			{0xffffffff, 0xffffffff, false},
			{0xffffffff, 1, false},
		} {
			is := is.New(t)
			v, ok := m.View(c.p, c.n)
			is.Equal(ok, c.ok) // inside or not
			is.True(!ok || len(v) == int(c.n) && cap(v) == int(c.n))
		}
	})
}

func TestEmptyMemoryIsEmptyAgain(t *testing.T) {
	is := is.New(t)
	s, err := memory.OpenStrategy("")
	is.NoErr(err)
	m, err := memory.Map(nil, s)
	is.NoErr(err)
	b := m.Reallocate(1 << 20)
	b[100] = 1
	_, err = m.Reset()
	is.NoErr(err)
	is.Equal(m.Size(), uint64(0))
	is.Equal(m.Reallocate(1 << 20)[100], byte(0)) // nothing is left
	is.NoErr(m.Release())
	is.NoErr(s.Close())
}

func TestMappingsOfOneImageAreIndependent(t *testing.T) {
	for _, name := range memory.Names() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			data := content(200)
			image, err := memory.NewImage(data)
			is.NoErr(err)
			s, err := memory.OpenStrategy(name)
			is.NoErr(err)
			var all sync.WaitGroup
			for w := range 4 {
				all.Go(func() {
					m, err := memory.Map(image, s)
					if err != nil {
						t.Errorf("map: %v", err)
						return
					}
					for round := range 20 {
						b := m.Reallocate(uint64(len(data)))
						for i := 0; i < len(b); i += page * (w + 1) {
							b[i] = byte(round + w)
						}
						if _, err := m.Reset(); err != nil || !bytes.Equal(m.Bytes(), data) {
							t.Errorf("worker %d, round %d: not as the image, %v", w, round, err)
						}
					}
					if err := m.Release(); err != nil {
						t.Errorf("release: %v", err)
					}
				})
			}
			all.Wait()
			is.True(bytes.Equal(image.Bytes(), data)) // nor did the image change
			is.NoErr(s.Close())
			is.NoErr(image.Close())
		})
	}
}

func TestImageFromAFile(t *testing.T) {
	is := is.New(t)
	data := content(50)
	path := filepath.Join(t.TempDir(), "image")
	f, err := os.Create(path)
	is.NoErr(err)
	is.NoErr(memory.WriteSparse(f, append(data[:len(data):len(data)], "tail"...)))
	image, err := memory.OpenImage(f, int64(len(data)))
	is.NoErr(err)
	is.True(bytes.Equal(image.Bytes(), data)) // the first part of the file
	is.NoErr(image.Close())
	stored, err := os.ReadFile(path)
	is.NoErr(err)
	is.True(bytes.Equal(stored, append(data, "tail"...))) // zeros and all
}

func TestImpossibleImagesAreRefused(t *testing.T) {
	is := is.New(t)
	for _, size := range []int{0, 1, page + 1} {
		_, err := memory.NewImage(make([]byte, size))
		is.True(err != nil) // not a number of pages
	}
	_, err := memory.OpenStrategy("magic")
	is.True(err != nil) // not a strategy
}
