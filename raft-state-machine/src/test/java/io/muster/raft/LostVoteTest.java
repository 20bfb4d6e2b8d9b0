package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that have their log and have lost their term and vote, as a full disk leaves them. */
@Timeout(120)
final class LostVoteTest {
    @TempDir
    Path dir;

    @Test
    void twoOfThree_startAgain_andServe() throws IOException {
        try (NodesInProcess nodes = NodesInProcess.found(dir, 3)) {
            // Given
            nodes.write(1);
            nodes.awaitEqualStores();
            List<String> full = List.of(nodes.leader(), nodes.follower());
            for (String id : full) {
                nodes.kill(id);
                nodes.emptyMetadata(id);
            }

            // When
            full.stream().map(nodes::starting).toList().forEach(CompletableFuture::join);

            // Then
            nodes.write(2);
            nodes.awaitEqualStores();
            full.forEach(
                    id -> assertThat(nodes.directory(id).resolve("set-aside")).doesNotExist());
        }
    }

    @Test
    void all_startAgain_andServe() throws IOException {
        try (NodesInProcess nodes = NodesInProcess.found(dir, 3)) {
            // Given
            nodes.write(1);
            nodes.awaitEqualStores();
            for (String id : nodes.ids()) {
                nodes.kill(id);
                nodes.emptyMetadata(id);
            }

            // When
            nodes.startAll();

            // Then
            assertThat(nodes.records(nodes.leader())).containsExactly(NodesInProcess.epoch(1));
            nodes.write(2);
            nodes.awaitEqualStores();
        }
    }

    @Test
    void singleNode_startsAgain_andServes() throws IOException {
        try (NodesInProcess nodes = NodesInProcess.found(dir, 1)) {
            // Given
            nodes.write(1);
            nodes.kill("n1");
            nodes.emptyMetadata("n1");

            // When
            nodes.start("n1");

            // Then
            nodes.write(2);
            assertThat(nodes.records("n1")).containsExactly(NodesInProcess.epoch(2));
        }
    }

    @Test
    void missingFile_besideAStoreThatWasNeverFlushed_costsNoEntry() throws IOException {
        try (NodesInProcess nodes = NodesInProcess.found(dir, 1)) {
            // Given a log and nothing else
            nodes.write(1);
            nodes.kill("n1");
            nodes.deleteMetadata("n1");
            FileTrees.delete(nodes.directory("n1").resolve("stores"));

            // When
            nodes.start("n1");

            // Then
            nodes.leader();
            assertThat(nodes.records("n1")).containsExactly(NodesInProcess.epoch(1));
        }
    }
}
