package io.muster.simulation;

import io.muster.core.ClientInfo;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupError;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.Response.StreamsHeartbeatAnswer;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A Streams client with one subtopology: joins, runs tasks, commits, leaves, falls silent. Its network loses things. */
final class SimulatedStreamsMember {
    private static final Topology TOPOLOGY = new Topology(
            0,
            List.of(new Subtopology(
                    SimulatedTopics.SUBTOPOLOGY,
                    List.of(SimulatedTopics.NAMES.get(0)),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of())));

    private final String groupId;
    private final String id;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final Checks checks;
    private int epoch;
    private TaskAssignment running = TaskAssignment.EMPTY;
    private boolean tellAll = true;
    private boolean gone;
    private int commits;

    SimulatedStreamsMember(String groupId, String id, VirtualTime time, SimulatedCluster cluster, Checks checks) {
        this.groupId = groupId;
        this.id = id;
        this.time = time;
        this.cluster = cluster;
        this.checks = checks;
        time.after(time.pick(2_000), this::live);
    }

    private void live() {
        if (gone) {
            return;
        }
        if (epoch > 0 && time.chance(2)) {
            send(heartbeat(StreamsHeartbeat.LEAVE_EPOCH), epoch);
            rest(5_000 + time.pick(20_000));
            return;
        }
        if (time.chance(2)) {
            rest(40_000 + time.pick(40_000));
            return;
        }
        send(heartbeat(epoch), epoch);
        if (epoch > 0 && !running.active().isEmpty() && time.chance(60)) {
            commit();
        }
        time.after(500 + time.pick(3_000), this::live);
    }

    private void rest(long millis) {
        forget();
        gone = true;
        time.after(millis, () -> {
            gone = false;
            live();
        });
    }

    private void forget() {
        epoch = 0;
        running = TaskAssignment.EMPTY;
        tellAll = true;
    }

    private StreamsHeartbeat heartbeat(int memberEpoch) {
        boolean joins = memberEpoch == 0;
        return new StreamsHeartbeat(
                groupId,
                id,
                memberEpoch,
                0,
                null,
                null,
                joins ? 20_000 : -1,
                joins ? TOPOLOGY : null,
                joins || tellAll
                        ? new OwnedTasks(running.active(), running.standby(), Partitions.none())
                        : OwnedTasks.UNCHANGED,
                joins ? "process-of-" + id : null,
                null,
                joins ? new TreeMap<>() : null,
                null,
                null,
                false,
                new ClientInfo("sim", "/127.0.0.1"),
                1);
    }

    private void send(StreamsHeartbeat heartbeat, int sentEpoch) {
        long sentAt = cluster.leastApplied();
        boolean answerLost = time.chance(3);
        if (time.chance(3)) {
            tellAll = true;
            return;
        }
        cluster.ask(heartbeat, response -> {
            if (response instanceof StreamsHeartbeatAnswer answer && answer.memberEpoch() > 0) {
                TaskAssignment told = answer.assignment() == null ? TaskAssignment.EMPTY : answer.assignment();
                checks.replied(groupId, new Checks.Told(id, answer.memberEpoch(), partitions(told)), sentAt);
            }
            time.after(time.pick(20), () -> {
                if (answerLost) {
                    tellAll = true;
                } else if (sentEpoch == epoch && !gone) {
                    hear(response);
                }
            });
        });
    }

    private void hear(Response response) {
        if (response instanceof StreamsHeartbeatAnswer answer) {
            tellAll = false;
            epoch = answer.memberEpoch();
            TaskAssignment next = answer.assignment();
            if (next != null) {
                tellAll = !next.equals(running);
                running = next;
            }
        } else if (response instanceof Response.Refused refused) {
            tellAll = true;
            if (refused.error() == GroupError.FENCED_MEMBER_EPOCH
                    || refused.error() == GroupError.UNKNOWN_MEMBER_ID
                    || refused.error() == GroupError.GROUP_ID_NOT_FOUND) {
                forget();
            }
        }
    }

    private static Set<TopicPartition> partitions(TaskAssignment tasks) {
        Set<TopicPartition> partitions = new HashSet<>();
        tasks.active()
                .forEach((subtopology, number) ->
                        partitions.add(new TopicPartition(SimulatedTopics.sourceOf(subtopology), number)));
        return partitions;
    }

    private void commit() {
        Set<TopicPartition> partitions = partitions(running);
        String admission = id + "-" + commits++;
        CommitCommand.Admit admit = new CommitCommand.Admit(
                groupId, admission, id, id, "", epoch, CommitCommand.Kind.TRANSACTIONAL, 5, partitions);
        cluster.ask(admit, response -> {
            if (response instanceof Response.CommitAdmitted admitted) {
                long delay = time.chance(10) ? time.pick(90_000) : time.pick(50);
                time.after(delay, () -> {
                    partitions.forEach(partition -> checks.committed(groupId, id, admitted.identity(), partition));
                    if (!time.chance(5)) {
                        CompletableFuture<Response> unusedAnswer =
                                cluster.submit(new CommitCommand.Settled(groupId, admission, false));
                    }
                });
            }
        });
    }
}
