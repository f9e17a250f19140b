package moduli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Methods call functions that are variable-time in secrets if and only if their names say so.
func TestNamesSayWhatIsVariableTime(t *testing.T) {
	method := regexp.MustCompile(`(?ms)^func \(\w+ \*\w+\) ([A-Z]\w*)\(.*?^}`)
	function := regexp.MustCompile(`C\.(moduli_\w+)\(`)
	calls := 0
	for _, name := range []string{"modulus.go", "power.go", "even.go", "fixed_base.go", "crt.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range method.FindAllStringSubmatch(string(text), -1) {
			for _, call := range function.FindAllStringSubmatch(found[0], -1) {
				calls++
				if strings.HasSuffix(call[1], "_vartime") != strings.HasSuffix(found[1], "Vartime") {
					t.Errorf("%s calls %s", found[1], call[1])
				}
			}
		}
	}
	if calls < 20 {
		t.Errorf("%d calls found", calls)
	}
}
