package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes in this process, on real disks and real sockets. */
@Timeout(180)
final class RatisNodeTest {
    @TempDir
    Path dir;

    private NodesInProcess nodes;

    @BeforeEach
    void found() throws IOException {
        nodes = NodesInProcess.found(dir, 3);
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
        assertThat(nodes.fatal()).isEmpty();
    }

    @Test
    void entries_reachAllNodes_alsoOneThatWasAway_andOneThatWasWiped() throws IOException {
        // Given
        nodes.write(1);
        nodes.awaitEqualStores();
        String away = nodes.follower();

        // When one is away for some entries
        nodes.stop(away);
        nodes.write(2);
        nodes.start(away);
        nodes.awaitEqualStores();

        // And one loses its disk after a snapshot; a new term begins a new segment, and the old one can be purged
        nodes.node(nodes.leader()).transferLeadership(0, "");
        nodes.write(2);
        String wiped = nodes.follower();
        nodes.stop(wiped);
        for (int epoch = 3; epoch < 13; epoch++) {
            nodes.write(epoch);
        }
        long index = nodes.node(nodes.leader()).takeSnapshot(0);
        FileTrees.delete(dir.resolve(wiped));
        nodes.start(wiped);
        nodes.write(13);

        // Then it has copied what only the leader's state could give
        nodes.awaitEqualStores();
        assertThat(nodes.node(wiped).status(0).snapshotIndex()).isGreaterThanOrEqualTo(index);
        assertThat(nodes.records(wiped)).containsExactly(NodesInProcess.epoch(13));
    }

    @Test
    void wipedNode_ofAQuietCluster_catchesUp() throws IOException {
        // Given
        nodes.write(1);
        nodes.awaitEqualStores();
        String wiped = nodes.follower();

        // When
        nodes.stop(wiped);
        FileTrees.delete(dir.resolve(wiped));
        nodes.start(wiped);

        // Then
        nodes.awaitEqualStores();
        assertThat(nodes.records(wiped)).containsExactly(NodesInProcess.epoch(1));
    }

