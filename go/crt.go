package moduli

// #include <moduli.h>
import "C"

import (
	"math"
	"math/big"
	"unsafe"
)

// CrtModulus is N^k = (p·q)^k, for the owner of the secret primes p and q: k = 1 for RSA, k = 2 for Paillier.
// Powers are computed by the Chinese remainder theorem, and checked before they are released.
type CrtModulus struct {
	owner
	modulus *Modulus
}

// NewCrtModulus prepares N^k. Not constant-time in the primes, once per modulus. Cost: primality tests and a
// search, milliseconds. Errors are Parameter if p or q is not an odd prime, if they are equal, or if k is
// below 1, and InvalidModulus if N^k has more than 65536 bits.
func NewCrtModulus(p, q *big.Int, k int) (*CrtModulus, error) {
	if err := given2("p", p, "q", q); err != nil {
		return nil, err
	}
	switch {
	case p.Sign() < 0:
		return nil, refused(Parameter, "p is negative")
	case q.Sign() < 0:
		return nil, refused(Parameter, "q is negative")
	case k < 1 || k > math.MaxInt32:
		return nil, refused(Parameter, "k is %d; 1 to %d", k, math.MaxInt32)
	}
	memory := newScratch(words(p) + words(q))
	defer memory.wipe()
	ps, qs := p.FillBytes(memory.take(words(p))), q.FillBytes(memory.take(words(q)))
	var out *C.moduli_crt_modulus
	var public *C.moduli_modulus
	var value []byte
	err := locked(func() error {
		err := check(C.moduli_crt_modulus_new(&out, pointer(ps), length(ps), pointer(qs), length(qs), C.uint32_t(k)))
		if err != nil {
			return err
		}
		value = make([]byte, C.moduli_crt_modulus_size(out))
		if err := check(C.moduli_crt_modulus_public(out, &public)); err != nil {
			C.moduli_crt_modulus_free(out)
			return err
		}
		if err := check(C.moduli_modulus_bytes(public, pointer(value), length(value))); err != nil {
			C.moduli_modulus_free(public)
			C.moduli_crt_modulus_free(out)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c := &CrtModulus{modulus: newModulus(public, new(big.Int).SetBytes(value))}
	own(c, &c.owner, unsafe.Pointer(out), func(p unsafe.Pointer) { C.moduli_crt_modulus_free((*C.moduli_crt_modulus)(p)) })
	return c, nil
}

// Modulus returns N^k, which is public, for other computations. It is closed together with the CrtModulus.
func (c *CrtModulus) Modulus() *Modulus { return c.modulus }

// Pow returns x^e mod N^k for a secret base and a secret exponent. It reveals the sign of e and its length in
// 64-bit words. Errors are NotInvertible if e is negative and x has no inverse, and Fault if the result fails
// its check.
func (c *CrtModulus) Pow(x, e *big.Int) (*big.Int, error) {
	if err := given2("x", x, "e", e); err != nil {
		return nil, err
	}
	m := c.modulus
	if m == nil {
		return nil, ErrClosed
	}
	base := m.base(x)
	memory := newScratch(m.size + m.width(base) + words(e))
	defer memory.wipe()
	out := memory.take(m.size)
	xs, es := base.FillBytes(memory.take(m.width(base))), e.FillBytes(memory.take(words(e)))
	err := c.handle.use(func(p unsafe.Pointer) error {
		native := (*C.moduli_crt_modulus)(p)
		if e.Sign() < 0 {
			return check(C.moduli_crt_pow_signed(native, pointer(out), length(out), pointer(xs), length(xs), pointer(es), length(es), 1))
		}
		return check(C.moduli_crt_pow(native, pointer(out), length(out), pointer(xs), length(xs), pointer(es), length(es)))
	})
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}

// Close wipes the factors, and closes the modulus that Modulus returns.
func (c *CrtModulus) Close() error {
	if c.modulus != nil {
		_ = c.modulus.Close()
	}
	return c.owner.Close()
}
