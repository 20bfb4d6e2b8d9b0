package io.muster.cluster.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Commands of the operating system that need root. */
final class SystemCommand {
    private SystemCommand() {}

    /**
     * Runs a command and waits for its end.
     *
     * @param words separated by blanks
     * @throws UncheckedIOException with what the command said, if it fails or does not exist
     */
    static void run(String words) {
        try {
            Process process = new ProcessBuilder(List.of(words.split(" ")))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.onExit().join().exitValue() != 0) {
                throw new IOException(words + ": " + said.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
