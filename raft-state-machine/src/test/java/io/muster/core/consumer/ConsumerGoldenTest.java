package io.muster.core.consumer;

import io.muster.core.GoldenStories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ConsumerGoldenTest {
    @TestFactory
    List<DynamicTest> story_played_happensAsWritten() throws IOException {
        return GoldenStories.of(
                Path.of("src", "test", "resources", "golden", "consumer"),
                script -> new ConsumerStoryScript().play(script));
    }
}
