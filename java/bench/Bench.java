import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.moduli.FixedBase;
import org.moduli.Moduli;
import org.moduli.Modulus;
import org.moduli.Secrecy;

/**
 * Compares moduli with BigInteger.modPow: checks that results are equal, then measures both alternately, in one process. Each
 * figure is the median of the ratios of successive rounds, with the lower and upper quartiles. Prints Markdown.
 */
final class Bench {
    private static final int ROUNDS = 21;

    /** The number of rounds if BigInteger needs more than LONG seconds. */
    private static final int FEW_ROUNDS = 7;
    private static final double LONG = 0.4;

    /** The least seconds of a round of one of the two. */
    private static final double SECONDS = 0.03;

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(1);
        System.out.println("| operation | bits | `BigInteger.modPow` | moduli | times faster | quartiles |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (int bits : new int[] {2048, 3072, 4096}) {
            BigInteger p = BigInteger.TWO.pow(bits).subtract(new BigInteger(bits - 9, random).setBit(0));
            // A new base and exponent for every call: nothing can be kept from one to the next.
            List<BigInteger> x = numbers(64, bits, random);
            List<BigInteger> e = numbers(64, bits, random);
            List<BigInteger> shorter = numbers(64, 256, random);
            try (Modulus modulus = Modulus.of(p);
                    FixedBase table256 = FixedBase.build(modulus, x.get(0), 256, 1 << 20, Secrecy.SECRET);
                    FixedBase full = FixedBase.build(modulus, x.get(0), bits, 32 << 20, Secrecy.SECRET);
                    FixedBase fullPublic = FixedBase.build(modulus, x.get(0), bits, 32 << 20, Secrecy.PUBLIC)) {
                BigInteger base = x.get(0);
                compare("x^e, public", bits, i -> x.get(i).modPow(e.get(i), p), i -> modulus.powVartime(x.get(i), e.get(i)));
                compare("x^e, secret", bits, i -> x.get(i).modPow(e.get(i), p), i -> modulus.pow(x.get(i), e.get(i)));
                compare("x^e, e of 256 bits, secret", bits, i -> x.get(i).modPow(shorter.get(i), p),
                        i -> modulus.pow(x.get(i), shorter.get(i)));
                compare("g^e, e of 256 bits, a table of 1 MiB, secret", bits, i -> base.modPow(shorter.get(i), p),
                        i -> table256.pow(shorter.get(i)));
                compare("g^e, a table of 32 MiB, secret", bits, i -> base.modPow(e.get(i), p), i -> full.pow(e.get(i)));
                compare("g^e, a table of 32 MiB, public", bits, i -> base.modPow(e.get(i), p), i -> fullPublic.powVartime(e.get(i)));
                List<BigInteger> bases = x.subList(0, 50);
                compare("product of 50 powers, e of 256 bits, public", bits, i -> product(bases, turned(shorter, i), p),
                        i -> modulus.multiPowVartime(bases, turned(shorter, i)));
                compare("product of 50 powers, public", bits, i -> product(bases, turned(e, i), p),
                        i -> modulus.multiPowVartime(bases, turned(e, i)));
            }
        }
        System.out.println();
        System.out.println(processor() + ", one core; kernel " + kernel() + "; moduli " + Moduli.version() + "; "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + "; " + System.getProperty("os.name") + ", "
                + java.time.LocalDate.now() + ".");
    }

    private interface Call {
        BigInteger with(int i);
    }

    private static List<BigInteger> numbers(int count, int bits, Random random) {
        List<BigInteger> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new BigInteger(bits - 1, random).setBit(bits - 2));
        }
        return all;
    }

    private static List<BigInteger> turned(List<BigInteger> all, int by) {
        List<BigInteger> turned = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            turned.add(all.get((i + by) % all.size()));
        }
        return turned;
    }

    private static BigInteger product(List<BigInteger> x, List<BigInteger> e, BigInteger p) {
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < x.size(); i++) {
            product = product.multiply(x.get(i).modPow(e.get(i), p)).mod(p);
        }
        return product;
    }

    private static void compare(String what, int bits, Call theirs, Call ours) {
        for (int i = 0; i < 3; i++) {
            if (!theirs.with(i).equals(ours.with(i))) {
                throw new AssertionError(what + ": results differ");
            }
        }
        // This also runs both long enough to be compiled.
        int theirCalls = calls(theirs);
        int ourCalls = calls(ours);
        int rounds = time(theirs, 1) > LONG ? FEW_ROUNDS : ROUNDS;
        double[] their = new double[rounds];
        double[] our = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            their[round] = time(theirs, theirCalls);
            our[round] = time(ours, ourCalls);
            ratios[round] = their[round] / our[round];
        }
        Arrays.sort(their);
        Arrays.sort(our);
        Arrays.sort(ratios);
        System.out.printf(java.util.Locale.ROOT, "| %s | %d | %s | %s | **%.1f** | %.1f–%.1f |%n", what, bits, unit(their[rounds / 2]),
                unit(our[rounds / 2]), ratios[rounds / 2], ratios[rounds / 4], ratios[3 * rounds / 4]);
    }

    /** Returns the number of calls in a round, estimated by running calls for a third of a second. */
    private static int calls(Call call) {
        double one = time(call, 1);
        int warm = Math.clamp((int) (0.3 / one), 1, 3000);
        return Math.max(1, (int) Math.ceil(SECONDS / time(call, warm)));
    }

    /** Returns the seconds of one call. */
    private static double time(Call call, int times) {
        long begun = System.nanoTime();
        int signs = 0;
        for (int i = 0; i < times; i++) {
            signs += call.with(i % 64).signum();
        }
        if (signs < 0) {
            throw new AssertionError();
        }
        return (System.nanoTime() - begun) / 1e9 / times;
    }

    private static String unit(double seconds) {
        return seconds < 1e-3
                ? String.format(java.util.Locale.ROOT, "%.1f µs", seconds * 1e6)
                : String.format(java.util.Locale.ROOT, "%.2f ms", seconds * 1e3);
    }

    private static String kernel() {
        try (Modulus p = Modulus.of(BigInteger.TWO.pow(2048).subtract(BigInteger.ONE))) {
            return p.kernel();
        }
    }

    /** Returns the name, family and model of the processor. The name alone may not identify it. */
    private static String processor() throws java.io.IOException {
        String name = "";
        String family = "";
        String model = "";
        for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
            String[] parts = line.split("\\s*:\\s*", 2);
            switch (parts[0]) {
                case "model name" -> name = parts[1];
                case "cpu family" -> family = parts[1];
                case "model" -> model = parts[1];
                default -> { }
            }
        }
        return name + ", family " + family + ", model " + model;
    }
}
