package moduli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"
)

// same checks a result, or that there is none because there is no inverse.
func same(t *testing.T, what string, wanted, found *big.Int, err error) {
	t.Helper()
	switch {
	case wanted == nil && !errors.Is(err, NotInvertible):
		t.Fatalf("%s: %v, %v; there is no inverse", what, found, err)
	case wanted != nil && (err != nil || found.Cmp(wanted) != 0):
		t.Fatalf("%s: %v, %v; expected %v", what, found, err, wanted)
	case err != nil && found != nil:
		t.Fatalf("%s: an error and a result", what)
	}
}

func TestModulusAgreesWithMathBig(t *testing.T) {
	for _, bits := range lengths {
		random := rand.New(rand.NewSource(int64(bits)))
		p := odd(bits, random)
		m := prepared(t, p)
		if m.Value().Cmp(p) != 0 || m.Size() != (bits+7)/8 || m.Kernel() == "" {
			t.Fatal(m.Value(), m.Size(), m.Kernel())
		}
		all, es := operands(p, random), exponents(random)
		for i, x := range all {
			y := all[(i*7+3)%len(all)]
			reduced, err := m.Reduce(x)
			same(t, "reduce", new(big.Int).Mod(x, p), reduced, err)
			product, err := m.Mul(x, y)
			same(t, "mul", new(big.Int).Mod(new(big.Int).Mul(x, y), p), product, err)
			var inverse *big.Int
			if hasInverse(x, p) {
				inverse = new(big.Int).ModInverse(x, p)
			}
			found, err := m.Invert(x)
			same(t, "invert", inverse, found, err)
			found, err = m.InvertVartime(x)
			same(t, "invert", inverse, found, err)
			found, err = InvertVartime(x, p)
			same(t, "invert", inverse, found, err)
			symbol, err := m.JacobiVartime(x)
			if err != nil || symbol != big.Jacobi(x, p) {
				t.Fatalf("Jacobi symbol of %v modulo %v: %d, %v", x, p, symbol, err)
			}
			for j := i % 2; j < len(es); j += 2 {
				e, what := es[j], fmt.Sprintf("%v^%v modulo %v", x, es[j], p)
				found, err = m.Pow(x, e)
				same(t, what, power(x, e, p), found, err)
				found, err = m.PowVartime(x, e)
				same(t, what, power(x, e, p), found, err)
				if x.Sign() >= 0 && e.Sign() >= 0 {
					secret, err := m.PowBytes(x.Bytes(), e.Bytes())
					same(t, what, power(x, e, p), new(big.Int).SetBytes(secret), err)
					public, err := m.PowBytesVartime(x.Bytes(), e.Bytes())
					if err != nil || len(public) != m.Size() || !bytes.Equal(secret, public) {
						t.Fatalf("%s: %x, %x", what, secret, public)
					}
				}
			}
		}
	}
}

func TestManyAgreeWithMathBig(t *testing.T) {
	for _, bits := range lengths {
		random := rand.New(rand.NewSource(int64(bits)))
		p := odd(bits, random)
		m := prepared(t, p)
		var x, e, powers []*big.Int
		product := new(big.Int).Mod(big.NewInt(1), p)
		for i := 0; i < 19; i++ {
			found, err := m.PowBatch(x, e)
			if err != nil || len(found) != len(powers) {
				t.Fatal(err)
			}
			for j := range found {
				same(t, "batch", powers[j], found[j], nil)
			}
			secret, err := m.MultiPow(x, e)
			same(t, "secret product", product, secret, err)
			public, err := m.MultiPowVartime(x, e)
			same(t, "public product", product, public, err)
			base, exponent := new(big.Int).Sub(number(bits+9, random), p), number(9*i+1, random)
			if !hasInverse(base, p) {
				base = big.NewInt(2)
			}
			if i%4 == 3 {
				exponent.Neg(exponent)
			}
			x, e = append(x, base), append(e, exponent)
			powers = append(powers, power(base, exponent, p))
			product = new(big.Int).Mod(new(big.Int).Mul(product, powers[i]), p)
		}
	}
}