    @Test
    void wipedNode_whileAnotherIsDown_takesNoPartAndElectsNobody() throws IOException {
        // Given an entry that the laggard has not got
        nodes.write(1);
        String laggard = nodes.follower();
        nodes.stop(laggard);
        nodes.write(2);
        String wiped = nodes.follower();
        String knowing = nodes.leader();

        // When the one that has it is gone, and the other that had it comes back empty
        nodes.stop(wiped);
        nodes.stop(knowing);
        FileTrees.delete(dir.resolve(wiped));
        CompletableFuture<Void> joined = nodes.starting(wiped);
        nodes.start(laggard);

        // Then nobody leads until it is back, and it leads
        await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(5)).until(() -> !nodes.isLed());
        assertThat(joined).isNotDone();
        nodes.start(knowing);
        joined.join();
        assertThat(nodes.records(nodes.leader())).containsExactly(NodesInProcess.epoch(2));
        nodes.write(3);
        nodes.awaitEqualStores();
    }

    @Test
    void nodeWhoseLogWasPutBack_fetchesEverythingAgain() throws IOException {
        // Given a copy of the first log beside a store that went on
        nodes.write(1);
        nodes.awaitEqualStores();
        String one = nodes.follower();
        nodes.stop(one);
        Path raft = dir.resolve(one).resolve("raft");
        copyTree(raft, dir.resolve("put-back"));
        nodes.start(one);
        nodes.write(2);
        nodes.awaitEqualStores();
        nodes.kill(one);
        FileTrees.delete(raft);
        Files.move(dir.resolve("put-back"), raft);

        // When
        nodes.start(one);

        // Then
        nodes.awaitEqualStores();
        assertThat(dir.resolve(one).resolve("set-aside")).isNotEmptyDirectory();
        nodes.write(3);
        nodes.awaitEqualStores();
    }

    @Test
    void nodeWhoseVoteIsLost_goesOnWithItsLog() throws IOException {
        // Given what a full disk leaves of a node's term and vote
        nodes.write(1);
        nodes.awaitEqualStores();
        String one = nodes.follower();
        nodes.kill(one);
        nodes.emptyMetadata(one);

        // When
        nodes.start(one);
        nodes.write(2);

        // Then
        nodes.awaitEqualStores();
        assertThat(dir.resolve(one).resolve("set-aside")).doesNotExist();
    }

    @Test
    void allNodes_closedAndReopened_goOnWhereTheyWere() throws IOException {
        nodes.write(1);
        for (String id : nodes.ids()) {
            nodes.stop(id);
        }
        for (String id : nodes.ids()) {
            nodes.start(id);
        }

        assertThat(nodes.records(nodes.leader())).containsExactly(NodesInProcess.epoch(1));
        nodes.write(2);
        nodes.awaitEqualStores();
    }

    @Test
    void nodes_killedAfterAFlushAndALeaderChange_comeBack() throws IOException {
        // Given stores that are ahead of the last snapshot by entries of two terms
        nodes.write(1);
        nodes.node(nodes.leader()).transferLeadership(0, "");
        nodes.write(2);
        nodes.awaitEqualStores();

        // When one and then all are killed
        String one = nodes.follower();
        nodes.kill(one);
        nodes.write(3);
        nodes.start(one);
        nodes.awaitEqualStores();
        for (String id : nodes.ids()) {
            nodes.kill(id);
        }
        for (String id : nodes.ids()) {
            nodes.start(id);
        }

        // Then
        nodes.write(4);
        nodes.awaitEqualStores();
        assertThat(nodes.records(nodes.leader())).containsExactly(NodesInProcess.epoch(4));
    }

    @Test
    void leadership_moves_andAnEntryOfAnotherTermChangesNothing() throws IOException {
        // Given
        nodes.write(1);
        String before = nodes.leader();
        long oldTerm = nodes.term(before);

        // When
        nodes.node(before).transferLeadership(0, "");
        String after = nodes.leader();

        // Then
        assertThat(after).isNotEqualTo(before);
        assertThat(nodes.node(after).log(0).confirmLeadership(nodes.term(after)).join())
                .isTrue();
        assertThat(nodes.node(before).log(0).confirmLeadership(oldTerm).join()).isFalse();
        LogEntry stale = new LogEntry(
                oldTerm, 99, List.of(new RecordBatch("g", nodes.token(), List.of(NodesInProcess.epoch(9)))));
        assertThat(nodes.node(after).log(0).propose(stale).join()).isEqualTo(new Judged(List.of(Verdict.CONFLICT)));
        nodes.write(2);
        nodes.awaitEqualStores();
    }

    @Test
    void nodeWhoseCommittedEntriesTheLeaderDoesNotHave_saysSo_andFetchesItsStateWhenItIsStartedAgain()
            throws IOException {
        // Given a node that went on while the two others are put back
        nodes.write(1);
        nodes.awaitEqualStores();
        stopAll();
        copyTree(dir.resolve("n2"), dir.resolve("n2-before"));
        copyTree(dir.resolve("n3"), dir.resolve("n3-before"));
        nodes.startAll();
        nodes.write(2);
        nodes.write(3);
        nodes.awaitEqualStores();
        stopAll();
        for (String id : List.of("n2", "n3")) {
            FileTrees.delete(dir.resolve(id));
            Files.move(dir.resolve(id + "-before"), dir.resolve(id));
        }
        CompletableFuture.allOf(nodes.starting("n2"), nodes.starting("n3")).join();
        nodes.node(nodes.leader()).transferLeadership(0, "");
        nodes.node(nodes.leader()).transferLeadership(0, "");
        nodes.write(12);

        // When
        nodes.start("n1");

        // Then
        await().atMost(Duration.ofSeconds(30)).until(() -> !nodes.fatal().isEmpty());
        assertThat(nodes.takeFatal()).singleElement().asString().contains("put back to an earlier state");
        nodes.stop("n1");
        nodes.start("n1");
        nodes.awaitEqualStores();
        assertThat(dir.resolve("n1").resolve("set-aside")).isNotEmptyDirectory();
        nodes.write(13);
        nodes.awaitEqualStores();
    }

    private void stopAll() throws IOException {
        for (String id : nodes.ids()) {
            nodes.stop(id);
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.sorted().toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
