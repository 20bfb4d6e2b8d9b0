package io.muster.simulation;

import io.muster.core.ClientInfo;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupError;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A consumer: joins, heartbeats, gives partitions up when told, commits, leaves, falls silent. Its network loses things. */
final class SimulatedMember {
    private final String groupId;
    private final String id;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final Checks checks;
    private final List<String> topics;
    private int epoch;
    private Partitions<UUID> owned = Partitions.none();
    private boolean tellAll = true;
    private boolean gone;
    private int commits;

    SimulatedMember(
            String groupId, String id, VirtualTime time, SimulatedCluster cluster, Checks checks, List<String> topics) {
        this.groupId = groupId;
        this.id = id;
        this.time = time;
        this.cluster = cluster;
        this.checks = checks;
        this.topics = topics;
        time.after(time.pick(2_000), this::live);
    }

    private void live() {
        if (gone) {
            return;
        }
        int mood = time.isCalm() ? 99 : time.pick(100);
        if (mood < 3 && epoch > 0) {
            leave();
        } else if (mood < 5) {
            silence();
        } else {
            heartbeat();
            if (epoch > 0 && !owned.isEmpty() && time.chance(60)) {
                commit();
            }
        }
        time.after(500 + time.pick(3_000), this::live);
    }

    private void silence() {
        gone = true;
        time.after(40_000 + time.pick(40_000), this::comeBack);
    }

    private void comeBack() {
        gone = false;
        live();
    }

    private void leave() {
        send(heartbeat(ConsumerHeartbeat.LEAVE_EPOCH, null), epoch);
        epoch = 0;
        owned = Partitions.none();
        tellAll = true;
        gone = true;
        time.after(5_000 + time.pick(20_000), this::comeBack);
    }

    private void heartbeat() {
        boolean full = epoch == 0 || tellAll;
        send(heartbeat(epoch, full ? owned : null), epoch);
    }

    private ConsumerHeartbeat heartbeat(int memberEpoch, @Nullable Partitions<UUID> partitions) {
        boolean full = partitions != null;
        return new ConsumerHeartbeat(
                groupId,
                id,
                memberEpoch,
                null,
                null,
                full ? 20_000 : -1,
                full ? topics : null,
                null,
                null,
                partitions,
                new ClientInfo("sim", "/127.0.0.1"),
                1);
    }

    private void send(ConsumerHeartbeat heartbeat, int sentEpoch) {
        long sentAt = cluster.leastApplied();
        boolean requestLost = time.chance(3);
        boolean answerLost = time.chance(3);
        if (requestLost) {
            tellAll = true;
            return;
        }
        cluster.ask(heartbeat, response -> {
            if (response instanceof ConsumerHeartbeatAnswer answer && answer.memberEpoch() > 0) {
                Partitions<UUID> told = answer.assignment() == null ? Partitions.none() : answer.assignment();
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
        if (response instanceof ConsumerHeartbeatAnswer answer) {
            tellAll = false;
            epoch = answer.memberEpoch();
            if (answer.assignment() != null) {
                Partitions<UUID> next = answer.assignment();
                tellAll = !next.equals(owned);
                owned = next;
            }
        } else if (response instanceof Response.Refused refused) {
            tellAll = true;
            if (refused.error() == GroupError.FENCED_MEMBER_EPOCH
                    || refused.error() == GroupError.UNKNOWN_MEMBER_ID
                    || refused.error() == GroupError.GROUP_ID_NOT_FOUND) {
                epoch = 0;
                owned = Partitions.none();
            }
        }
    }

    private static Set<TopicPartition> partitions(Partitions<UUID> some) {
        Set<TopicPartition> partitions = new HashSet<>();
        some.forEach((topic, number) -> partitions.add(new TopicPartition(SimulatedTopics.nameOf(topic), number)));
        return partitions;
    }

    private void commit() {
        Set<TopicPartition> partitions = partitions(owned);
        String admission = id + "-" + commits++;
        CommitCommand.Admit admit =
                new CommitCommand.Admit(groupId, admission, id, id, "", epoch, CommitCommand.Kind.PLAIN, 9, partitions);
        cluster.ask(admit, response -> {
            if (response instanceof Response.CommitAdmitted admitted) {
                long delay = time.chance(10) ? time.pick(90_000) : time.pick(50);
                time.after(delay, () -> arrive(admission, admitted, partitions));
            }
        });
    }

    /** The commit reaches the broker, maybe long after it was admitted. */
    private void arrive(String admission, Response.CommitAdmitted admitted, Set<TopicPartition> partitions) {
        partitions.forEach(partition -> checks.committed(groupId, id, admitted.identity(), partition));
        if (!time.chance(5)) {
            CompletableFuture<Response> unused = cluster.submit(new CommitCommand.Settled(groupId, admission, false));
        }
    }
}
