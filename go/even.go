package moduli

// #include <moduli.h>
import "C"

import (
	"math/big"
	"unsafe"
)

// EvenModulus is an even modulus 2^k·n, with n odd, of at most 65536 bits, for powers. It never changes.
type EvenModulus struct {
	owner
	value *big.Int
	size  int
}

// NewEvenModulus prepares a modulus, which is public. Cost: about a hundred products modulo n and some of k bits. Errors are InvalidModulus if
// it is 0, negative or longer than 65536 bits, and Parameter if it is odd.
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

// Value is the modulus itself.
func (m *EvenModulus) Value() *big.Int { return new(big.Int).Set(m.value) }

// Pow is x^e mod m for a secret base and a secret exponent, which is not negative; x^0 = 1. Of both their lengths in words of 64 bits show,
// and the sign of x. Cost: that of [Modulus.Pow] modulo n, and for each bit of e, but no more than k + 1 of them, a schoolbook product of k
// bits and a quarter more. The error is Parameter if e is negative.
func (m *EvenModulus) Pow(x, e *big.Int) (*big.Int, error) {
	return m.pow(x, e, func(p *C.moduli_even_modulus, out, x, e []byte) C.moduli_status {
		return C.moduli_even_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowVartime is the same for a public base and a public exponent, and faster.
func (m *EvenModulus) PowVartime(x, e *big.Int) (*big.Int, error) {
	return m.pow(x, e, func(p *C.moduli_even_modulus, out, x, e []byte) C.moduli_status {
		return C.moduli_even_pow_vartime(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

func (m *EvenModulus) pow(x, e *big.Int, call func(*C.moduli_even_modulus, []byte, []byte, []byte) C.moduli_status) (*big.Int, error) {
	if err := givenAll("a number", []*big.Int{x, e}); err != nil {
		return nil, err
	}
	if e.Sign() < 0 {
		return nil, refused(Parameter, "the exponent is negative, which even moduli do not take")
	}
	if x.Sign() < 0 {
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
