package io.muster.simulation;

import io.muster.core.ClientInfo;
import io.muster.core.GroupError;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.Response.StreamsHeartbeatAnswer;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A Streams client with one subtopology: joins, runs tasks, commits, leaves, falls silent. Its network loses things. */
final class StreamsClient {
    static final Topology TOPOLOGY = new Topology(
            0,
            List.of(new Subtopology(
                    SimulatedTopics.SUBTOPOLOGY,
                    List.of(SimulatedTopics.LASTING.get(0)),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of())));

    private final String groupId;
    private final String id;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final OffsetPositions offsets;
    private int epoch;
    private TaskAssignment running = TaskAssignment.EMPTY;
    private boolean tellAll = true;
    private boolean gone;

    StreamsClient(String groupId, String id, boolean exactlyOnce, SimulatedCluster cluster) {
        this.groupId = groupId;
        this.id = id;
        this.time = cluster.time();
        this.cluster = cluster;
        this.offsets = new OffsetPositions(groupId, id, exactlyOnce, time, cluster);
        time.after(time.pick(2_000), this::live);
    }

    private void live() {
        if (gone) {
            return;
        }
        if (epoch > 0 && time.chance(2)) {
            send(heartbeat(StreamsHeartbeat.LEAVE_EPOCH), epoch);
            rest(2_000 + time.pick(15_000));
            return;
        }
        if (time.chance(2)) {
            rest(8_000 + time.pick(30_000));
            return;
        }
        send(heartbeat(epoch), epoch);
        if (epoch > 0 && !running.active().isEmpty() && time.chance(60)) {
            offsets.commit(epoch);
        }
        time.after(400 + time.pick(2_000), this::live);
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
        offsets.hold(Set.of());
    }

    private StreamsHeartbeat heartbeat(int memberEpoch) {
        boolean joins = memberEpoch == 0;
        return new StreamsHeartbeat(
                new Sender(
                        groupId,
                        id,
                        memberEpoch,
                        null,
                        null,
                        joins ? 8_000 : -1,
                        new ClientInfo("sim", "/127.0.0.1"),
                        1),
                0,
                joins ? TOPOLOGY : null,
                joins || tellAll
                        ? new OwnedTasks(running.active(), running.standby(), Partitions.none())
                        : OwnedTasks.UNCHANGED,
                new StreamsHeartbeat.ProcessDetails(
                        joins ? "process-of-" + id : null, null, joins ? new TreeMap<>() : null),
                new StreamsHeartbeat.OffsetReport(null, null),
                false);
    }

    private void send(StreamsHeartbeat heartbeat, int sentEpoch) {
        boolean answerLost = time.chance(3);
        if (time.chance(3)) {
            tellAll = true;
            return;
        }
        cluster.askAsMember(heartbeat, id, (sentAt, response) -> {
            if (response instanceof StreamsHeartbeatAnswer answer && answer.memberEpoch() > 0) {
                TaskAssignment told = answer.assignment() == null ? TaskAssignment.EMPTY : answer.assignment();
                cluster.checks()
                        .groups()
                        .replied(
                                groupId,
                                new GroupChecks.Told(id, answer.memberEpoch(), SimulatedTopics.sources(told.active())),
                                sentAt);
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
                offsets.hold(SimulatedTopics.sources(running.active()));
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
}
