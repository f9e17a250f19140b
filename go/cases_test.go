package moduli

import (
	"math/big"
	"math/rand"
	"testing"
)

var lengths = []int{2, 3, 5, 63, 64, 65, 127, 256, 257, 521, 1024, 2048}

func number(bits int, random *rand.Rand) *big.Int {
	return new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}

func odd(bits int, random *rand.Rand) *big.Int {
	p := number(bits, random)
	return p.SetBit(p.SetBit(p, bits-1, 1), 0, 1)
}

func power2(bits int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(bits)) }

// withNegatives returns the numbers and their negatives.
func withNegatives(all []*big.Int) []*big.Int {
	for _, x := range all[:len(all):len(all)] {
		all = append(all, new(big.Int).Neg(x))
	}
	return all
}

// operands returns numbers of both signs: 0, 1, numbers near p and its multiples, and longer ones.
func operands(p *big.Int, random *rand.Rand) []*big.Int {
	one, bits := big.NewInt(1), p.BitLen()
	return withNegatives([]*big.Int{big.NewInt(0), one, big.NewInt(2), new(big.Int).Sub(p, one), p, new(big.Int).Add(p, one),
		new(big.Int).Mul(p, p), power2(bits), power2(bits + 200), number(bits, random), number(bits+300, random)})
}

func exponents(random *rand.Rand) []*big.Int {
	return withNegatives([]*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(2), big.NewInt(65537), new(big.Int).Sub(power2(64), big.NewInt(1)),
		power2(64), power2(127), number(63, random), number(256, random), number(600, random)})
}

func hasInverse(x, p *big.Int) bool {
	return new(big.Int).GCD(nil, nil, new(big.Int).Mod(x, p), p).Cmp(big.NewInt(1)) == 0
}

// power returns x^e mod p, or nil if the inverse does not exist. It reduces x first: if x and e are negative, math/big negates
// twice.
func power(x, e, p *big.Int) *big.Int {
	if e.Sign() < 0 && !hasInverse(x, p) {
		return nil
	}
	return new(big.Int).Exp(new(big.Int).Mod(x, p), e, p)
}

func prepared(t testing.TB, p *big.Int) *Modulus {
	t.Helper()
	m, err := NewModulus(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}
