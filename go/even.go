package moduli

// #include <moduli.h>
import "C"

import (
	"math/big"
	"unsafe"
)

// EvenModulus is an even modulus 2^k·n, with n odd, of at most 65536 bits, for powers and inverses. It is
// immutable.
type EvenModulus struct {
	owner
	value *big.Int
	size  int
}

// NewEvenModulus prepares a modulus, which is public. Cost: about a hundred products modulo n and some of k bits. Errors are
// InvalidModulus if it is below 2 or longer than 65536 bits, and Parameter if it is odd.
func NewEvenModulus(value *big.Int) (*EvenModulus, error) {
	if err := given("the modulus", value); err != nil {
		return nil, err
	}
	if value.Sign() < 0 {
		return nil, refused(InvalidModulus, "the modulus is negative")
	}
	bytes := value.Bytes()
	var out *C.moduli_even_modulus
	err := locked(func() error { return check(C.moduli_even_modulus_new(&out, pointer(bytes), length(bytes))) })
	if err != nil {
		return nil, err
	}
	m := &EvenModulus{value: new(big.Int).Set(value), size: len(bytes)}
	own(m, &m.owner, unsafe.Pointer(out), func(p unsafe.Pointer) { C.moduli_even_modulus_free((*C.moduli_even_modulus)(p)) })
	return m, nil
}

// Value returns the modulus.
func (m *EvenModulus) Value() *big.Int { return copied(m.value) }

// Pow returns x^e mod m for a secret base and a secret exponent; x^0 = 1. It reveals the lengths of both in
// 64-bit words, and their signs. Cost: that of [Modulus.Pow] modulo n, and 1.25 schoolbook products of k bits
// for each bit of e, of which at most k + 1 count. The error is NotInvertible if e is negative and x has no
// inverse.
func (m *EvenModulus) Pow(x, e *big.Int) (*big.Int, error) {
	return m.pow(x, e, m.Invert, func(p *C.moduli_even_modulus, out, x, e []byte) C.moduli_status {
		return C.moduli_even_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowVartime is Pow for a public base and a public exponent, and faster.
func (m *EvenModulus) PowVartime(x, e *big.Int) (*big.Int, error) {
	return m.pow(x, e, m.InvertVartime, func(p *C.moduli_even_modulus, out, x, e []byte) C.moduli_status {
		return C.moduli_even_pow_vartime(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// Invert returns the inverse of x modulo m for a secret x, and reveals whether there is one. The error is
// NotInvertible if there is none. Cost: that of [Modulus.Invert] modulo n, and two schoolbook products of k
// bits for each doubling of the length from 3 bits to k.
func (m *EvenModulus) Invert(x *big.Int) (*big.Int, error) {
	return m.invert(x, func(p *C.moduli_even_modulus, out, x []byte) C.moduli_status {
		return C.moduli_even_invert(p, pointer(out), length(out), pointer(x), length(x))
	})
}

// InvertVartime is Invert for a public x, and faster. The error gives the common factor.
func (m *EvenModulus) InvertVartime(x *big.Int) (*big.Int, error) {
	return m.invert(x, func(p *C.moduli_even_modulus, out, x []byte) C.moduli_status {
		return C.moduli_even_invert_vartime(p, pointer(out), length(out), pointer(x), length(x))
	})
}

func (m *EvenModulus) invert(x *big.Int, call func(*C.moduli_even_modulus, []byte, []byte) C.moduli_status) (*big.Int, error) {
	if err := given("x", x); err != nil {
		return nil, err
	}
	return m.compute(x, new(big.Int), func(p *C.moduli_even_modulus, out, x, _ []byte) C.moduli_status { return call(p, out, x) })
}

func (m *EvenModulus) pow(x, e *big.Int, invert func(*big.Int) (*big.Int, error),
	call func(*C.moduli_even_modulus, []byte, []byte, []byte) C.moduli_status) (*big.Int, error) {
	if err := given2("x", x, "e", e); err != nil {
		return nil, err
	}
	if e.Sign() < 0 {
		inverse, err := invert(x)
		if err != nil {
			return nil, err
		}
		x = inverse
	}
	return m.compute(x, e, call)
}

// compute runs call with the bytes of x, reduced if it is negative, and of |e|, and returns the result.
func (m *EvenModulus) compute(x, e *big.Int, call func(*C.moduli_even_modulus, []byte, []byte, []byte) C.moduli_status) (*big.Int, error) {
	if x.Sign() < 0 && m.value != nil {
		x = new(big.Int).Mod(x, m.value)
	}
	width := max(m.size, words(x))
	memory := newScratch(m.size + width + words(e))
	defer memory.wipe()
	out := memory.take(m.size)
	xs, es := x.FillBytes(memory.take(width)), e.FillBytes(memory.take(words(e)))
	err := m.handle.use(func(p unsafe.Pointer) error { return check(call((*C.moduli_even_modulus)(p), out, xs, es)) })
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}
