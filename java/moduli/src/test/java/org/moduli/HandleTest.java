package org.moduli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that handles can be closed and shared, and that memory is wiped. */
@Timeout(60)
class HandleTest {
    private static final BigInteger PRIME = BigInteger.TWO.pow(2203).subtract(BigInteger.ONE);

    @Test
    void closedHandlesThrow() {
        Modulus p = Modulus.of(PRIME);
        FixedBase g = FixedBase.build(p, BigInteger.TEN, 64, 1 << 16, Secrecy.SECRET);
        CrtModulus n = CrtModulus.of(BigInteger.valueOf(1000003), PRIME, 1);
        Modulus ofN = n.modulus();
        for (int i = 0; i < 3; i++) {
            p.close();
            g.close();
            n.close();
        }
        BigInteger one = BigInteger.ONE;
        for (Callable<?> call : List.<Callable<?>>of(() -> p.pow(one, one), () -> p.pow(one, one.negate()), () -> p.powVartime(one, one),
                () -> p.pow(new byte[1], new byte[1]), () -> p.reduce(one), () -> p.multiply(one, one), () -> p.invert(one),
                () -> p.multiPow(List.of(one), List.of(one)), () -> p.powBatch(List.of(one), List.of(one)), () -> p.jacobiVartime(one),
                p::kernel, () -> FixedBase.build(p, one, 8, 4096, Secrecy.SECRET), () -> g.pow(one), () -> g.powVartime(one),
                () -> g.powBatch(List.of(one)), g::tableBytes, g::method, () -> n.pow(one, one), () -> ofN.pow(one, one))) {
            assertThrows(IllegalStateException.class, call::call);
        }
        assertEquals(PRIME, p.value());
    }

    /** One thread closes while others compute: each call returns the correct result or says that the handle is closed. */
    @Test
    void closingWhileOthersComputeHarmsNobody() throws Exception {
        BigInteger e = BigInteger.valueOf(12345);
        BigInteger expected = BigInteger.TEN.modPow(e, PRIME);
        AtomicInteger computed = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (Modulus p = Modulus.of(PRIME); ExecutorService pool = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 150; round++) {
                FixedBase g = FixedBase.build(p, BigInteger.TEN, 64, 1 << 14, Secrecy.SECRET);
                Modulus other = Modulus.of(PRIME);
                CountDownLatch begun = new CountDownLatch(2);
                List<Future<?>> all = new ArrayList<>();
                for (int thread = 0; thread < 3; thread++) {
                    all.add(pool.submit(() -> {
                        try {
                            for (;;) {
                                assertEquals(expected, g.pow(e));
                                assertEquals(expected, other.pow(BigInteger.TEN, e));
                                computed.incrementAndGet();
                                begun.countDown();
                            }
                        } catch (IllegalStateException closed) {
                            refused.incrementAndGet();
                        } finally {
                            begun.countDown();
                            begun.countDown();
                        }
                    }));
                }
                begun.await();
                g.close();
                other.close();
                for (Future<?> one : all) {
                    one.get();
                }
            }
        }
        assertEquals(450, refused.get());
        assertTrue(computed.get() > 0);
    }

    private static final AtomicLong FREED = new AtomicLong();

    static void count(MemorySegment address) {
        FREED.addAndGet(address.address());
    }

    private static final class Counted extends Handle {
        Counted() throws ReflectiveOperationException {
            super(MemorySegment.ofAddress(1), MethodHandles.lookup().findStatic(HandleTest.class, "count",
                    MethodType.methodType(void.class, MemorySegment.class)));
        }
    }

    /** A handle is not freed while it is used, is freed once, and is freed by the cleaner if nobody closes it. */
    @Test
    void freesOnceAndNeverInUse() throws Exception {
        FREED.set(0);
        Counted handle = new Counted();
        assertEquals("inside", handle.use(address -> {
            handle.close();
            assertEquals(0, FREED.get());
            assertThrows(IllegalStateException.class, () -> handle.use(again -> 1));
            return "inside";
        }));
        assertEquals(1, FREED.get());
        handle.close();
        assertEquals(1, FREED.get());
        assertThrows(ArithmeticException.class, () -> new Counted().use(address -> {
            throw new ArithmeticException();
        }));
        for (int i = 0; i < 100 && FREED.get() < 2; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertEquals(2, FREED.get());
    }

    @Test
    void threadsShareHandles() {
        try (Modulus p = Modulus.of(PRIME); FixedBase g = FixedBase.build(p, BigInteger.TWO, 64, 1 << 16, Secrecy.PUBLIC)) {
            IntStream.range(0, 400).parallel().forEach(i -> {
                BigInteger e = BigInteger.valueOf(i * 77777L);
                BigInteger expected = BigInteger.TWO.modPow(e, PRIME);
                assertEquals(expected, g.pow(e));
                assertEquals(expected, p.powVartime(BigInteger.TWO, e));
                // The message of an error must be that of its thread.
                assertThrows(ArithmeticException.class, () -> p.invert(BigInteger.ZERO));
            });
        }
    }

    /** Memory is all zeros when it is returned to the system, whatever the call, and whether or not it failed. */
    @Test
    void numbersAreWipedInNativeMemory() {
        List<byte[]> returned = new ArrayList<>();
        BigInteger x = PRIME.shiftRight(1);
        try (Modulus p = Modulus.of(PRIME);
                FixedBase g = FixedBase.build(p, BigInteger.TEN, 64, 1 << 16, Secrecy.SECRET);
                CrtModulus n = CrtModulus.of(BigInteger.valueOf(1000003), BigInteger.valueOf(1000033), 1);
                EvenModulus even = EvenModulus.of(PRIME.shiftLeft(70))) {
            Thread here = Thread.currentThread();
            Scratch.observer = memory -> {
                if (Thread.currentThread() == here) {
                    returned.add(memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                }
            };
            p.pow(x, x);
            p.pow(x, x.negate());
            p.pow(x.toByteArray(), x.toByteArray());
            p.powVartime(x, x);
            p.reduce(x);
            p.multiply(x, x);
            p.invert(x);
            p.multiPow(List.of(x, x), List.of(x, x.negate()));
            p.powBatch(List.of(x), List.of(x));
            p.jacobiVartime(x);
            g.pow(x);
            g.pow(BigInteger.ONE.negate());
            g.powVartime(x);
            g.powBatch(List.of(BigInteger.ONE));
            n.pow(x, x);
            even.pow(x, x);
            even.invert(x);
            even.invertVartime(x);
            CrtModulus.of(BigInteger.valueOf(1000003), BigInteger.valueOf(1000033), 1).close();
            assertThrows(ArithmeticException.class, () -> p.invert(PRIME));
        } finally {
            Scratch.observer = null;
        }
        assertEquals(20, returned.size());
        for (byte[] memory : returned) {
            for (byte one : memory) {
                assertEquals(0, one);
            }
        }
    }

    /** Looks at the memory before it is wiped. This shows that the test before looks at the right place. */
    @Test
    void scratchMemoryIsWiped() {
        boolean[] seen = new boolean[1];
        Thread here = Thread.currentThread();
        try {
            Scratch scratch = new Scratch(16);
            MemorySegment memory = scratch.take(16);
            Numbers.write(memory, new BigInteger(1, "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            assertEquals('f', memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 15));
            Scratch.observer = wiped -> {
                if (Thread.currentThread() == here) {
                    seen[0] = wiped.byteSize() == 16 && memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 15) == 0;
                }
            };
            scratch.close();
        } finally {
            Scratch.observer = null;
        }
        assertTrue(seen[0]);
    }
}
