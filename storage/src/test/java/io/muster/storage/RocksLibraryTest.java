package io.muster.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RocksLibraryTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void load_leavesNoFile() throws IOException {
        RocksLibrary.load();

        List<String> mapped;
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            mapped = maps.filter(line -> line.contains("librocksdbjni")).toList();
        }
        assertThat(mapped).isNotEmpty().allSatisfy(line -> assertThat(line).endsWith("(deleted)"));
    }
}
