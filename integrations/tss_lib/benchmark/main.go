//go:build go1.24

// The benchmark of tss-lib, with keys of 2048 bits, as in its protocols. Each round has new random numbers, the same for both. It
// measures both alternately, in one process, and uses processor time, which a busy machine disturbs less.
package main

import (
	"fmt"
	"math/big"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/bnb-chain/tss-lib/v2/common"
	"github.com/bnb-chain/tss-lib/v2/crypto/mta"
	"github.com/bnb-chain/tss-lib/v2/crypto/paillier"
	"github.com/bnb-chain/tss-lib/v2/tss"
)

const rounds = 15

var (
	one     = big.NewInt(1)
	session = []byte("session")
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func seconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	of := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)*1e-6 }
	return of(used.Utime) + of(used.Stime)
}

func prime(random *rand.Rand) *big.Int {
	for {
		p := new(big.Int).Rand(random, new(big.Int).Lsh(one, 1022))
		if p.SetBit(p, 1023, 1).SetBit(p, 1022, 1).SetBit(p, 0, 1).ProbablyPrime(20) {
			return p
		}
	}
}

func key(random *rand.Rand) *paillier.PrivateKey {
	p, q := prime(random), prime(random)
	pMinus1, qMinus1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	phi := new(big.Int).Mul(pMinus1, qMinus1)
	lambda := new(big.Int).Div(phi, new(big.Int).GCD(nil, nil, pMinus1, qMinus1))
	return &paillier.PrivateKey{PublicKey: paillier.PublicKey{N: new(big.Int).Mul(p, q)}, LambdaN: lambda, PhiN: phi, P: p, Q: q}
}

// ring has the numbers for the proofs: N and two squares modulo N.
type ring struct{ n, h1, h2 *big.Int }

func newRing(random *rand.Rand) ring {
	n := new(big.Int).Mul(prime(random), prime(random))
	square := func() *big.Int {
		x := new(big.Int).Rand(random, n)
		return x.Mod(x.Mul(x, x), n)
	}
	return ring{n, square(), square()}
}

// multiply is the protocol that makes of the secrets of two a sum that is their product: what the first has in the end.
func multiply(sk *paillier.PrivateKey, a, b ring, random *rand.Rand) *big.Int {
	curve, pk := tss.S256(), &sk.PublicKey
	q := curve.Params().N
	x, y := new(big.Int).Rand(random, q), new(big.Int).Rand(random, q)
	cA, proof, err := mta.AliceInit(curve, pk, x, b.n, b.h1, b.h2, random)
	if err != nil {
		panic(err)
	}
	_, cB, other, answer, err := mta.BobMid(session, curve, pk, proof, y, cA, a.n, a.h1, a.h2, b.n, b.h1, b.h2, random)
	if err != nil {
		panic(err)
	}
	alpha := must(mta.AliceEnd(session, curve, pk, answer, a.h1, a.h2, cA, cB, a.n, sk))
	product := new(big.Int).Mul(x, y)
	if product.Mod(product.Add(product, other), q).Cmp(alpha) != 0 {
		panic("no product")
	}
	return alpha
}

func main() {
	runtime.GOMAXPROCS(1)
	random := rand.New(rand.NewSource(7))
	sk, a, b := key(random), newRing(random), newRing(random)
	pk := &sk.PublicKey
	plain := func(random *rand.Rand) *big.Int { return new(big.Int).Rand(random, pk.N) }
	ciphertext := must(pk.Encrypt(random, big.NewInt(12345)))
	operations := []struct {
		name    string
		compute func(*rand.Rand) *big.Int
	}{
		{"encrypt", func(random *rand.Rand) *big.Int { return must(pk.Encrypt(random, plain(random))) }},
		{"decrypt", func(random *rand.Rand) *big.Int {
			return must(sk.Decrypt(must(pk.HomoAdd(ciphertext, new(big.Int).Add(one, new(big.Int).Mul(plain(random), pk.N))))))
		}},
		{"product with a scalar", func(random *rand.Rand) *big.Int { return must(pk.HomoMult(plain(random), ciphertext)) }},
		{"product of two secrets, with its proofs", func(random *rand.Rand) *big.Int { return multiply(sk, a, b, random) }},
	}
	ratios := make([][]float64, len(operations))
	for round := range rounds + 1 {
		for i, operation := range operations {
			var times [2]float64
			var results [2]*big.Int
			for after := range 2 {
				common.WithModuli = after == 1
				fresh := rand.New(rand.NewSource(int64(round)))
				begun := seconds()
				results[after] = operation.compute(fresh)
				times[after] = seconds() - begun
			}
			if results[0].Cmp(results[1]) != 0 {
				panic(operation.name + ": results differ")
			}
			// The first round is not counted, because it only warms up.
			if round > 0 {
				ratios[i] = append(ratios[i], times[0]/times[1])
			}
		}
	}
	var figures []string
	for i, operation := range operations {
		slices.Sort(ratios[i])
		at := func(quarter int) float64 { return ratios[i][(rounds+1)*quarter/4-1] }
		figures = append(figures, fmt.Sprintf("%q: [%v, %v]", operation.name, at(2), at(3)-at(1)))
	}
	fmt.Printf("{%s}\n", strings.Join(figures, ", "))
}
