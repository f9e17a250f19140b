"""Seeded faults in the package for the JVM, each with the test that must catch it: see scripts/seeded.py."""

from pathlib import Path

from seeded import Fault

FILES, TESTS = Path(__file__).resolve().parent, "moduli/src/test/java/**/*.java"
SOURCE = "moduli/src/main/java/org/moduli/"

MODULUS, EVEN, NUMBERS = SOURCE + "Modulus.java", SOURCE + "EvenModulus.java", SOURCE + "Numbers.java"
POWERS, BATCHES = "ModulusTest agreesWithBigInteger", "ModulusTest batchesAndProductsAgreeWithBigInteger"

FAULTS = (
    Fault("swapped arguments of a power", MODULUS, 'return binary(Native.POW, base("x", x), e, width);', 'return binary(Native.POW, e, base("x", x), Numbers.words(base("x", x)));', POWERS),
    Fault("swapped arguments of a power modulo an even number", EVEN, "out.byteSize(), xs, xs.byteSize(), es, es.byteSize())", "out.byteSize(), es, es.byteSize(), xs, xs.byteSize())",
          "ModulusTest powersAndInversesModuloEvenNumbersAgreeWithBigInteger"),
    Fault("swapped arguments of a product", MODULUS, "out.byteSize(), rows.x, (long) rows.xWidth, rows.e,\n                    (long) rows.eWidth,",
          "out.byteSize(), rows.e, (long) rows.eWidth, rows.x,\n                    (long) rows.xWidth,", BATCHES),
    Fault("a sign that is lost", MODULUS, "es.byteSize(), (byte) 1));", "es.byteSize(), (byte) 0));", POWERS),
    Fault("signs that are lost", MODULUS, "exponents.get(i).signum() < 0 ? 1 : 0", "exponents.get(i).signum() < 0 ? 0 : 0", BATCHES),
    Fault("a batch that loses its last row", NUMBERS, "for (int i = 0; i < count; i++) {", "for (int i = 0; i < count - 1; i++) {", BATCHES),
    Fault("a secret that is inverted as a public number", MODULUS, 'unary(size, Native.INVERT, base("x", x))', 'unary(size, Native.INVERT_VARTIME, base("x", x))',
          "ModulusTest saysTheCommonFactorOfPublicValuesAlone"),
    Fault("a secret exponent as a public one", EVEN, "power(Native.EVEN_POW, ", "power(Native.EVEN_POW_VARTIME, ",
          "NamesTest namesSayWhatIsVariableTime"),
    Fault("a missing wipe", SOURCE + "Scratch.java", "        all.fill((byte) 0);\n", "", "HandleTest numbersAreWipedInNativeMemory"),
    Fault("a call of a closed handle", SOURCE + "Handle.java", '            if (before < 0) {\n                throw new IllegalStateException("closed");\n            }\n',
          "", "HandleTest freesOnceAndNeverInUse"),
    Fault("a handle that is freed in use", SOURCE + "Handle.java", "if (users.getAndUpdate(count -> count | CLOSED) == 0) {",
          "if (users.getAndUpdate(count -> count | CLOSED) >= 0) {", "HandleTest freesOnceAndNeverInUse"),
)