func TestTablesAgreeWithMathBig(t *testing.T) {
	for _, bits := range lengths {
		random := rand.New(rand.NewSource(int64(bits)))
		p := odd(bits, random)
		base := new(big.Int).Neg(number(bits+3, random))
		if new(big.Int).Mod(base, p).Sign() == 0 {
			base = big.NewInt(2)
		}
		m := prepared(t, p)
		for _, secrecy := range []Secrecy{Secret, Public} {
			for _, exponentBits := range []int{1, 100, 257} {
				f, err := NewFixedBase(m, base, nil, exponentBits, 1<<16, secrecy)
				if err != nil {
					t.Fatal(err)
				}
				if f.Base().Cmp(new(big.Int).Mod(base, p)) != 0 || f.Modulus().Cmp(p) != 0 || f.TableBytes() < 1 || f.TableBytes() > 1<<16 {
					t.Fatal(f.Base(), f.Modulus(), f.TableBytes())
				}
				for _, e := range exponents(random) {
					secret, err := f.Pow(e)
					public, publicErr := f.PowVartime(e)
					if e.Sign() < 0 && e.BitLen() > (exponentBits+7)/8*8 {
						if err == nil || publicErr == nil {
							t.Fatalf("%v is taken by a table of %d bits", e, exponentBits)
						}
						continue
					}
					same(t, fmt.Sprintf("secret %v", e), power(base, e, p), secret, err)
					same(t, fmt.Sprintf("public %v", e), power(base, e, p), public, publicErr)
				}
				f.Close()
			}
		}
	}
	p, order := big.NewInt(1000003), big.NewInt(1000002)
	m := prepared(t, p)
	f, err := NewFixedBase(m, big.NewInt(2), order, 20, 4096, Secret)
	if err != nil {
		t.Fatal(err)
	}
	m.Close() // The modulus may be closed before the table.
	for _, e := range []*big.Int{order, power2(500), new(big.Int).Neg(power2(500))} {
		found, err := f.Pow(e)
		same(t, "reduced by the order", power(big.NewInt(2), e, p), found, err)
	}
}

func TestCrtAgreesWithMathBig(t *testing.T) {
	for _, primes := range [][2]int64{{1000003, 1000033}, {7, 11}} {
		p, q := big.NewInt(primes[0]), big.NewInt(primes[1])
		for k := 1; k <= 3; k++ {
			n := new(big.Int).Exp(new(big.Int).Mul(p, q), big.NewInt(int64(k)), nil)
			c, err := NewCrtModulus(p, q, k)
			if err != nil || c.Modulus().Value().Cmp(n) != 0 {
				t.Fatal(err)
			}
			random := rand.New(rand.NewSource(1))
			for _, x := range append(operands(n, random), p) {
				for _, e := range exponents(random) {
					found, err := c.Pow(x, e)
					same(t, fmt.Sprintf("%v^%v modulo %v", x, e, n), power(x, e, n), found, err)
				}
			}
			c.Close()
			if _, err := c.Modulus().Reduce(p); err != ErrClosed {
				t.Fatal(err)
			}
		}
	}
}

