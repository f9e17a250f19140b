package org.moduli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final Pattern METHOD = Pattern.compile("^    (?:public |private |static |final )*[\\w<>\\[\\]]+ (\\w+)\\(.*");
    private static final Pattern FUNCTION = Pattern.compile("Native\\.([A-Z_]+)\\b");

    /** Methods call functions that are variable-time in secrets if and only if their names say so. */
    @Test
    void namesSayWhatIsVariableTime() throws IOException {
        int calls = 0;
        for (String name : List.of("Modulus", "EvenModulus", "FixedBase", "CrtModulus")) {
            String method = "";
            for (String line : Files.readAllLines(Path.of("src/main/java/org/moduli/" + name + ".java"))) {
                Matcher head = METHOD.matcher(line);
                if (head.matches()) {
                    method = head.group(1);
                }
                Matcher call = FUNCTION.matcher(line);
                while (call.find()) {
                    calls++;
                    assertEquals(method.endsWith("Vartime"), call.group(1).endsWith("_VARTIME"), name + "." + method + ": " + call.group(1));
                }
            }
        }
        assertTrue(calls > 20, calls + " calls found");
    }
}
