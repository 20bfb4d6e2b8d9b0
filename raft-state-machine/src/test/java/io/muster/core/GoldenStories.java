package io.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Plays the stories of a folder and compares all that happened with what their files say. Run with {@code -Dgolden.update=true} to
 * write the files anew, and review the difference.
 */
public final class GoldenStories {
    private GoldenStories() {}

    /** @param play gives a script again, with what followed each step */
    public static List<DynamicTest> of(Path folder, UnaryOperator<String> play) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted()
                    .map(file -> DynamicTest.dynamicTest(String.valueOf(file.getFileName()), () -> check(file, play)))
                    .toList();
        }
    }

    private static void check(Path file, UnaryOperator<String> play) throws IOException {
        String written = Files.readString(file);
        String played = play.apply(written);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, played);
        }
        assertThat(played).isEqualTo(written);
    }
}
