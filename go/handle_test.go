package moduli

import (
	"errors"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

var prime = new(big.Int).Sub(power2(2203), big.NewInt(1))

func TestClosedHandlesFail(t *testing.T) {
	one := big.NewInt(1)
	m := prepared(t, prime)
	f, err := NewFixedBase(m, big.NewInt(10), nil, 64, 1<<16, Secret)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCrtModulus(big.NewInt(1000003), prime, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 3; i++ {
		m.Close()
		f.Close()
		c.Close()
	}
	of := func(_ any, err error) error { return err }
	for i, err := range []error{
		of(m.Pow(one, one)), of(m.Pow(one, big.NewInt(-1))), of(m.PowVartime(one, one)), of(m.PowVartime(one, big.NewInt(-1))),
		of(m.PowBytes([]byte{1}, []byte{1})), of(m.PowBytesVartime(nil, nil)), of(m.Reduce(one)), of(m.Mul(one, one)), of(m.Invert(one)),
		of(m.InvertVartime(one)), of(m.JacobiVartime(one)), of(m.PowBatch([]*big.Int{one}, []*big.Int{one})),
		of(m.MultiPow(nil, nil)), of(m.MultiPowVartime(nil, nil)), of(f.Pow(one)), of(f.PowVartime(one)), of(c.Pow(one, one)),
		of(c.Modulus().Reduce(one)), of(NewFixedBase(m, one, nil, 16, 4096, Secret)),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("call %d of a closed handle: %v", i, err)
		}
	}
	if m.Kernel() != "" || f.TableBytes() != 0 || m.Value().Cmp(prime) != 0 {
		t.Error("what is told of closed handles")
	}
}

func TestZeroValuesAreClosed(t *testing.T) {
	minus := big.NewInt(-1)
	var m Modulus
	var f FixedBase
	var c CrtModulus
	var e EvenModulus
	of := func(_ any, err error) error { return err }
	for i := 0; i < 2; i++ {
		for j, err := range []error{
			of(m.Pow(minus, minus)), of(m.PowVartime(minus, minus)), of(m.PowBytes(nil, nil)), of(m.Reduce(minus)), of(m.Mul(minus, minus)),
			of(m.Invert(minus)), of(m.InvertVartime(minus)), of(m.JacobiVartime(minus)), of(m.PowBatch(nil, nil)),
			of(m.PowBatch([]*big.Int{minus}, []*big.Int{minus})), of(m.MultiPow(nil, nil)), of(NewFixedBase(&m, minus, nil, 16, 4096, Secret)),
			of(f.Pow(minus)), of(f.PowVartime(big.NewInt(1))), of(c.Pow(minus, minus)), of(e.Pow(minus, minus)), of(e.PowVartime(minus, minus)),
			of(e.Invert(minus)), of(e.InvertVartime(minus)),
		} {
			if err != ErrClosed {
				t.Errorf("call %d of a zero value: %v", j, err)
			}
		}
		if m.Kernel() != "" || m.Size() != 0 || f.TableBytes() != 0 || c.Modulus() != nil {
			t.Error("what is told of zero values")
		}
		for _, value := range []*big.Int{m.Value(), e.Value(), f.Base(), f.Modulus()} {
			if value.Sign() != 0 {
				t.Error(value)
			}
		}
		if m.Close() != nil || f.Close() != nil || c.Close() != nil || e.Close() != nil {
			t.Error("closing a zero value")
		}
	}
}

// Each call returns the correct result or ErrClosed.
func TestClosingWhileOthersCompute(t *testing.T) {
	e := big.NewInt(12345)
	wanted := new(big.Int).Exp(big.NewInt(10), e, prime)
	m := prepared(t, prime)
	for round := 0; round < 60; round++ {
		f, err := NewFixedBase(m, big.NewInt(10), nil, 64, 1<<14, Secret)
		if err != nil {
			t.Fatal(err)
		}
		var group, begun sync.WaitGroup
		for worker := 0; worker < 3; worker++ {
			group.Add(1)
			begun.Add(1)
			go func() {
				defer group.Done()
				for call := 0; ; call++ {
					power, err := f.Pow(e)
					if call == 0 {
						begun.Done()
					}
					if err == ErrClosed {
						return
					}
					if err != nil || power.Cmp(wanted) != 0 {
						t.Errorf("%v, %v", power, err)
						return
					}
				}
			}()
		}
		begun.Wait()
		f.Close()
		group.Wait()
	}
}

func TestHandlesAreFreedOnceAndNeverInUse(t *testing.T) {
	var freed atomic.Int64
	type object struct{ owner }
	byteOfC := unsafe.Pointer(new(byte))
	make := func() *object {
		o := &object{}
		own(o, &o.owner, byteOfC, func(unsafe.Pointer) { freed.Add(1) })
		return o
	}
	o := make()
	err := o.handle.use(func(unsafe.Pointer) error {
		o.Close()
		if freed.Load() != 0 {
			t.Error("freed in use")
		}
		if o.handle.use(func(unsafe.Pointer) error { return nil }) != ErrClosed {
			t.Error("used after it was closed")
		}
		return nil
	})
	if err != nil || freed.Load() != 1 {
		t.Error(err, freed.Load())
	}
	o.Close()
	if freed.Load() != 1 {
		t.Error("freed twice")
	}
	make()
	for i := 0; i < 200 && freed.Load() < 2; i++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if freed.Load() != 2 {
		t.Error("a forgotten handle is not freed")
	}
}

func TestGoroutinesShareHandles(t *testing.T) {
	m := prepared(t, prime)
	f, err := NewFixedBase(m, big.NewInt(2), nil, 64, 1<<16, Public)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var group sync.WaitGroup
	for i := 0; i < 100; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			e := big.NewInt(int64(i) * 77777)
			wanted := new(big.Int).Exp(big.NewInt(2), e, prime)
			byTable, err := f.Pow(e)
			same(t, "by a table", wanted, byTable, err)
			byModulus, err := m.PowVartime(big.NewInt(2), e)
			same(t, "without", wanted, byModulus, err)
			// The message of an error must belong to this call.
			_, err = m.Invert(big.NewInt(0))
			var failure *Error
			if !errors.As(err, &failure) || failure.Message == "" {
				t.Errorf("%v", err)
			}
		}()
	}
	group.Wait()
}

