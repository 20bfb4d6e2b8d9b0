package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.core.ConsumerRecord;
import io.muster.core.GroupRecord;
import io.muster.runtime.ClusterSecret;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes in this process, on real disks and real sockets. */
@Timeout(180)
final class RatisNodeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ClusterSecret SECRET = new ClusterSecret("known to this cluster only");

    @TempDir
    Path dir;

    private final Map<String, RatisNode> nodes = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> terms = new ConcurrentSkipListMap<>();
    private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
    private final ExecutorService startThreads = Executors.newCachedThreadPool();
    private List<RaftMember> members = List.of();
    private long sequence;
    private long sequenceTerm;
    /** The next stops are kills: no last snapshot. */
    private volatile boolean killed;

    private Token token = Token.NONE;

    @BeforeEach
    void startAll() throws IOException {
        List<RaftMember> all = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            held.add(socket);
            all.add(new RaftMember("n" + i, "127.0.0.1:" + socket.getLocalPort()));
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        members = all;
        startEach();
    }

    /** Nodes with empty directories wait for each other. */
    private void startEach() {
        CompletableFuture.allOf(members.stream()
                        .map(member -> CompletableFuture.runAsync(() -> start(member.id()), startThreads))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    @AfterEach
    void stopAll() throws IOException {
        startThreads.shutdownNow();
        for (RatisNode node : nodes.values()) {
            node.close();
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void entries_reachAllNodes_alsoOneThatWasAway_andOneThatWasWiped() throws IOException {
        // Given
        write(1);
        awaitEqualStores();
        String away = follower();

        // When one is away for some entries
        stop(away);
        write(2);
        start(away);
        awaitEqualStores();

        // And one loses its disk after a snapshot; a new term begins a new segment, and the old one can be purged
        nodes.get(leader()).transferLeadership(0, "");
        write(2);
        String wiped = follower();
        stop(wiped);
        for (int epoch = 3; epoch < 13; epoch++) {
            write(epoch);
        }
        long index = nodes.get(leader()).takeSnapshot(0);
        SnapshotDirectory.deleteTree(dir.resolve(wiped));
        start(wiped);
        write(13);

        // Then it has copied what only the leader's state could give
        awaitEqualStores();
        assertThat(nodes.get(wiped).status(0).snapshotIndex()).isGreaterThanOrEqualTo(index);
        assertThat(nodes.get(wiped).appliedGroups(0).load("g").records()).containsExactly(epoch(13));
    }

    @Test
    void wipedNode_ofAQuietCluster_catchesUp() throws IOException {
        // Given
        write(1);
        awaitEqualStores();
        String wiped = follower();

        // When
        stop(wiped);
        SnapshotDirectory.deleteTree(dir.resolve(wiped));
        start(wiped);

        // Then
        awaitEqualStores();
        assertThat(nodes.get(wiped).appliedGroups(0).load("g").records()).containsExactly(epoch(1));
    }

    @Test
    void wipedNode_whileAnotherIsDown_takesNoPartAndElectsNobody() throws IOException {
        // Given an entry that the laggard has not got
        write(1);
        String laggard = follower();
        stop(laggard);
        write(2);
        String wiped = follower();
        String knowing = leader();

        // When the one that has it is gone, and the other that had it comes back empty
        stop(wiped);
        stop(knowing);
        SnapshotDirectory.deleteTree(dir.resolve(wiped));
        CompletableFuture<Void> joined = CompletableFuture.runAsync(() -> start(wiped), startThreads);
        start(laggard);

        // Then nobody leads until it is back, and it leads
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(5))
                .until(() -> terms.values().stream().allMatch(term -> term.get() == 0));
        assertThat(joined).isNotDone();
        start(knowing);
        joined.join();
        assertThat(nodes.get(leader()).appliedGroups(0).load("g").records()).containsExactly(epoch(2));
        write(3);
        awaitEqualStores();
    }

    @Test
    void nodeWhoseLogWasPutBack_fetchesEverythingAgain() throws IOException {
        // Given a copy of the first log beside a store that went on
        write(1);
        awaitEqualStores();
        String one = follower();
        stop(one);
        Path raft = dir.resolve(one).resolve("raft");
        copyTree(raft, dir.resolve("put-back"));
        start(one);
        write(2);
        awaitEqualStores();
        kill(one);
        SnapshotDirectory.deleteTree(raft);
        Files.move(dir.resolve("put-back"), raft);

        // When
        start(one);

        // Then
        awaitEqualStores();
        assertThat(dir.resolve(one).resolve("set-aside")).isNotEmptyDirectory();
        write(3);
        awaitEqualStores();
    }

    @Test
    void nodeWhoseVoteIsLost_fetchesEverythingAgain() throws IOException {
        // Given what a full disk leaves of a node's term and vote
        write(1);
        awaitEqualStores();
        String one = follower();
        kill(one);
        emptyMetadata(dir.resolve(one).resolve("raft"));

        // When
        start(one);
        write(2);

        // Then
        awaitEqualStores();
        assertThat(dir.resolve(one).resolve("set-aside")).isNotEmptyDirectory();
    }

    private static void emptyMetadata(Path raft) throws IOException {
        try (Stream<Path> files = Files.walk(raft)) {
            for (Path file : files.filter(each -> each.endsWith("raft-meta")).toList()) {
                Files.write(file, new byte[0]);
            }
        }
    }

    @Test
    void allNodes_closedAndReopened_goOnWhereTheyWere() throws IOException {
        write(1);
        for (RaftMember member : members) {
            stop(member.id());
        }
        for (RaftMember member : members) {
            start(member.id());
        }

        assertThat(nodes.get(leader()).appliedGroups(0).load("g").records()).containsExactly(epoch(1));
        write(2);
        awaitEqualStores();
    }

    @Test
    void nodes_killedAfterAFlushAndALeaderChange_comeBack() throws IOException {
        // Given stores that are ahead of the last snapshot by entries of two terms
        write(1);
        nodes.get(leader()).transferLeadership(0, "");
        write(2);
        awaitEqualStores();

        // When one and then all are killed
        String one = follower();
        kill(one);
        write(3);
        start(one);
        awaitEqualStores();
        for (RaftMember member : members) {
            kill(member.id());
        }
        for (RaftMember member : members) {
            start(member.id());
        }

        // Then
        write(4);
        awaitEqualStores();
        assertThat(nodes.get(leader()).appliedGroups(0).load("g").records()).containsExactly(epoch(4));
    }

    @Test
    void leadership_moves_andAnEntryOfAnotherTermChangesNothing() throws IOException {
        // Given
        write(1);
        String before = leader();
        long oldTerm = terms.get(before).get();

        // When
        nodes.get(before).transferLeadership(0, "");
        String after = leader();

        // Then
        assertThat(after).isNotEqualTo(before);
        assertThat(nodes.get(after)
                        .log(0)
                        .confirmLeadership(terms.get(after).get())
                        .join())
                .isTrue();
        assertThat(nodes.get(before).log(0).confirmLeadership(oldTerm).join()).isFalse();
        LogEntry stale = new LogEntry(oldTerm, 99, List.of(new RecordBatch("g", token, List.of(epoch(9)))));
        assertThat(nodes.get(after).log(0).propose(stale).join()).isEqualTo(new Judged(List.of(Verdict.CONFLICT)));
        write(2);
        awaitEqualStores();
    }

    private void start(String id) {
        try {
            startOne(id);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startOne(String id) throws IOException {
        Path directory = dir.resolve(id);
        Files.createDirectories(directory);
        AtomicLong term = new AtomicLong();
        terms.put(id, term);
        RaftConfig config = new RaftConfig("test", id, members, 1, directory, 300, 600, 20, SECRET, "", Set.of());
        RatisNode node = RatisNode.start(
                config, StoreThatIsKilled.factory(() -> killed), (reason, cause) -> fatal.add(reason + ": " + cause));
        node.listen(0, new LeadershipListener() {
            @Override
            public void leaderReady(long newTerm) {
                term.set(newTerm);
            }

            @Override
            public void leaderLost() {
                term.set(0);
            }
        });
        nodes.put(id, node);
    }

    private void stop(String id) throws IOException {
        nodes.remove(id).close();
        terms.get(id).set(0);
    }

    /** Stops a node whose store has been flushed, without the snapshot that a clean stop takes. */
    private void kill(String id) throws IOException {
        killed = true;
        stop(id);
        killed = false;
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.sorted().toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private String leader() {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> terms.entrySet().stream()
                                .filter(entry -> entry.getValue().get() > 0)
                                .map(Map.Entry::getKey)
                                .findFirst()
                                .orElse(""),
                        id -> !id.isEmpty());
    }

    private String follower() {
        String leader = leader();
        return nodes.keySet().stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** Writes until the guard says that it is applied. */
    private void write(int groupEpoch) {
        await().atMost(PATIENCE).until(() -> {
            String leader = leader();
            long term = terms.get(leader).get();
            sequence = term == sequenceTerm ? sequence + 1 : 1;
            sequenceTerm = term;
            LogEntry entry =
                    new LogEntry(term, sequence, List.of(new RecordBatch("g", token, List.of(epoch(groupEpoch)))));
            ProposalOutcome outcome = nodes.get(leader).log(0).propose(entry).join();
            if (outcome.equals(new Judged(List.of(Verdict.APPLIED)))) {
                token = entry.token();
                return true;
            }
            return false;
        });
    }

    private void awaitEqualStores() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreException(IllegalStateException.class) // no store while a snapshot is being installed
                .untilAsserted(() -> assertThat(nodes.values().stream()
                                .map(node -> HexFormat.of().formatHex(node.digest(0)))
                                .distinct())
                        .hasSize(1));
    }

    private static GroupRecord epoch(int groupEpoch) {
        return new ConsumerRecord.GroupSet(groupEpoch, groupEpoch, 0);
    }
}
