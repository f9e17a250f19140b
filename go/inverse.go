package moduli

// #include <moduli.h>
import "C"

import "math/big"

// InvertVartime returns the inverse of x modulo m, for public numbers: m is odd or even, above 0, and of at most 524288 bits. The
// result is 0 modulo 1. Nothing is prepared: for a single inverse modulo m this takes a third of the time of [NewModulus] and
// [Modulus.InvertVartime]. Errors are NotInvertible, which gives the common factor, and InvalidModulus.
func InvertVartime(x, m *big.Int) (*big.Int, error) {
	if err := given2("x", x, "m", m); err != nil {
		return nil, err
	}
	if m.Sign() <= 0 {
		return nil, refused(InvalidModulus, "the modulus must be above 0")
	}
	if x.Sign() < 0 || x.Cmp(m) >= 0 {
		x = new(big.Int).Mod(x, m)
	}
	size := (m.BitLen() + 7) / 8
	memory := newScratch(3 * size)
	defer memory.wipe()
	out, value, modulus := memory.take(size), x.FillBytes(memory.take(size)), m.FillBytes(memory.take(size))
	if err := locked(func() error {
		return check(C.moduli_invert_modulo_vartime(pointer(out), length(out), pointer(value), length(value), pointer(modulus), length(modulus)))
	}); err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}
