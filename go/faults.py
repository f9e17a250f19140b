"""Seeded faults in the Go package, each with the test that must catch it: see scripts/seeded.py."""

from pathlib import Path

from seeded import Fault

FILES, TESTS = Path(__file__).resolve().parent, "*_test.go"

FAULTS = (
    Fault("swapped arguments of a power", "power.go",
          "return C.moduli_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))\n\t})\n}\n\n// PowVartime",
          "return C.moduli_pow(p, pointer(out), length(out), pointer(e), length(e), pointer(x), length(x))\n\t})\n}\n\n// PowVartime",
          "TestModulusAgreesWithMathBig"),
    Fault("swapped arguments of a power modulo an even number", "even.go",
          "return C.moduli_even_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))",
          "return C.moduli_even_pow(p, pointer(out), length(out), pointer(e), length(e), pointer(x), length(x))",
          "TestEvenModuliAgreeWithMathBig"),
    Fault("a sign that is lost", "power.go", "check(call(p, out, bases, exponent, e.Sign() < 0))", "check(call(p, out, bases, exponent, false))",
          "TestModulusAgreesWithMathBig"),
    Fault("a negative base that is not reduced", "even.go", "\tif x.Sign() < 0 && m.value != nil {\n\t\tx = new(big.Int).Mod(x, m.value)\n\t}\n", "",
          "TestEvenModuliAgreeWithMathBig"),
    Fault("a negative number that is inverted without being reduced", "inverse.go", "if x.Sign() < 0 || x.Cmp(m) >= 0 {", "if x.CmpAbs(m) >= 0 {",
          "TestModulusAgreesWithMathBig"),
    Fault("a secret that is inverted as a public number", "even.go", "C.moduli_even_invert(p", "C.moduli_even_invert_vartime(p",
          "TestEvenModuliAgreeWithMathBig"),
    Fault("a secret exponent as a public one", "power.go", "return C.moduli_pow(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))\n\t})\n}\n\n// PowVartime",
          "return C.moduli_pow_vartime(p, pointer(out), length(out), pointer(x), length(x), pointer(e), length(e))\n\t})\n}\n\n// PowVartime",
          "TestNamesSayWhatIsVariableTime"),
    Fault("a missing wipe", "numbers.go", "\tclear(s.all)\n", "", "TestCopiesAreWiped"),
    Fault("a call of a closed handle", "handle.go", "\t\tif users >= closedFlag {\n\t\t\treturn ErrClosed\n\t\t}\n", "", "TestClosedHandlesFail"),
    Fault("a handle that is freed in use", "handle.go", "\t\t\tif users == 0 {\n\t\t\t\th.free(h.pointer)\n\t\t\t}\n", "\t\t\th.free(h.pointer)\n",
          "TestHandlesAreFreedOnceAndNeverInUse"),
    Fault("a handle that nobody frees", "handle.go", "\truntime.AddCleanup(object, (*handle).close, at.handle)\n", "\truntime.KeepAlive(object)\n",
          "TestHandlesAreFreedOnceAndNeverInUse"),
    Fault("a status that is not looked at", "errors.go", "if status == C.MODULI_STATUS_OK {", "if status == C.MODULI_STATUS_OK || status == C.MODULI_STATUS_NOT_INVERTIBLE {",
          "TestHostileInputsAreErrors"),
    Fault("nil taken for a number", "numbers.go", "\tif x == nil {\n\t\treturn refused(Parameter, \"%s is nil\", name)\n\t}\n", "", "TestHostileInputsAreErrors"),
)
