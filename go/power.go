package moduli

// #include <moduli.h>
import "C"

import "math/big"

// Pow returns x^e mod p for a secret base and a secret exponent; x^0 is 1. It reveals the sign of e and its
// length in 64-bit words. The error is NotInvertible if e is negative and x has no inverse.
func (m *Modulus) Pow(x, e *big.Int) (*big.Int, error) {
	return m.pow(x, e, func(p *C.moduli_modulus, out, x, e []byte, negative bool) C.moduli_status {
		if negative {
			return C.moduli_pow_signed(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e), 1)
		}
		return C.moduli_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowVartime returns x^e mod p for a public base and a public exponent.
func (m *Modulus) PowVartime(x, e *big.Int) (*big.Int, error) {
	if e != nil && e.Sign() < 0 {
		inverse, err := m.InvertVartime(x)
		if err != nil {
			return nil, err
		}
		x = inverse
	}
	return m.pow(x, e, func(p *C.moduli_modulus, out, x, e []byte, _ bool) C.moduli_status {
		return C.moduli_pow_vartime(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowBytes is Pow for big-endian bytes; the result has as many bytes as the modulus. It reveals the length of
// e.
func (m *Modulus) PowBytes(x, e []byte) ([]byte, error) {
	return m.powBytes(func(p *C.moduli_modulus, out []byte) C.moduli_status {
		return C.moduli_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowBytesVartime is PowVartime for big-endian bytes; the result has as many bytes as the modulus.
func (m *Modulus) PowBytesVartime(x, e []byte) ([]byte, error) {
	return m.powBytes(func(p *C.moduli_modulus, out []byte) C.moduli_status {
		return C.moduli_pow_vartime(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))
	})
}

// PowBatch returns many powers at once, x[i]^e[i] mod p, computed on all cores and in the lanes of vector
// registers. It reveals the length of the longest exponent, and the sign of each. The error is Parameter if
// there are not as many bases as exponents, and NotInvertible if an exponent is negative and any base has no
// inverse.
func (m *Modulus) PowBatch(x, e []*big.Int) ([]*big.Int, error) {
	var powers []*big.Int
	err := m.rows(x, e, len(x), func(p *C.moduli_modulus, out []byte, x rows, e rows, negative []byte) error {
		status := C.moduli_pow_batch(p, nil, pointer(out), C.size_t(m.size), pointer(x.bytes), x.width, pointer(e.bytes), e.width,
			pointer(negative), x.count)
		if err := check(status); err != nil {
			return err
		}
		for at := 0; at < len(out); at += m.size {
			powers = append(powers, new(big.Int).SetBytes(out[at:at+m.size]))
		}
		return nil
	})
	return powers, err
}

// MultiPow returns the product of x[i]^e[i] mod p, 1 for none. The powers share their squarings, and it runs
// on all cores. It reveals the same as PowBatch, and returns the same errors.
func (m *Modulus) MultiPow(x, e []*big.Int) (*big.Int, error) {
	return m.product(x, e, func(p *C.moduli_modulus, out []byte, x rows, e rows, negative []byte) C.moduli_status {
		return C.moduli_multi_pow(p, pointer(out), length(out), pointer(x.bytes), x.width, pointer(e.bytes), e.width,
			pointer(negative), x.count)
	})
}

// MultiPowVartime is MultiPow for public bases and exponents.
func (m *Modulus) MultiPowVartime(x, e []*big.Int) (*big.Int, error) {
	return m.product(x, e, func(p *C.moduli_modulus, out []byte, x rows, e rows, negative []byte) C.moduli_status {
		return C.moduli_multi_pow_vartime(p, pointer(out), length(out), pointer(x.bytes), x.width, pointer(e.bytes), e.width,
			pointer(negative), x.count)
	})
}

func (m *Modulus) powBytes(call func(*C.moduli_modulus, []byte) C.moduli_status) ([]byte, error) {
	out := make([]byte, m.size)
	if err := m.use(func(p *C.moduli_modulus) error { return check(call(p, out)) }); err != nil {
		return nil, err
	}
	return out, nil
}

func (m *Modulus) product(x, e []*big.Int, call func(*C.moduli_modulus, []byte, rows, rows, []byte) C.moduli_status) (*big.Int, error) {
	var product *big.Int
	err := m.rows(x, e, 1, func(p *C.moduli_modulus, out []byte, x rows, e rows, negative []byte) error {
		if err := check(call(p, out, x, e, negative)); err != nil {
			return err
		}
		product = new(big.Int).SetBytes(out)
		return nil
	})
	return product, err
}

func (m *Modulus) pow(x, e *big.Int, call func(*C.moduli_modulus, []byte, []byte, []byte, bool) C.moduli_status) (*big.Int, error) {
	if err := given2("x", x, "e", e); err != nil {
		return nil, err
	}
	base := m.base(x)
	memory := newScratch(m.size + m.width(base) + words(e))
	defer memory.wipe()
	out := memory.take(m.size)
	bases := base.FillBytes(memory.take(m.width(base)))
	exponent := e.FillBytes(memory.take(words(e)))
	err := m.use(func(p *C.moduli_modulus) error { return check(call(p, out, bases, exponent, e.Sign() < 0)) })
	if err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}

// rows is a list of numbers of the same width.
type rows struct {
	bytes []byte
	width C.size_t
	count C.size_t
}

func (m *Modulus) rows(x, e []*big.Int, results int, call func(*C.moduli_modulus, []byte, rows, rows, []byte) error) error {
	if len(x) != len(e) {
		return refused(Parameter, "%d exponents for %d bases", len(e), len(x))
	}
	if err := givenAll("x", x); err != nil {
		return err
	}
	if err := givenAll("e", e); err != nil {
		return err
	}
	bases := make([]*big.Int, len(x))
	for i := range x {
		bases[i] = m.base(x[i])
	}
	xWidth, eWidth := max(m.size, widest(bases)), widest(e)
	memory := newScratch(results*m.size + len(x)*(xWidth+eWidth+1))
	defer memory.wipe()
	out := memory.take(results * m.size)
	xs, es, signs := memory.take(len(x)*xWidth), memory.take(len(x)*eWidth), memory.take(len(x))
	var negative []byte
	for i := range x {
		bases[i].FillBytes(xs[i*xWidth:][:xWidth])
		e[i].FillBytes(es[i*eWidth:][:eWidth])
		if e[i].Sign() < 0 {
			signs[i] = 1
			negative = signs
		}
	}
	count := C.size_t(len(x))
	return m.use(func(p *C.moduli_modulus) error {
		return call(p, out, rows{xs, C.size_t(xWidth), count}, rows{es, C.size_t(eWidth), count}, negative)
	})
}
