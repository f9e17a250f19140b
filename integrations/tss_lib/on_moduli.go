package common

import (
	"errors"
	"math/big"

	"moduli"
)

// WithModuli says whether moduli or math/big computes powers and inverses. With moduli they are constant-time. math/big always
// handles what moduli does not accept, such as even moduli.
var WithModuli = true

// Power returns x^y modulo m, like big.Int.Exp: nil if y is negative and x has no inverse.
func Power(x, y, m *big.Int) *big.Int {
	if power, taken := by(m, func(p *moduli.Modulus) (*big.Int, error) { return p.Pow(x, y) }); taken {
		return power
	}
	return new(big.Int).Exp(x, y, m)
}

// Inverse returns the inverse of x modulo m, or nil if there is none.
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
