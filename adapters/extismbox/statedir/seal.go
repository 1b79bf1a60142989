package statedir

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// A seal follows the content of every file: a mark, the content's size and its
// CRC-32C, which processors compute as fast as they read.
const (
	sealMark = "tpseal1\n"
	sealSize = 20
)

var errDamaged = errors.New("the file is cut or damaged")

func sealOf(size int64, sum uint32) []byte {
	seal := append(make([]byte, 0, sealSize), sealMark...)
	seal = binary.LittleEndian.AppendUint64(seal, uint64(size))
	return binary.LittleEndian.AppendUint32(seal, sum)
}

// verify checks a file against its seal and returns its content's size.
func verify(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size() - sealSize
	if size < 0 || !info.Mode().IsRegular() {
		return 0, errDamaged
	}
	var seal [sealSize]byte
	if _, err := f.ReadAt(seal[:], size); err != nil {
		return 0, err
	}
	sum, err := checksum(f, size)
	if err != nil {
		return 0, err
	}
	if string(seal[:]) != string(sealOf(size, sum)) {
		return 0, errDamaged
	}
	return size, nil
}

// checksum reads the first size bytes of f. Reading rather than mapping them
// keeps the pages out of this process.
func checksum(f *os.File, size int64) (uint32, error) {
	table := crc32.MakeTable(crc32.Castagnoli)
	buf := make([]byte, 256<<10)
	var sum uint32
	for at := int64(0); at < size; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		sum = crc32.Update(sum, table, buf[:n])
		at += int64(n)
		if err != nil && !(errors.Is(err, io.EOF) && at == size) {
			return 0, err
		}
	}
	return sum, nil
}
