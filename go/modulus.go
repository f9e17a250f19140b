// Package moduli computes powers, products and inverses modulo large odd numbers, and powers modulo even
// ones. It uses the C library libmoduli, is several times faster than math/big, and is constant-time by
// default.
//
// Numbers are *big.Int of any sign and up to 524288 bits, reduced first, or big-endian bytes. Functions are
// constant-time except for signs and lengths (the length of a big.Int in 64-bit words). Functions whose names
// end in Vartime are for public values, and faster. A big.Int itself is not constant-time and cannot be
// wiped; the package wipes its copies. A nil number is an error.
//
// Goroutines may share handles. After Close, calls on a handle return ErrClosed; calls that are running at
// that time finish.
package moduli

// #cgo pkg-config: moduli
// #include <moduli.h>
import "C"

import (
	"math/big"
	"unsafe"
)

// Modulus is an odd modulus of 2 to 65536 bits, prime or not, with its precomputed constants. It is
// immutable.
type Modulus struct {
	owner
	value *big.Int
	size  int
}

// NewModulus prepares a modulus, which is public. Cost: about a hundred products. The error is InvalidModulus if it is even,
// below 3 or longer than 65536 bits.
func NewModulus(value *big.Int) (*Modulus, error) {
	if err := given("the modulus", value); err != nil {
		return nil, err
	}
	if value.Sign() < 0 {
		return nil, refused(InvalidModulus, "the modulus is negative")
	}
	bytes := value.Bytes()
	var out *C.moduli_modulus
	if err := locked(func() error { return check(C.moduli_modulus_new(&out, pointer(bytes), length(bytes))) }); err != nil {
		return nil, err
	}
	return newModulus(out, new(big.Int).Set(value)), nil
}

func newModulus(native *C.moduli_modulus, value *big.Int) *Modulus {
	m := &Modulus{value: value, size: (value.BitLen() + 7) / 8}
	own(m, &m.owner, unsafe.Pointer(native), func(p unsafe.Pointer) { C.moduli_modulus_free((*C.moduli_modulus)(p)) })
	return m
}

// NewModulusBytes is NewModulus for big-endian bytes.
func NewModulusBytes(value []byte) (*Modulus, error) { return NewModulus(new(big.Int).SetBytes(value)) }

// Value returns the modulus.
func (m *Modulus) Value() *big.Int { return copied(m.value) }

// Size returns the number of bytes of the modulus, and so of every result in bytes.
func (m *Modulus) Size() int { return m.size }

// Kernel returns the name of the arithmetic that was selected for this machine: ifma52, fma50, adx, aarch64
// or portable; empty after Close.
func (m *Modulus) Kernel() string {
	var name string
	_ = m.use(func(p *C.moduli_modulus) error {
		name = C.GoString(C.moduli_modulus_kernel(p))
		return nil
	})
	return name
}

// Reduce returns x mod p.
func (m *Modulus) Reduce(x *big.Int) (*big.Int, error) {
	return m.compute([]*big.Int{x}, func(p *C.moduli_modulus, out []byte, in [][]byte) C.moduli_status {
		return C.moduli_reduce(p, pointer(out), length(out), pointer(in[0]), length(in[0]))
	})
}

// Mul returns x·y mod p.
func (m *Modulus) Mul(x, y *big.Int) (*big.Int, error) {
	return m.compute([]*big.Int{x, y}, func(p *C.moduli_modulus, out []byte, in [][]byte) C.moduli_status {
		return C.moduli_mul(p, pointer(out), length(out), pointer(in[0]), length(in[0]), pointer(in[1]), length(in[1]))
	})
}

// Invert returns the inverse of x modulo p. The error is NotInvertible if there is none. Cost: fifty to a
// hundred products.
func (m *Modulus) Invert(x *big.Int) (*big.Int, error) {
	return m.compute([]*big.Int{x}, func(p *C.moduli_modulus, out []byte, in [][]byte) C.moduli_status {
		return C.moduli_invert(p, pointer(out), length(out), pointer(in[0]), length(in[0]))
	})
}

// InvertVartime is Invert for a public x. The error gives the common factor.
func (m *Modulus) InvertVartime(x *big.Int) (*big.Int, error) {
	return m.compute([]*big.Int{x}, func(p *C.moduli_modulus, out []byte, in [][]byte) C.moduli_status {
		return C.moduli_invert_vartime(p, pointer(out), length(out), pointer(in[0]), length(in[0]))
	})
}

// JacobiVartime returns the Jacobi symbol (x/p), 1, −1 or 0: for a prime p, whether x is a square.
func (m *Modulus) JacobiVartime(x *big.Int) (int, error) {
	var symbol C.int32_t
	_, err := m.compute([]*big.Int{x}, func(p *C.moduli_modulus, _ []byte, in [][]byte) C.moduli_status {
		return C.moduli_jacobi_vartime(p, &symbol, pointer(in[0]), length(in[0]))
	})
	return int(symbol), err
}

func (m *Modulus) use(call func(*C.moduli_modulus) error) error {
	return m.handle.use(func(p unsafe.Pointer) error { return call((*C.moduli_modulus)(p)) })
}

// base returns x, reduced if it is negative.
func (m *Modulus) base(x *big.Int) *big.Int {
	if x.Sign() < 0 && m.value != nil {
		return new(big.Int).Mod(x, m.value)
	}
	return x
}

// width returns the number of bytes for a base: that of the modulus, or more if x is longer.
func (m *Modulus) width(x *big.Int) int { return max(m.size, words(x)) }

// compute runs call with one or two bases and returns its result.
func (m *Modulus) compute(x []*big.Int, call func(*C.moduli_modulus, []byte, [][]byte) C.moduli_status) (*big.Int, error) {
	for i := range x {
		if err := given([]string{"x", "y"}[i], x[i]); err != nil {
			return nil, err
		}
	}
	bytes := m.size
	bases := make([]*big.Int, len(x))
	for i := range x {
		bases[i] = m.base(x[i])
		bytes += m.width(bases[i])
	}
	memory := newScratch(bytes)
	defer memory.wipe()
	out := memory.take(m.size)
	in := make([][]byte, len(x))
	for i, base := range bases {
		in[i] = base.FillBytes(memory.take(m.width(base)))
	}
	if err := m.use(func(p *C.moduli_modulus) error { return check(call(p, out, in)) }); err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}
