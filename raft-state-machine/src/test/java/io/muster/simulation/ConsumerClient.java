package io.muster.simulation;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupError;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A consumer: joins, heartbeats, gives partitions up when told, commits, leaves, falls silent, starts again. Its network loses
 * things.
 */
final class ConsumerClient {
    private final String groupId;
    private final @Nullable String instanceId;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final List<String> topics;
    private final int silencePercent;
    private int starts;
    private String memberId;
    private OffsetPositions offsets;
    private int epoch;
    private Partitions<UUID> owned = Partitions.none();
    private boolean tellAll = true;
    private boolean gone;

    /** @param name its member id, and if static its instance id: it then has another member id at each start */
    ConsumerClient(String groupId, String name, boolean isStatic, SimulatedCluster cluster, List<String> topics) {
        this.groupId = groupId;
        this.instanceId = isStatic ? name : null;
        this.time = cluster.time();
        this.cluster = cluster;
        this.topics = topics;
        this.memberId = name;
        this.offsets = new OffsetPositions(groupId, memberId, false, time, cluster);
        this.silencePercent = 1 + time.pick(3);
        time.after(time.pick(2_000), this::live);
    }

    private void live() {
        if (gone) {
            return;
        }
        int mood = time.isCalm() ? 99 : time.pick(100);
        if (mood < 3 && epoch > 0) {
            leave();
        } else if (mood < 3 + silencePercent) {
            silence();
        } else {
            heartbeat();
            if (epoch > 0 && time.chance(60)) {
                offsets.commit(epoch);
            }
        }
        time.after(400 + time.pick(2_000), this::live);
    }

    private void silence() {
        gone = true;
        time.after(8_000 + time.pick(30_000), this::comeBack);
    }

    private void comeBack() {
        gone = false;
        if (instanceId != null && time.chance(50)) {
            restart();
        }
        live();
    }

    /** A static member's process starts again: another member id, the same instance id. */
    private void restart() {
        memberId = instanceId + "-" + ++starts;
        offsets = new OffsetPositions(groupId, memberId, false, time, cluster);
        forget();
    }

    private void forget() {
        epoch = 0;
        owned = Partitions.none();
        tellAll = true;
        offsets.hold(java.util.Set.of());
    }

    private void leave() {
        boolean forAWhile = instanceId != null && time.chance(60);
        int leaveEpoch = forAWhile ? ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH : ConsumerHeartbeat.LEAVE_EPOCH;
        send(heartbeat(leaveEpoch, null), epoch);
        if (forAWhile) {
            restart();
        }
        forget();
        gone = true;
        time.after(2_000 + time.pick(15_000), this::comeBack);
    }

    private void heartbeat() {
        boolean full = epoch == 0 || tellAll;
        send(heartbeat(epoch, full ? owned : null), epoch);
    }

    private ConsumerHeartbeat heartbeat(int memberEpoch, @Nullable Partitions<UUID> partitions) {
        boolean full = partitions != null;
        return new ConsumerHeartbeat(
                new Sender(
                        groupId,
                        memberId,
                        memberEpoch,
                        instanceId,
                        time.chance(2) ? LargeRequests.tooLargeText() : null,
                        full ? 8_000 : -1,
                        new ClientInfo("sim", "/127.0.0.1"),
                        1),
                full ? topics : null,
                null,
                null,
                partitions);
    }

    private void send(ConsumerHeartbeat heartbeat, int sentEpoch) {
        String sender = memberId;
        boolean answerLost = time.chance(3);
        if (time.chance(3)) {
            tellAll = true;
            return;
        }
        cluster.askAsMember(heartbeat, sender, (sentAt, response) -> {
            if (response instanceof ConsumerHeartbeatAnswer answer && answer.memberEpoch() > 0) {
                Partitions<UUID> told = answer.assignment() == null ? Partitions.none() : answer.assignment();
                cluster.checks()
                        .groups()
                        .replied(
                                groupId,
                                new GroupChecks.Told(
                                        sender,
                                        answer.memberEpoch(),
                                        cluster.topics().partitions(told)),
                                sentAt);
            }
            time.after(time.pick(20), () -> {
                if (answerLost) {
                    tellAll = true;
                } else if (sentEpoch == epoch && !gone && sender.equals(memberId)) {
                    hear(response);
                }
            });
        });
    }

    private void hear(Response response) {
        if (response instanceof ConsumerHeartbeatAnswer answer) {
            tellAll = false;
            epoch = answer.memberEpoch();
            if (answer.assignment() != null) {
                Partitions<UUID> next = answer.assignment();
                tellAll = !next.equals(owned);
                owned = next;
                offsets.hold(cluster.topics().partitions(owned));
            }
        } else if (response instanceof Response.Refused refused) {
            tellAll = true;
            if (refused.error() == GroupError.FENCED_MEMBER_EPOCH
                    || refused.error() == GroupError.UNKNOWN_MEMBER_ID
                    || refused.error() == GroupError.GROUP_ID_NOT_FOUND) {
                forget();
            } else if (refused.error() == GroupError.FENCED_INSTANCE_ID
                    || refused.error() == GroupError.UNRELEASED_INSTANCE_ID) {
                restart();
            }
        }
    }
}
