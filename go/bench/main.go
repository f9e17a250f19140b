// Bench compares moduli with math/big: it checks that the results are equal, then measures both alternately, in one process. Each
// figure is the median of the ratios of successive rounds, with the lower and upper quartiles. Prints Markdown.
package main

import (
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"moduli"
)

const (
	rounds  = 21
	seconds = 0.03 // One round of one of the two takes at least so long.
	count   = 64
)

// call is one of the two, with operands number i.
type call func(i int) *big.Int

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func numbers(bits int, random *rand.Rand) []*big.Int {
	all := make([]*big.Int, count)
	for i := range all {
		all[i] = new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))
		all[i].SetBit(all[i], bits-2, 1)
	}
	return all
}

func product(x, e []*big.Int, p *big.Int) *big.Int {
	all := big.NewInt(1)
	for i := range x {
		all.Mod(all.Mul(all, new(big.Int).Exp(x[i], e[i], p)), p)
	}
	return all
}

// timed is the seconds of one call of several.
func timed(of call, times int) float64 {
	begun := time.Now()
	for i := range times {
		of(i % count)
	}
	return time.Since(begun).Seconds() / float64(times)
}

func calls(of call) int {
	return max(1, int(seconds/timed(of, max(1, int(0.1/timed(of, 1)))))+1)
}

func compare(what string, bits int, theirs, ours call) {
	for i := range 3 {
		if theirs(i).Cmp(ours(i)) != 0 {
			panic(what + ": results differ")
		}
	}
	theirCalls, ourCalls := calls(theirs), calls(ours)
	var their, our, ratios []float64
	for range rounds {
		t, o := timed(theirs, theirCalls), timed(ours, ourCalls)
		their, our, ratios = append(their, t), append(our, o), append(ratios, t/o)
	}
	for _, all := range [][]float64{their, our, ratios} {
		slices.Sort(all)
	}
	fmt.Printf("| %s | %d | %s | %s | **%.1f** | %.1f–%.1f |\n", what, bits, unit(their[rounds/2]), unit(our[rounds/2]), ratios[rounds/2],
		ratios[rounds/4], ratios[3*rounds/4])
}

func unit(seconds float64) string {
	if seconds < 1e-3 {
		return fmt.Sprintf("%.1f µs", 1e6*seconds)
	}
	return fmt.Sprintf("%.2f ms", 1e3*seconds)
}

// processor is its name, and the family and model where the name says little.
func processor() string {
	all := map[string]string{}
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			all[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return fmt.Sprintf("%s, family %s, model %s", all["model name"], all["cpu family"], all["model"])
}

func main() {
	random := rand.New(rand.NewSource(1))
	fmt.Println("| operation | bits | math/big | moduli | times faster | quartiles |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	kernel := ""
	for _, bits := range []int{2048, 3072, 4096} {
		p := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		p.Sub(p, new(big.Int).SetBit(new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), uint(bits-9))), 0, 1))
		// A new base and exponent for every call: nothing can be kept from one to the next.
		x, e, short := numbers(bits, random), numbers(bits, random), numbers(256, random)
		m := must(moduli.NewModulus(p))
		kernel = m.Kernel()
		table := must(moduli.NewFixedBase(m, x[0], nil, 256, 1<<20, moduli.Secret))
		full := must(moduli.NewFixedBase(m, x[0], nil, bits, 32<<20, moduli.Secret))
		exp := func(x, e *big.Int) *big.Int { return new(big.Int).Exp(x, e, p) }
		compare("x^e, secret", bits, func(i int) *big.Int { return exp(x[i], e[i]) }, func(i int) *big.Int { return must(m.Pow(x[i], e[i])) })
		compare("x^e, public", bits, func(i int) *big.Int { return exp(x[i], e[i]) },
			func(i int) *big.Int { return must(m.PowVartime(x[i], e[i])) })
		compare("x^e, e of 256 bits, secret", bits, func(i int) *big.Int { return exp(x[i], short[i]) },
			func(i int) *big.Int { return must(m.Pow(x[i], short[i])) })
		compare("g^e, e of 256 bits, a table of 1 MiB, secret", bits, func(i int) *big.Int { return exp(x[0], short[i]) },
			func(i int) *big.Int { return must(table.Pow(short[i])) })
		compare("g^e, a table of 32 MiB, secret", bits, func(i int) *big.Int { return exp(x[0], e[i]) },
			func(i int) *big.Int { return must(full.Pow(e[i])) })
		turned := func(i int) []*big.Int { return append(slices.Clone(short[i:]), short[:i]...)[:50] }
		compare("product of 50 powers, e of 256 bits, public", bits, func(i int) *big.Int { return product(x[:50], turned(i), p) },
			func(i int) *big.Int { return must(m.MultiPowVartime(x[:50], turned(i))) })
		m.Close()
		table.Close()
		full.Close()
	}
	fmt.Printf("\n%s, one core; kernel %s; moduli %s; %s, %s/%s, %s.\n", processor(), kernel, moduli.Version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH, time.Now().Format(time.DateOnly))
}
