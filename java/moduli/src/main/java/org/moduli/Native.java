package org.moduli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions of {@code moduli.h} that the package calls. Loading this class loads the native library. Letters
 * denote the types of their arguments: p is a pointer, b a buffer (a pointer and its length or the width of its
 * rows), n a count, i an int of 32 bits, y a byte.
 */
final class Native {
    /** MODULI_MAX_NUMBER_BYTES. */
    static final int MAX_NUMBER_BYTES = 65536;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY = Library.load();

    static final MethodHandle MODULUS_NEW = status("moduli_modulus_new", "pb");
    static final MethodHandle MODULUS_FREE = function(null, "moduli_modulus_free", "p");
    static final MethodHandle MODULUS_KERNEL = function(ADDRESS, "moduli_modulus_kernel", "p");
    static final MethodHandle MODULUS_SIZE = function(JAVA_LONG, "moduli_modulus_size", "p");
    static final MethodHandle MODULUS_BYTES = status("moduli_modulus_bytes", "pb");
    static final MethodHandle REDUCE = status("moduli_reduce", "pbb");
    static final MethodHandle MUL = status("moduli_mul", "pbbb");
    static final MethodHandle INVERT = status("moduli_invert", "pbb");
    static final MethodHandle INVERT_VARTIME = status("moduli_invert_vartime", "pbb");
    static final MethodHandle POW = status("moduli_pow", "pbbb");
    static final MethodHandle POW_SIGNED = status("moduli_pow_signed", "pbbby");
    static final MethodHandle POW_VARTIME = status("moduli_pow_vartime", "pbbb");
    static final MethodHandle POW_BATCH = status("moduli_pow_batch", "ppbbbpn");
    static final MethodHandle MULTI_POW = status("moduli_multi_pow", "pbbbpn");
    static final MethodHandle MULTI_POW_VARTIME = status("moduli_multi_pow_vartime", "pbbbpn");
    static final MethodHandle JACOBI_VARTIME = status("moduli_jacobi_vartime", "ppb");
    static final MethodHandle FIXED_BASE_BUILD = status("moduli_fixed_base_build", "ppbbini");
    static final MethodHandle FIXED_BASE_FREE = function(null, "moduli_fixed_base_free", "p");
    static final MethodHandle FIXED_BASE_TABLE_BYTES = function(JAVA_LONG, "moduli_fixed_base_table_bytes", "p");
    static final MethodHandle FIXED_BASE_METHOD = function(ADDRESS, "moduli_fixed_base_method", "p");
    static final MethodHandle FIXED_BASE_POW = status("moduli_fixed_base_pow", "pbb");
    static final MethodHandle FIXED_BASE_POW_SIGNED = status("moduli_fixed_base_pow_signed", "pbby");
    static final MethodHandle FIXED_BASE_POW_LONG = status("moduli_fixed_base_pow_long", "pbb");
    static final MethodHandle FIXED_BASE_POW_LONG_VARTIME = status("moduli_fixed_base_pow_long_vartime", "pbb");
    static final MethodHandle FIXED_BASE_POW_BATCH = status("moduli_fixed_base_pow_batch", "ppbbpn");
    static final MethodHandle CRT_MODULUS_NEW = status("moduli_crt_modulus_new", "pbbi");
    static final MethodHandle CRT_MODULUS_FREE = function(null, "moduli_crt_modulus_free", "p");
    static final MethodHandle CRT_MODULUS_PUBLIC = status("moduli_crt_modulus_public", "pp");
    static final MethodHandle CRT_POW = status("moduli_crt_pow", "pbbb");
    static final MethodHandle CRT_POW_SIGNED = status("moduli_crt_pow_signed", "pbbby");
    static final MethodHandle EVEN_MODULUS_NEW = status("moduli_even_modulus_new", "pb");
    static final MethodHandle EVEN_MODULUS_FREE = function(null, "moduli_even_modulus_free", "p");
    static final MethodHandle EVEN_POW = status("moduli_even_pow", "pbbb");
    static final MethodHandle EVEN_POW_VARTIME = status("moduli_even_pow_vartime", "pbbb");
    static final MethodHandle EVEN_INVERT = status("moduli_even_invert", "pbb");
    static final MethodHandle EVEN_INVERT_VARTIME = status("moduli_even_invert_vartime", "pbb");
    private static final MethodHandle LAST_ERROR = function(ADDRESS, "moduli_last_error", "");
    private static final MethodHandle STATUS_MESSAGE = function(ADDRESS, "moduli_status_message", "i");
    private static final MethodHandle VERSION = function(ADDRESS, "moduli_version", "");

    private Native() {}

    private static MethodHandle status(String name, String arguments) {
        return function(JAVA_INT, name, arguments);
    }

    private static MethodHandle function(MemoryLayout result, String name, String arguments) {
        List<MemoryLayout> layouts = new ArrayList<>();
        for (char letter : arguments.toCharArray()) {
            switch (letter) {
                case 'p' -> layouts.add(ADDRESS);
                case 'b' -> layouts.addAll(List.of(ADDRESS, JAVA_LONG));
                case 'n' -> layouts.add(JAVA_LONG);
                case 'i' -> layouts.add(JAVA_INT);
                case 'y' -> layouts.add(JAVA_BYTE);
                default -> throw new IllegalArgumentException(arguments);
            }
        }
        MemoryLayout[] all = layouts.toArray(MemoryLayout[]::new);
        MemorySegment address = LIBRARY.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the native library has no function " + name));
        return LINKER.downcallHandle(address,
                result == null ? FunctionDescriptor.ofVoid(all) : FunctionDescriptor.of(result, all));
    }

    /** Reads a text that a function returns. The text is valid as long as the handle, or always. */
    static String text(MemorySegment start) {
        return start.reinterpret(Long.MAX_VALUE).getString(0);
    }

    static String version() {
        try {
            return text((MemorySegment) VERSION.invokeExact());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Throws the exception for a status, with the message that the C library keeps for this thread. */
    static void check(int status) {
        if (status == 0) {
            return;
        }
        String message;
        try {
            message = text((MemorySegment) LAST_ERROR.invokeExact());
            if (message.isEmpty()) {
                message = text((MemorySegment) STATUS_MESSAGE.invokeExact(status));
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
        throw switch (status) {
            // MODULUS, NOT_INVERTIBLE: the exception that BigInteger throws.
            case 4, 7 -> new ArithmeticException(message);
            // LENGTH, BASE_ZERO, EXPONENT_TOO_LONG, MODULUS_MISMATCH, BUDGET_TOO_SMALL, PARAMETER.
            case 2, 5, 6, 8, 9, 10 -> new IllegalArgumentException(message);
            default -> new ModuliException(status, message);
        };
    }

    /** Converts an exception of a method handle: it declares Throwable, but throws only unchecked exceptions. */
    static RuntimeException unexpected(Throwable e) {
        return switch (e) {
            case RuntimeException exception -> exception;
            case Error error -> throw error;
            default -> new IllegalStateException(e);
        };
    }
}
