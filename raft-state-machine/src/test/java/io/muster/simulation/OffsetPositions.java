package io.muster.simulation;

import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.simulation.BrokersGroup.Offset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a client reads: it fetches the committed offset of each partition that it gets, goes on from there, and commits. When a
 * commit is not answered in time it goes to the other gateway.
 */
final class OffsetPositions {
    private static final long PATIENCE_MILLIS = 4_000;

    /**
     * Where the client reads.
     *
     * @param readAt when the committed offset was fetched that it began with, as upstream counts
     * @param readAtMillis the same in virtual milliseconds
     */
    private record Position(long offset, long readAt, long readAtMillis) {
        Position plus(int records) {
            return new Position(offset + records, readAt, readAtMillis);
        }
    }

    private final String groupId;
    private final String memberId;
    private final boolean transactional;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final Map<TopicPartition, Position> positions = new TreeMap<>();
    /** By partition: which fetch its position waits for. */
    private final Map<TopicPartition, Integer> awaited = new HashMap<>();

    private final Set<TopicPartition> held = new HashSet<>();
    private SimulatedGateway.Connection connection;
    private int lastFetch;
    private int lastTransaction;
    private boolean inTransaction;
    private int unanswered;

    OffsetPositions(
            String groupId, String memberId, boolean transactional, VirtualTime time, SimulatedCluster cluster) {
        this.groupId = groupId;
        this.memberId = memberId;
        this.transactional = transactional;
        this.time = time;
        this.cluster = cluster;
        this.connection = cluster.gateway().connect();
    }

    /** The client has these partitions now: what is gone is forgotten, what is new is fetched. */
    void hold(Set<TopicPartition> next) {
        held.retainAll(next);
        positions.keySet().retainAll(next);
        awaited.keySet().retainAll(next);
        Set<TopicPartition> added = new HashSet<>();
        for (TopicPartition partition : next) {
            if (SimulatedTopics.LASTING.contains(partition.topic()) && held.add(partition)) {
                added.add(partition);
            }
        }
        if (!added.isEmpty()) {
            fetch(added);
        }
    }

    private void fetch(Set<TopicPartition> partitions) {
        int number = ++lastFetch;
        partitions.forEach(partition -> awaited.put(partition, number));
        time.after(
                1 + time.pick(10),
                () -> cluster.upstream()
                        .fetch(
                                groupId,
                                partitions,
                                fetched -> time.after(
                                        1 + time.pick(10),
                                        () -> fetched.offsets().forEach((partition, offset) -> {
                                            if (awaited.remove(partition, number)) {
                                                positions.put(
                                                        partition, new Position(offset, fetched.at(), time.now()));
                                            }
                                        }))));
    }

    /** Processes a while, then commits what is processed. */
    void commit(int memberEpoch) {
        if (positions.isEmpty() || inTransaction) {
            return;
        }
        Map<TopicPartition, Offset> offsets = new TreeMap<>();
        positions.replaceAll((partition, position) -> position.plus(1 + time.pick(10)));
        positions.forEach((partition, position) -> offsets.put(
                partition,
                new Offset(
                        position.offset(),
                        memberId,
                        cluster.upstream().nextOrder(),
                        position.readAt(),
                        position.readAtMillis())));
        String producer = transactional ? memberId + "/" + ++lastTransaction : "";
        inTransaction = transactional;
        time.trace("%s of %s commits %s at epoch %d", memberId, groupId, offsets, memberEpoch);
        int number = ++unanswered;
        SimulatedGateway.Connection used = connection;
        connection.commit(new SimulatedGateway.Commit(
                groupId, none -> producer, admission(memberEpoch, offsets.keySet()), offsets, done -> {
                    if (number == unanswered) {
                        unanswered = 0;
                    }
                    if (used.isReset() && used == connection) {
                        connection = cluster.gateway().connect();
                    }
                    if (transactional) {
                        endTransaction(producer, done);
                    }
                }));
        time.after(PATIENCE_MILLIS, () -> {
            if (unanswered == number) {
                unanswered = 0;
                connection = cluster.gateway().connect();
                if (transactional) {
                    endTransaction(producer, false);
                }
            }
        });
    }

    private Function<SimulatedGateway.Asking, CommitCommand.Admit> admission(
            int memberEpoch, Set<TopicPartition> partitions) {
        Set<TopicPartition> copy = Set.copyOf(partitions);
        CommitCommand.Kind kind = transactional ? CommitCommand.Kind.TRANSACTIONAL : CommitCommand.Kind.PLAIN;
        int version = transactional ? 5 : 9;
        return asking -> new CommitCommand.Admit(
                groupId,
                asking.admissionId(),
                asking.connection(),
                new CommitCommand.Committer(memberId, "", memberEpoch),
                kind,
                version,
                copy);
    }

    /** Whoever aborts begins again from what is committed. */
    private void endTransaction(String producer, boolean commit) {
        long delay = time.chance(5) ? time.pick(20_000) : time.pick(30);
        time.after(delay, () -> {
            cluster.upstream().endTransaction(groupId, producer, commit);
            if (inTransaction && producer.endsWith("/" + lastTransaction)) {
                inTransaction = false;
                if (!commit) {
                    Set<TopicPartition> again = new HashSet<>(held);
                    hold(Set.of());
                    hold(again);
                }
            }
        });
    }
}