func TestEvenModuliAgreeWithMathBig(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	all := []*big.Int{big.NewInt(2), big.NewInt(6), power2(64), power2(300), big.NewInt(1000000)}
	for _, twos := range []uint{1, 63, 64, 200} {
		all = append(all, new(big.Int).Lsh(odd(3, random), twos), new(big.Int).Lsh(odd(521, random), twos))
	}
	for _, n := range all {
		m, err := NewEvenModulus(n)
		if err != nil || m.Value().Cmp(n) != 0 {
			t.Fatal(n, err)
		}
		for _, x := range operands(n, random) {
			for _, e := range exponents(random) {
				found, err := m.Pow(x, e)
				public, publicErr := m.PowVartime(x, e)
				if e.Sign() < 0 && new(big.Int).ModInverse(x, n) == nil {
					if !errors.Is(err, NotInvertible) || !errors.Is(publicErr, NotInvertible) || found != nil || public != nil {
						t.Fatal(x, e, n, err, publicErr)
					}
					continue
				}
				what := fmt.Sprintf("%v^%v modulo %v", x, e, n)
				same(t, what, power(x, e, n), found, err)
				same(t, what, power(x, e, n), public, publicErr)
			}
			for _, x := range []*big.Int{x, new(big.Int).Or(x, big.NewInt(1))} {
				found, err := m.Invert(x)
				public, publicErr := m.InvertVartime(x)
				wanted := new(big.Int).ModInverse(x, n)
				single, singleErr := InvertVartime(x, n)
				same(t, "invert", wanted, single, singleErr)
				if wanted == nil {
					factor := new(big.Int).GCD(nil, nil, n, new(big.Int).Mod(x, n))
					if !errors.Is(err, NotInvertible) || !errors.Is(publicErr, NotInvertible) || found != nil || public != nil {
						t.Fatal(x, n, err, publicErr)
					}
					// The error names the factor only for public numbers.
					if strings.Contains(err.Error(), "0x") || factor.BitLen() < 64 && !strings.Contains(publicErr.Error(), fmt.Sprintf("0x%x", factor)) {
						t.Fatal(x, n, err, publicErr)
					}
					continue
				}
				what := fmt.Sprintf("1/%v modulo %v", x, n)
				same(t, what, wanted, found, err)
				same(t, what, wanted, public, publicErr)
			}
		}
		m.Close()
		if _, err := m.Invert(n); err != ErrClosed {
			t.Fatal(err)
		}
		if _, err := m.InvertVartime(n); err != ErrClosed {
			t.Fatal(err)
		}
		if _, err := m.Pow(n, n); err != ErrClosed {
			t.Fatal(err)
		}
	}
}

