package extismbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"toolplane/adapters/extismbox/memory"
)

// signals says where the guest's interpreter looks for a signal, as the guest
// told when it started.
type signals struct {
	evalBreaker uint32 // address of a word of flags
	isTripped   uint32
	interrupt   uint32 // address of "SIGINT has arrived"
	pending     uint32 // the flag that makes the interpreter look
}

const (
	blockSize  = 20
	blockMagic = 0x31435054
)

func parseSignals(block []byte) (signals, error) {
	if len(block) != blockSize || binary.LittleEndian.Uint32(block) != blockMagic {
		return signals{}, errors.New("the guest did not say how to interrupt it")
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(block[4*i:]) }
	return signals{evalBreaker: word(1), isTripped: word(2), interrupt: word(3), pending: word(4)}, nil
}

// initialise has the guest initialise itself on the engine's image, and returns
// its memory followed by its signal block.
func (e *Engine) initialise(ctx context.Context, prelude []byte) ([]byte, error) {
	slot, err := e.newSlot()
	if err != nil {
		return nil, err
	}
	defer slot.discard()
	x, err := slot.prepare(ctx, initExport, prelude, initTime)
	if err != nil {
		return nil, err
	}
	s, err := parseSignals(x.reply.block)
	if err != nil {
		return nil, err
	}
	for _, at := range []uint32{s.evalBreaker, s.isTripped, s.interrupt} {
		if _, ok := slot.main.View(at, 4); !ok {
			return nil, fmt.Errorf("the guest's signal block points outside its memory")
		}
	}
	content := make([]byte, 0, slot.main.Size()+blockSize)
	return append(append(content, slot.main.Bytes()...), x.reply.block...), nil
}

// useImage takes an image with its signal block from memory.
func (e *Engine) useImage(content []byte) error {
	var err error
	size := len(content) - blockSize
	if e.signals, err = parseSignals(content[size:]); err != nil {
		return err
	}
	e.image, err = memory.NewImage(content[:size])
	return err
}

// useStored takes an image with its signal block from a verified file of the
// given size, which it closes or keeps.
func (e *Engine) useStored(f *os.File, size int64) error {
	var block [blockSize]byte
	if _, err := f.ReadAt(block[:], size-blockSize); err != nil {
		return errors.Join(err, f.Close())
	}
	var err error
	if e.signals, err = parseSignals(block[:]); err != nil {
		return errors.Join(err, f.Close())
	}
	e.image, err = memory.OpenImage(f, size-blockSize)
	return err
}
