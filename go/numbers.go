package moduli

// #include <moduli.h>
import "C"

import (
	"fmt"
	"math/big"
	"math/bits"
	"runtime"
	"unsafe"
)

// maxBytes is the length of the longest number that a call accepts, in bytes.
const maxBytes = C.MODULI_MAX_NUMBER_BYTES

// released, which tests set, gets the memory of each call after it was wiped.
var released func([]byte)

// scratch is memory for the numbers of one call, wiped after it.
type scratch struct {
	all  []byte
	used int
}

func newScratch(bytes int) *scratch { return &scratch{all: make([]byte, bytes)} }

func (s *scratch) take(bytes int) []byte {
	taken := s.all[s.used : s.used+bytes : s.used+bytes]
	s.used += bytes
	return taken
}

func (s *scratch) wipe() {
	clear(s.all)
	runtime.KeepAlive(s.all)
	if released != nil {
		released(s.all)
	}
}

func pointer(bytes []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(bytes))) }

func length(bytes []byte) C.size_t { return C.size_t(len(bytes)) }

// words returns the length of |x| in bytes, rounded up to whole 64-bit words. Calls reveal this length
// of a secret.
func words(x *big.Int) int {
	const wordBytes = bits.UintSize / 8
	return (len(x.Bits())*wordBytes + 7) / 8 * 8
}

// given rejects nil, and numbers that are longer than the library accepts.
func given(name string, x *big.Int) error {
	if x == nil {
		return refused(Parameter, "%s is nil", name)
	}
	if len(x.Bits()) > maxBytes/(bits.UintSize/8) {
		return refused(Length, "%s has %d bits; at most %d", name, x.BitLen(), 8*maxBytes)
	}
	return nil
}

func givenAll(name string, all []*big.Int) error {
	for i, x := range all {
		if err := given(fmt.Sprintf("%s[%d]", name, i), x); err != nil {
			return err
		}
	}
	return nil
}

// given2 calls given for both operands.
func given2(xName string, x *big.Int, yName string, y *big.Int) error {
	if err := given(xName, x); err != nil {
		return err
	}
	return given(yName, y)
}

// copied returns a copy for the caller, or 0 for nil, which a zero value contains.
func copied(x *big.Int) *big.Int {
	if x == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(x)
}

// widest returns the length of the longest number in bytes, in whole 64-bit words, at least one.
func widest(all []*big.Int) int {
	width := 8
	for _, x := range all {
		width = max(width, words(x))
	}
	return width
}
