package org.moduli;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Cleaner;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handle of the native library that threads share. Closing does not wait: running calls finish, later calls throw,
 * and the last running call frees the handle. A handle that is never closed is freed some time after it becomes
 * unreachable.
 */
abstract class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final State state;
    private final Cleaner.Cleanable cleanable;

    Handle(MemorySegment address, MethodHandle free) {
        state = new State(address, free);
        cleanable = CLEANER.register(this, state);
    }

    /** A call that uses the handle. */
    @FunctionalInterface
    interface Call<T> {
        T with(MemorySegment address) throws Throwable;
    }

    /**
     * Runs a call with the handle, which is not freed meanwhile.
     *
     * @throws IllegalStateException if it is closed
     */
    final <T> T use(Call<T> call) {
        state.enter();
        try {
            return call.with(state.address);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        } finally {
            state.leave();
        }
    }

    /** A native call with two numbers and a result. */
    @FunctionalInterface
    interface Power {
        int of(MemorySegment handle, MemorySegment out, MemorySegment x, MemorySegment e) throws Throwable;
    }

    /** Runs the call with x, which must not be negative, and |e| in `width` bytes. The result has `size` bytes. */
    final BigInteger power(int size, BigInteger x, BigInteger e, int width, Power call) {
        int xWidth = Numbers.width(size, x);
        int eWidth = Numbers.checked("e", width);
        try (Scratch scratch = new Scratch((long) size + xWidth + eWidth)) {
            MemorySegment out = scratch.take(size);
            MemorySegment xs = scratch.take(xWidth);
            MemorySegment es = scratch.take(eWidth);
            Numbers.write(xs, x);
            Numbers.write(es, e);
            Native.check(use(address -> call.of(address, out, xs, es)));
            return Numbers.read(out);
        }
    }

    /** Runs the function with x, which must not be negative. The result has `size` bytes. */
    final BigInteger unary(int size, MethodHandle function, BigInteger x) {
        int width = Numbers.width(size, x);
        try (Scratch scratch = new Scratch((long) size + width)) {
            MemorySegment out = scratch.take(size);
            MemorySegment bytes = scratch.take(width);
            Numbers.write(bytes, x);
            Native.check(use(address -> (int) function.invokeExact(address, out, out.byteSize(), bytes, bytes.byteSize())));
            return Numbers.read(out);
        }
    }

    /** Wipes secrets in the native memory and frees it as soon as no call uses it. Closing twice has no effect. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** The state of a handle. It does not refer to the Handle: the cleaner runs it once that is unreachable. */
    private static final class State implements Runnable {
        /** The bit of `users` that says the handle is closed. With no running call beside it, the handle can be freed. */
        private static final int CLOSED = Integer.MIN_VALUE;

        private final MemorySegment address;
        private final MethodHandle free;
        private final AtomicInteger users = new AtomicInteger();

        State(MemorySegment address, MethodHandle free) {
            this.address = address;
            this.free = free;
        }

        void enter() {
            int before = users.getAndUpdate(count -> count < 0 ? count : count + 1);
            if (before < 0) {
                throw new IllegalStateException("closed");
            }
        }

        void leave() {
            if (users.decrementAndGet() == CLOSED) {
                free();
            }
        }

        /** Closes the handle. Called once, by close or by the cleaner. */
        @Override
        public void run() {
            if (users.getAndUpdate(count -> count | CLOSED) == 0) {
                free();
            }
        }

        private void free() {
            try {
                free.invokeExact(address);
            } catch (Throwable e) {
                throw Native.unexpected(e);
            }
        }
    }
}
