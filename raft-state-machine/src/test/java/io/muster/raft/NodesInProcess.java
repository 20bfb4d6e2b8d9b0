package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.core.ConsumerGroupRecord;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Nodes in this process, on real disks and real sockets, with one shard whose group {@code g} is written to. */
final class NodesInProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ClusterSecret SECRET = new ClusterSecret("known to this cluster only");

    private final Path dir;
    private final List<RaftMember> members;
    private final Map<String, RatisNode> nodes = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> terms = new ConcurrentSkipListMap<>();
    private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
    private final ExecutorService startThreads = Executors.newCachedThreadPool();
    private long sequence;
    private long sequenceTerm;
    /** The next stops are kills: no last snapshot. */
    private volatile boolean killed;

    private NodesInProcess(Path dir, List<RaftMember> members) {
        this.dir = dir;
        this.members = members;
    }

    /** Founds a cluster of nodes {@code n1} and so on, each with a directory of its name. */
    static NodesInProcess found(Path dir, int count) throws IOException {
        List<RaftMember> members = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            held.add(socket);
            members.add(new RaftMember("n" + i, "127.0.0.1:" + socket.getLocalPort()));
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        NodesInProcess all = new NodesInProcess(dir, members);
        all.startAll();
        return all;
    }

    /** Starts all nodes at once: those with empty directories wait for each other. */
    void startAll() {
        CompletableFuture.allOf(
                        members.stream().map(member -> starting(member.id())).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** Starts a node on a thread of its own. */
    CompletableFuture<Void> starting(String id) {
        return CompletableFuture.runAsync(() -> start(id), startThreads)
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    List<String> ids() {
        return members.stream().map(RaftMember::id).toList();
    }

    RatisNode node(String id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow();
    }

    Path directory(String id) {
        return dir.resolve(id);
    }

    boolean isLed() {
        return terms.values().stream().anyMatch(term -> term.get() != 0);
    }

    /** The term that a node leads in, 0 if it does not lead. */
    long term(String id) {
        return Optional.ofNullable(terms.get(id)).orElseThrow().get();
    }

    /** What ended nodes against their will, as it was said. */
    List<String> fatal() {
        return List.copyOf(fatal);
    }

    /** As {@link #fatal}, which is empty afterwards. */
    List<String> takeFatal() {
        List<String> taken = fatal();
        fatal.clear();
        return taken;
    }

    List<GroupRecord> records(String id) {
        return node(id).appliedGroups(0).load("g").records();
    }

    /** The token of what the leader has applied last. */
    Token token() {
        return node(leader()).appliedGroups(0).load("g").token();
    }

    void start(String id) {
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
        RaftConfig config = new RaftConfig(
                new RaftConfig.Cluster("test", 1, SECRET, members),
                new RaftConfig.Self(id, directory, ""),
                new RaftConfig.Pace(300, 600, 20),
                Set.of());
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

    void stop(String id) throws IOException {
        nodes.remove(id).close();
        terms.get(id).set(0);
    }

    /** Stops a node whose store has been flushed, without the snapshot that a clean stop takes. */
    void kill(String id) throws IOException {
        killed = true;
        stop(id);
        killed = false;
    }

    String leader() {
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

    String follower() {
        String leader = leader();
        return nodes.keySet().stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** Writes until the guard says that it is applied. */
    void write(int groupEpoch) {
        await().atMost(PATIENCE).until(() -> {
            String leader = leader();
            long term = terms.get(leader).get();
            sequence = term == sequenceTerm ? sequence + 1 : 1;
            sequenceTerm = term;
            LogEntry entry =
                    new LogEntry(term, sequence, List.of(new RecordBatch("g", token(), List.of(epoch(groupEpoch)))));
            ProposalOutcome outcome = nodes.get(leader).log(0).propose(entry).join();
            return outcome.equals(new Judged(List.of(Verdict.APPLIED)));
        });
    }

    void awaitEqualStores() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreException(IllegalStateException.class) // no store while a snapshot is being installed
                .untilAsserted(() -> assertThat(nodes.values().stream()
                                .map(node -> HexFormat.of().formatHex(node.digest(0)))
                                .distinct())
                        .hasSize(1));
    }

    static GroupRecord epoch(int groupEpoch) {
        return new ConsumerGroupRecord.GroupSet(groupEpoch, groupEpoch, 0);
    }

    /** Leaves of a node's term and vote what a full disk does. */
    void emptyMetadata(String id) throws IOException {
        for (Path file : metadata(id)) {
            Files.write(file, new byte[0]);
        }
    }

    /** Deletes a node's term and vote. */
    void deleteMetadata(String id) throws IOException {
        for (Path file : metadata(id)) {
            Files.delete(file);
        }
    }

    private List<Path> metadata(String id) throws IOException {
        try (Stream<Path> files = Files.walk(directory(id).resolve("raft"))) {
            return files.filter(each -> each.endsWith("raft-meta")).toList();
        }
    }

    @Override
    public void close() throws IOException {
        startThreads.shutdownNow();
        for (RatisNode node : nodes.values()) {
            node.close();
        }
    }
}
