package org.moduli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Finds the native library: the file that the system property {@code moduli.library} names, otherwise the resource
 * for this platform, unpacked to a temporary folder that only the user can access.
 */
final class Library {
    private static final String UNPACKED = " (unpacked to the folder that java.io.tmpdir names, which must allow"
            + " execution; the system property moduli.library names a file of your own instead)";

    private Library() {}

    static SymbolLookup load() {
        String path = System.getProperty("moduli.library");
        if (path != null) {
            return open(Path.of(path), ", which the system property moduli.library names");
        }
        String name = fileName();
        String resource = "native/" + platform() + "/" + name;
        try (InputStream in = Library.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new UnsatisfiedLinkError("moduli has no native library for this platform: org/moduli/" + resource
                        + " is not in the jar; the system property moduli.library names a file of your own");
            }
            // Only the user can access this folder: createTempDirectory gives others no permissions.
            Path folder = Files.createTempDirectory("moduli-");
            Path file = folder.resolve(name);
            try {
                Files.copy(in, file);
                return open(file, UNPACKED);
            } finally {
                remove(file);
                remove(folder);
            }
        } catch (IOException e) {
            throw failure("moduli cannot unpack its native library" + UNPACKED, e.toString(), e);
        }
    }

    private static SymbolLookup open(Path file, String origin) {
        try {
            return SymbolLookup.libraryLookup(file.toAbsolutePath(), Arena.global());
        } catch (IllegalArgumentException e) {
            throw failure("moduli cannot load its native library " + file + origin, reason(file), e);
        }
    }

    /** Returns the reason why the system does not load a file; libraryLookup does not report it. */
    private static String reason(Path file) {
        try {
            System.load(file.toAbsolutePath().toString());
            return "SymbolLookup cannot open it";
        } catch (UnsatisfiedLinkError e) {
            return e.getMessage();
        }
    }

    private static UnsatisfiedLinkError failure(String what, String why, Exception cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(what + ": " + why);
        error.initCause(cause);
        return error;
    }

    /** Removes the unpacked file. If the system cannot remove a file in use, it is removed when the JVM ends. */
    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    /** Returns the name of this platform, such as linux-x86_64, macos-aarch64 or windows-x86_64. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String os = system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "macos" : system;
        return os + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }

    private static String fileName() {
        return System.mapLibraryName("moduli");
    }
}
