package common

import (
	"errors"
	"math/big"

	"moduli"
)

// WithModuli says whether powers and inverses are moduli's, constant-time, or math/big's. What moduli does not take, even moduli among
// it, math/big does in any case.
var WithModuli = true

// Power is x^y modulo m, as big.Int.Exp has it: nil if y is negative and there is no inverse.
func Power(x, y, m *big.Int) *big.Int {
	if power, taken := by(m, func(p *moduli.Modulus) (*big.Int, error) { return p.Pow(x, y) }); taken {
		return power
	}
	return new(big.Int).Exp(x, y, m)
}

// Inverse is that of x modulo m, or nil.
func Inverse(x, m *big.Int) *big.Int {
	if inverse, taken := by(m, func(p *moduli.Modulus) (*big.Int, error) { return p.Invert(x) }); taken {
		return inverse
	}
	return new(big.Int).ModInverse(x, m)
}

func by(m *big.Int, compute func(*moduli.Modulus) (*big.Int, error)) (result *big.Int, taken bool) {
	if !WithModuli || m == nil || m.Sign() <= 0 || m.Bit(0) == 0 {
		return nil, false
	}
	p, err := moduli.NewModulus(m)
	if errors.Is(err, moduli.InvalidModulus) {
		return nil, false
	}
	if err != nil {
		panic(err)
	}
	defer p.Close()
	result, err = compute(p)
	if errors.Is(err, moduli.NotInvertible) {
		return nil, true
	}
	if err != nil {
		panic(err)
	}
	return result, true
}