func TestCopiesAreWiped(t *testing.T) {
	var seen [][]byte
	released = func(memory []byte) { seen = append(seen, memory) }
	defer func() { released = nil }()
	m := prepared(t, prime)
	x, minus := new(big.Int).Rsh(prime, 1), new(big.Int).Neg(prime)
	minus.Add(minus, big.NewInt(5))
	f, err := NewFixedBase(m, big.NewInt(10), nil, 64, 1<<16, Secret)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCrtModulus(big.NewInt(1000003), big.NewInt(1000033), 1)
	if err != nil {
		t.Fatal(err)
	}
	even, err := NewEvenModulus(new(big.Int).Lsh(prime, 70))
	if err != nil {
		t.Fatal(err)
	}
	defer even.Close()
	calls := 1
	for _, call := range []func() error{
		func() error { _, err := m.Pow(x, x); return err },
		func() error { _, err := m.Pow(x, minus); return err },
		func() error { _, err := m.PowVartime(x, x); return err },
		func() error { _, err := m.Mul(x, x); return err },
		func() error { _, err := m.Invert(x); return err },
		func() error { _, err := m.MultiPow([]*big.Int{x, x}, []*big.Int{x, minus}); return err },
		func() error { _, err := m.PowBatch([]*big.Int{x}, []*big.Int{x}); return err },
		func() error { _, err := f.Pow(x); return err },
		func() error { _, err := f.PowVartime(x); return err },
		func() error { _, err := c.Pow(x, x); return err },
		func() error { _, err := even.Pow(x, x); return err },
		func() error { _, err := even.PowVartime(x, x); return err },
		func() error { _, err := even.Invert(x); return err },
		func() error { _, err := even.InvertVartime(x); return err },
		func() error { _, err := InvertVartime(x, prime); return err },
	} {
		if err := call(); err != nil {
			t.Fatal(err)
		}
		calls++
	}
	if _, err := m.Invert(prime); err == nil {
		t.Fatal("0 has an inverse")
	}
	calls++
	if len(seen) != calls {
		t.Fatalf("%d calls, memory of %d", calls, len(seen))
	}
	for i, memory := range seen {
		if len(memory) == 0 {
			t.Errorf("call %d had no memory", i)
		}
		for _, one := range memory {
			if one != 0 {
				t.Fatalf("call %d leaves what it had", i)
			}
		}
	}
}
