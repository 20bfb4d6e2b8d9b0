package io.muster.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchivesTest {
    @TempDir
    private Path cache;

    @Test
    void useOrWrite_withoutCache_addsNothing() {
        ClassArchives archives = new ClassArchives("");

        assertThat(archives.useOrWrite("node")).isEmpty();
        assertThat(archives.use("node")).isEmpty();
    }

    @Test
    void useOrWrite_firstRun_writesUnderAnotherNameThanItUses() {
        ClassArchives archives = new ClassArchives(cache.resolve("1").toString());

        assertThat(archives.use("node")).isEmpty();
        assertThat(archives.useOrWrite("node"))
                .first()
                .asString()
                .startsWith("-XX:ArchiveClassesAtExit=" + cache.resolve("1-node.jsa."))
                .endsWith(ProcessHandle.current().pid() + ".new");
    }

    @Test
    void useOrWrite_withArchiveOfItsKind_usesIt() throws IOException {
        Path archive = Files.createFile(cache.resolve("1-node.jsa"));
        ClassArchives archives = new ClassArchives(cache.resolve("1").toString());

        assertThat(archives.useOrWrite("node")).containsExactly("-XX:SharedArchiveFile=" + archive);
        assertThat(archives.use("kafka")).isEmpty();
    }
}
