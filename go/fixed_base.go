package moduli

// #include <moduli.h>
import "C"

import (
	"math/big"
	"unsafe"
)

// Secrecy says whether the exponents of a table will be secret. It decides which table is best; all calls
// work on every table.
type Secrecy uint32

const (
	// Secret tables are best for the constant-time calls.
	Secret Secrecy = C.MODULI_SECRECY_SECRET
	// Public tables are best for the calls whose names end in Vartime.
	Public Secrecy = C.MODULI_SECRECY_PUBLIC
)

// FixedBase is a public base with a table of its powers. It is immutable, and keeps what it needs of its
// modulus.
//
// Exponents have any sign and length. Exponents longer than exponentBits are reduced modulo the order of the
// base, if it was given; otherwise the additional bits cost a power without a table.
type FixedBase struct {
	owner
	base, modulus *big.Int
	size          int
	exponentBytes int
}

// NewFixedBase computes a table, on all cores. order is nil, or an order of the base, which is checked.
// Exponents are expected to be below 2^exponentBits, 1 to 131072, rounded up to whole bytes; budget is the
// most bytes that the table may take. Errors are BaseZero, Parameter and BudgetTooSmall, whose text gives the
// smallest budget that is enough.
func NewFixedBase(m *Modulus, base, order *big.Int, exponentBits int, budget int64, secrecy Secrecy) (*FixedBase, error) {
	if m == nil {
		return nil, refused(Parameter, "the modulus is nil")
	}
	if err := given("the base", base); err != nil {
		return nil, err
	}
	var orders []byte
	if order != nil {
		if err := given("the order", order); err != nil {
			return nil, err
		}
		if order.Sign() <= 0 {
			return nil, refused(Parameter, "the order is not positive")
		}
		orders = order.Bytes()
	}
	if exponentBits < 1 || exponentBits > 131072 {
		return nil, refused(Parameter, "exponentBits is %d; 1 to 131072", exponentBits)
	}
	if budget < 0 {
		return nil, refused(Parameter, "budget is %d; 0 or more", budget)
	}
	if m.value == nil {
		return nil, ErrClosed
	}
	reduced := new(big.Int).Mod(base, m.value)
	bytes, exponentBytes := reduced.Bytes(), (exponentBits+7)/8
	var out *C.moduli_fixed_base
	err := m.use(func(p *C.moduli_modulus) error {
		return check(C.moduli_fixed_base_build(p, &out, pointer(bytes), length(bytes), pointer(orders), length(orders),
			C.uint32_t(8*exponentBytes), C.uint64_t(budget), C.moduli_secrecy(secrecy)))
	})
	if err != nil {
		return nil, err
	}
	f := &FixedBase{base: reduced, modulus: m.Value(), size: m.size, exponentBytes: exponentBytes}
	own(f, &f.owner, unsafe.Pointer(out), func(p unsafe.Pointer) { C.moduli_fixed_base_free((*C.moduli_fixed_base)(p)) })
	return f, nil
}

// Base returns the base, reduced.
func (f *FixedBase) Base() *big.Int { return copied(f.base) }

// Modulus returns the modulus.
func (f *FixedBase) Modulus() *big.Int { return copied(f.modulus) }

// TableBytes returns the size of the table; 0 after Close.
func (f *FixedBase) TableBytes() int64 {
	var bytes int64
	_ = f.use(func(p *C.moduli_fixed_base) error {
		bytes = int64(C.moduli_fixed_base_table_bytes(p))
		return nil
	})
	return bytes
}

// Pow returns base^e for a secret exponent. Constant-time: it reveals the sign of the exponent, and, if the
// exponent is longer than exponentBits, its length in 64-bit words. Errors are NotInvertible if e is negative
// and the base has no inverse, and ExponentTooLong if e is negative and too long for a table without an
// order.
func (f *FixedBase) Pow(e *big.Int) (*big.Int, error) {
	if err := given("e", e); err != nil {
		return nil, err
	}
	width := f.exponentBytes
	fits := (e.BitLen()+7)/8 <= width
	if !fits {
		width = words(e)
	}
	return f.compute(e, width, func(p *C.moduli_fixed_base, out, exponent []byte) C.moduli_status {
		switch {
		case e.Sign() < 0:
			return C.moduli_fixed_base_pow_signed(p, pointer(out), length(out), pointer(exponent), length(exponent), 1)
		case fits:
			return C.moduli_fixed_base_pow(p, pointer(out), length(out), pointer(exponent), length(exponent))
		default:
			return C.moduli_fixed_base_pow_long(p, pointer(out), length(out), pointer(exponent), length(exponent))
		}
	})
}

// PowVartime returns base^e for a public exponent. Errors are those of Pow.
func (f *FixedBase) PowVartime(e *big.Int) (*big.Int, error) {
	if err := given("e", e); err != nil {
		return nil, err
	}
	if e.Sign() < 0 {
		return f.Pow(e)
	}
	return f.compute(e, words(e), func(p *C.moduli_fixed_base, out, exponent []byte) C.moduli_status {
		return C.moduli_fixed_base_pow_long_vartime(p, pointer(out), length(out), pointer(exponent), length(exponent))
	})
}

func (f *FixedBase) use(call func(*C.moduli_fixed_base) error) error {
	return f.handle.use(func(p unsafe.Pointer) error { return call((*C.moduli_fixed_base)(p)) })
}

func (f *FixedBase) compute(e *big.Int, width int, call func(*C.moduli_fixed_base, []byte, []byte) C.moduli_status) (*big.Int, error) {
	memory := newScratch(f.size + width)
	defer memory.wipe()
	out, exponent := memory.take(f.size), e.FillBytes(memory.take(width))
	if err := f.use(func(p *C.moduli_fixed_base) error { return check(call(p, out, exponent)) }); err != nil {
		return nil, err
	}
	return new(big.Int).SetBytes(out), nil
}
