"""Seeded faults in the package for the JVM, and the tests that must catch each: see scripts/seeded.py."""

from seeded import Fault

SOURCE = "moduli/src/main/java/org/moduli/"

FAULTS = (
    Fault("a secret exponent as a public one", SOURCE + "EvenModulus.java", "power(Native.EVEN_POW, ", "power(Native.EVEN_POW_VARTIME, ",
          "NamesTest.namesSayWhatIsVariableTime"),
    Fault("a missing wipe", SOURCE + "Scratch.java", "        all.fill((byte) 0);\n", "", "HandleTest.numbersAreWipedInNativeMemory"),
    Fault("a call of a closed handle", SOURCE + "Handle.java", '            if (before < 0) {\n                throw new IllegalStateException("closed");\n            }\n',
          "", "HandleTest.freesOnceAndNeverInUse"),
    Fault("a handle that is freed in use", SOURCE + "Handle.java", "if (users.getAndUpdate(count -> count | CLOSED) == 0) {",
          "if (users.getAndUpdate(count -> count | CLOSED) >= 0) {", "HandleTest.freesOnceAndNeverInUse"),
)