func TestHostileInputsAreErrors(t *testing.T) {
	one, huge := big.NewInt(1), power2(8*65536)
	m := prepared(t, big.NewInt(1000003))
	f, err := NewFixedBase(m, one, nil, 16, 4096, Secret)
	if err != nil {
		t.Fatal(err)
	}
	ints := func(x ...*big.Int) []*big.Int { return x }
	modulus := func(x *big.Int) error { _, err := NewModulus(x); return err }
	table := func(base, order *big.Int, bits int, budget int64, secrecy Secrecy) error {
		_, err := NewFixedBase(m, base, order, bits, budget, secrecy)
		return err
	}
	even := func(x *big.Int) error { _, err := NewEvenModulus(x); return err }
	e, err := NewEvenModulus(big.NewInt(10))
	if err != nil {
		t.Fatal(err)
	}
	crt := func(p, q *big.Int, k int) error { _, err := NewCrtModulus(p, q, k); return err }
	of := func(_ any, err error) error { return err }
	for i, each := range []struct {
		wanted Status
		found  error
	}{
		{Parameter, modulus(nil)}, {InvalidModulus, modulus(big.NewInt(0))}, {InvalidModulus, modulus(one)},
		{InvalidModulus, modulus(big.NewInt(10))}, {InvalidModulus, modulus(big.NewInt(-7))},
		{InvalidModulus, modulus(new(big.Int).Add(power2(65536), one))}, {Length, modulus(huge)}, {InvalidModulus, of(NewModulusBytes(nil))},
		{Parameter, of(m.Pow(nil, one))}, {Parameter, of(m.Pow(one, nil))}, {Parameter, of(m.PowVartime(nil, one))},
		{Parameter, of(m.PowVartime(one, nil))}, {Parameter, of(m.PowVartime(nil, big.NewInt(-1)))}, {Parameter, of(m.Mul(one, nil))},
		{Parameter, of(m.Reduce(nil))}, {Parameter, of(m.Invert(nil))}, {Parameter, of(m.JacobiVartime(nil))},
		{Parameter, of(m.MultiPow(ints(nil), ints(one)))}, {Parameter, of(m.MultiPow(ints(one), ints(nil)))},
		{Parameter, of(m.MultiPowVartime(ints(one), nil))}, {Parameter, of(m.PowBatch(nil, ints(one)))},
		{Length, of(m.Pow(huge, one))}, {Length, of(m.Pow(one, huge))}, {Length, of(m.PowBytes(make([]byte, 65537), nil))},
		{Length, of(m.PowBytesVartime(nil, make([]byte, 65537)))}, {Length, of(m.MultiPow(ints(one), ints(huge)))},
		{NotInvertible, of(m.PowBatch(ints(m.Value()), ints(big.NewInt(-1))))},
		{BaseZero, table(m.Value(), nil, 16, 4096, Secret)}, {Parameter, table(nil, nil, 16, 4096, Secret)},
		{Parameter, table(one, nil, 0, 4096, Secret)}, {Parameter, table(one, nil, 1<<30, 4096, Secret)},
		{Parameter, table(one, nil, 16, -1, Secret)}, {BudgetTooSmall, table(one, nil, 16, 1, Secret)},
		{Parameter, table(one, nil, 16, 4096, 2)}, {Parameter, table(one, big.NewInt(0), 16, 4096, Secret)},
		{Parameter, table(big.NewInt(2), big.NewInt(7), 16, 4096, Secret)}, {Parameter, of(NewFixedBase(nil, one, nil, 16, 4096, Secret))},
		{Parameter, of(f.Pow(nil))}, {Parameter, of(f.PowVartime(nil))}, {Length, of(f.Pow(huge))},
		{ExponentTooLong, of(f.Pow(new(big.Int).Neg(power2(99))))},
		{Parameter, crt(nil, one, 1)}, {Parameter, crt(big.NewInt(7), big.NewInt(7), 1)}, {Parameter, crt(big.NewInt(-7), big.NewInt(11), 1)},
		{Parameter, crt(big.NewInt(7), big.NewInt(15), 1)}, {Parameter, crt(big.NewInt(7), big.NewInt(11), 0)},
		{InvalidModulus, crt(big.NewInt(7), big.NewInt(11), 1<<30)},
		{Parameter, of(InvertVartime(nil, one))}, {Parameter, of(InvertVartime(one, nil))}, {Length, of(InvertVartime(huge, one))},
		{Length, of(InvertVartime(one, huge))}, {InvalidModulus, of(InvertVartime(one, new(big.Int)))},
		{InvalidModulus, of(InvertVartime(one, big.NewInt(-7)))}, {NotInvertible, of(InvertVartime(new(big.Int), big.NewInt(7)))},
		{Parameter, even(nil)}, {InvalidModulus, even(one)}, {Parameter, even(big.NewInt(7))}, {InvalidModulus, even(big.NewInt(0))},
		{InvalidModulus, even(big.NewInt(-10))}, {InvalidModulus, even(power2(65536))}, {Length, even(huge)},
		{Parameter, of(e.Pow(nil, one))}, {Parameter, of(e.PowVartime(one, nil))}, {Length, of(e.Pow(huge, one))},
		{Length, of(e.PowVartime(one, huge))}, {Parameter, of(e.Invert(nil))}, {Parameter, of(e.InvertVartime(nil))},
		{Parameter, of(e.Pow(nil, big.NewInt(-1)))}, {Length, of(e.Invert(huge))}, {NotInvertible, of(e.Invert(big.NewInt(0)))},
		{NotInvertible, of(e.Pow(big.NewInt(5), big.NewInt(-1)))}, {NotInvertible, of(e.PowVartime(big.NewInt(2), big.NewInt(-1)))},
	} {
		var failure *Error
		if !errors.Is(each.found, each.wanted) || !errors.As(each.found, &failure) || !strings.HasPrefix(failure.Error(), "moduli: ") {
			t.Errorf("case %d: %v; expected %v", i, each.found, each.wanted)
		}
	}
	seven, eleven, ok := big.NewInt(7), big.NewInt(11), ints(one, one)
	for _, each := range []struct {
		wanted string
		found  error
	}{
		{"x is nil", of(m.Invert(nil))}, {"m is nil", of(InvertVartime(one, nil))}, {"x is nil", of(m.JacobiVartime(nil))}, {"x is nil", of(m.PowVartime(nil, big.NewInt(-1)))},
		{"e is nil", of(m.PowVartime(one, nil))}, {"y is nil", of(m.Mul(one, nil))}, {"x is nil", of(e.Pow(nil, one))},
		{"e is nil", of(e.PowVartime(one, nil))}, {"x[1] is nil", of(m.PowBatch(ints(one, nil), ok))},
		{"e[1] has 524289 bits; at most 524288", of(m.MultiPow(ok, ints(one, huge)))}, {"q is nil", crt(seven, nil, 1)},
		{"p is negative", crt(big.NewInt(-7), eleven, 1)}, {"q is negative", crt(seven, big.NewInt(-11), 1)},
		{"k is 0; 1 to 2147483647", crt(seven, eleven, 0)}, {"the modulus has more than 65536 bits", crt(seven, eleven, math.MaxInt32)},
		{"exponentBits is 0; 1 to 131072", table(one, nil, 0, 4096, Secret)}, {"budget is -1; 0 or more", table(one, nil, 16, -1, Secret)},
		{"the modulus must be greater than 1", modulus(new(big.Int))}, {"the modulus must be greater than 1", even(one)},
	} {
		if each.found.Error() != "moduli: "+each.wanted {
			t.Errorf("%v; expected %s", each.found, each.wanted)
		}
	}
	if found, err := m.PowBytes(nil, nil); err != nil || !bytes.Equal(found, []byte{0, 0, 1}) {
		t.Error(found, err)
	}
	if found, err := InvertVartime(big.NewInt(5), one); err != nil || found.Sign() != 0 {
		t.Error(found, err)
	}
	if Version() == "" || NotInvertible.Error() == "" {
		t.Error("no words")
	}
}

