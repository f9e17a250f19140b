package org.moduli;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Native memory for the numbers of one call, wiped before it is given back. */
final class Scratch implements AutoCloseable {
    /** For tests: gets the memory that is released. */
    static volatile Consumer<MemorySegment> observer;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment all;
    private long used;

    Scratch(long bytes) {
        all = arena.allocate(Math.max(bytes, 1), 8);
    }

    MemorySegment take(long bytes) {
        MemorySegment taken = all.asSlice(used, bytes);
        used += bytes;
        return taken;
    }

    @Override
    public void close() {
        all.fill((byte) 0);
        Consumer<MemorySegment> observer = Scratch.observer;
        if (observer != null) {
            observer.accept(all);
        }
        arena.close();
    }
}
