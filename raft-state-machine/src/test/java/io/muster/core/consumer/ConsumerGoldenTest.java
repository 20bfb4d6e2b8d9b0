package io.muster.core.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays each story in {@code golden/consumer} and compares all that happened with what the file says. Run with
 * {@code -Dgolden.update=true} to write the files anew, and review the difference.
 */
class ConsumerGoldenTest {
    private static final Path STORIES = Path.of("src", "test", "resources", "golden", "consumer");

    @TestFactory
    List<DynamicTest> story_played_happensAsWritten() throws IOException {
        try (Stream<Path> files = Files.list(STORIES)) {
            return files.sorted()
                    .map(file -> DynamicTest.dynamicTest(String.valueOf(file.getFileName()), () -> check(file)))
                    .toList();
        }
    }

    private static void check(Path file) throws IOException {
        String written = Files.readString(file);
        String played = ConsumerStoryScript.play(written);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, played);
        }
        assertThat(played).isEqualTo(written);
    }
}
