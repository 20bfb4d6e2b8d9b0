package io.muster.simulation;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients whose requests fill the log's entries: crowds that join at once, whose members fit one by one and not together, and clients
 * whose one request does not fit. They are silent from then on, and so expire together, too.
 */
final class LargeRequests {
    /** Stands in all that is too large by itself, and nowhere else. */
    static final String MARK = "too-large";

    /** What one command may add to an entry, and few may together, bytes. */
    private static final int LARGE = 900;

    private static final int MOST_AT_ONCE = 6;
    private static final ClientInfo CLIENT = new ClientInfo("sim", "/127.0.0.1");

    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final List<String> consumerGroups;
    private final List<String> streamsGroups;
    private int lastCrowd;

    LargeRequests(SimulatedCluster cluster, List<String> consumerGroups, List<String> streamsGroups) {
        this.time = cluster.time();
        this.cluster = cluster;
        this.consumerGroups = consumerGroups;
        this.streamsGroups = streamsGroups;
        time.after(3_000 + time.pick(10_000), this::act);
    }

    /** Something that no entry holds. */
    static String tooLargeText() {
        return MARK.repeat(ShardProcess.MOST_ENTRY_BYTES / MARK.length());
    }

    static boolean isTooLarge(Command command) {
        return command.toString().contains(MARK);
    }

    private void act() {
        if (time.isCalm()) {
            return;
        }
        String consumerGroup = consumerGroups.get(time.pick(consumerGroups.size()));
        if (time.pick(2) == 0) {
            crowd(consumerGroup);
        } else {
            send(tooLarge(consumerGroup), "huge");
        }
        time.after(1_000 + time.pick(12_000), this::act);
    }

    private void crowd(String groupId) {
        int members = 1 + time.pick(MOST_AT_ONCE);
        boolean inRack = time.pick(2) == 0;
        int crowd = ++lastCrowd;
        for (int i = 0; i < members; i++) {
            String memberId = "crowd-" + crowd + "-" + i;
            String large = "x".repeat(LARGE);
            send(
                    join(
                            groupId,
                            memberId,
                            inRack ? large : null,
                            SimulatedTopics.LASTING,
                            inRack ? CLIENT : new ClientInfo("sim", large)),
                    memberId);
        }
    }

    private Command tooLarge(String groupId) {
        return switch (time.pick(4)) {
            case 0 -> join(groupId, "huge", tooLargeText(), SimulatedTopics.LASTING, CLIENT);
            case 1 -> join(groupId, "huge", null, SimulatedTopics.LASTING, new ClientInfo("sim", tooLargeText()));
            case 2 ->
                join(
                        groupId,
                        "huge",
                        null,
                        IntStream.range(0, 150)
                                .mapToObj(number -> MARK + "-in-number-" + number)
                                .toList(),
                        CLIENT);
            default -> joinStreams();
        };
    }

    private ConsumerHeartbeat join(
            String groupId, String memberId, @Nullable String rackId, List<String> topics, ClientInfo client) {
        return new ConsumerHeartbeat(
                new Sender(groupId, memberId, 0, null, rackId, 8_000, client, 1),
                topics,
                null,
                null,
                Partitions.none());
    }

    private StreamsHeartbeat joinStreams() {
        return new StreamsHeartbeat(
                new Sender(streamsGroups.get(time.pick(streamsGroups.size())), "huge", 0, null, null, 8_000, CLIENT, 1),
                0,
                StreamsClient.TOPOLOGY,
                new OwnedTasks(Partitions.none(), Partitions.none(), Partitions.none()),
                new StreamsHeartbeat.ProcessDetails(tooLargeText(), null, new TreeMap<>()),
                new StreamsHeartbeat.OffsetReport(null, null),
                false);
    }

    private void send(Command command, String memberId) {
        cluster.askAsMember(command, memberId, (sentAt, response) -> {});
    }
}