// FuzzPowers compares powers, tables and products with math/big, for any modulus, base and exponent.
func FuzzPowers(f *testing.F) {
	f.Add([]byte{15}, []byte{6}, []byte{1, 0}, true, false)
	f.Add(power2(521).Bytes(), []byte{0xff, 1}, []byte{}, false, true)
	f.Add(new(big.Int).Sub(power2(521), big.NewInt(1)).Bytes(), []byte{0xff, 1}, []byte{0xff, 0xff}, true, true)
	f.Fuzz(func(t *testing.T, modulus, base, exponent []byte, negativeBase, negativeExponent bool) {
		if len(modulus) > 300 || len(base) > 600 || len(exponent) > 100 {
			return
		}
		p, x, e := new(big.Int).SetBytes(modulus), new(big.Int).SetBytes(base), new(big.Int).SetBytes(exponent)
		m, err := NewModulus(p)
		if isModulus := p.Bit(0) == 1 && p.BitLen() > 1; !isModulus {
			if !errors.Is(err, InvalidModulus) {
				t.Fatalf("%v is taken for a modulus", p)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if negativeBase {
			x.Neg(x)
		}
		if negativeExponent {
			e.Neg(e)
		}
		wanted := power(x, e, p)
		found, err := m.Pow(x, e)
		same(t, "secret", wanted, found, err)
		found, err = m.PowVartime(x, e)
		same(t, "public", wanted, found, err)
		found, err = m.MultiPow([]*big.Int{x, x}, []*big.Int{e, big.NewInt(0)})
		if negativeExponent && e.Sign() < 0 && wanted == nil {
			same(t, "product", nil, found, err)
		} else {
			same(t, "product", wanted, found, err)
		}
		// Planning a table takes milliseconds.
		if len(exponent)%4 != 0 {
			return
		}
		table, err := NewFixedBase(m, x, nil, 40, 1<<14, Secret)
		if errors.Is(err, BaseZero) && new(big.Int).Mod(x, p).Sign() == 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if found, err = table.Pow(e); e.Sign() < 0 && e.BitLen() > 40 {
			if err == nil {
				t.Fatal("a negative exponent is too long, and taken")
			}
		} else {
			same(t, "table", wanted, found, err)
		}
	})
}
