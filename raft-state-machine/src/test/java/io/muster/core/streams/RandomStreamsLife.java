package io.muster.core.streams;

import io.muster.core.ClientInfo;
import io.muster.core.GroupStory;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.RandomLife;
import io.muster.core.Response;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A random life of a Streams group. */
final class RandomStreamsLife extends RandomLife<RandomStreamsLife.StreamsClient> {
    static final int PARTITIONS = 4;

    /** One update after another: a subtopology goes, another comes, and one reads what a third one read before. */
    private static final List<Topology> TOPOLOGIES = List.of(
            TopologyNotation.topology(
                    0,
                    TopologyNotation.subtopology("0", "foo", ">rep", "+log"),
                    TopologyNotation.subtopology("1", "*rep")),
            TopologyNotation.topology(
                    1,
                    TopologyNotation.subtopology("0", "foo", ">rep", "+log"),
                    TopologyNotation.subtopology("2", "*rep")),
            TopologyNotation.topology(
                    2, TopologyNotation.subtopology("0", "bar"), TopologyNotation.subtopology("3", "foo", "+log")));

    /** What a Streams client knows. */
    static final class StreamsClient extends RandomLife.Client {
        final String process;
        final Topology topology;
        TaskAssignment running = TaskAssignment.EMPTY;
        TaskAssignment wanted = TaskAssignment.EMPTY;

        StreamsClient(String id, @Nullable String instanceId, String process, Topology topology) {
            super(id, instanceId);
            this.process = process;
            this.topology = topology;
        }

        @Override
        protected void obey() {
            running = running.intersect(wanted).plus(wanted);
        }

        @Override
        protected void hear(Response response) {
            if (response instanceof Response.StreamsHeartbeatAnswer answer && answer.memberEpoch() >= 0) {
                joined = true;
                epoch = answer.memberEpoch();
                if (answer.assignment() != null) {
                    wanted = answer.assignment();
                }
            }
        }

        @Override
        protected void loseAll() {
            running = TaskAssignment.EMPTY;
            wanted = TaskAssignment.EMPTY;
        }
    }

    RandomStreamsLife(Random random) {
        super(random, new TreeSet<>(Set.of("foo", "bar", "rep", "log")), PARTITIONS);
        config("streams.initial.rebalance.delay.ms", random.nextBoolean() ? "0" : "3000");
        change();
    }

    @Override
    protected StreamsClient client(String id, @Nullable String instanceId) {
        return new StreamsClient(id, instanceId, "p" + random.nextInt(3), topology(random.nextInt(6) == 0));
    }

    @Override
    protected void change() {
        config("streams.num.standby.replicas", String.valueOf(random.nextInt(3)));
    }

    /** Lets everything come to rest; the clients of older topologies are replaced first. */
    @Override
    public void settle() {
        upstream(true);
        topics(true);
        diligent = true;
        hear(story().losePatience());
        Topology newest = topology(false);
        clients.replaceAll((id, client) -> {
            if (client.topology.equals(newest)) {
                return client;
            }
            hear(story().decide(List.of(heartbeat(client, -1))));
            return new StreamsClient(id, client.instanceId, client.process, newest);
        });
        rounds();
    }

    /** The group's topology, or the next one. */
    private Topology topology(boolean next) {
        int epoch =
                StreamsGroup.of(story().group()).topology().map(Topology::epoch).orElse(0);
        return TOPOLOGIES.get(Math.min(next ? epoch + 1 : epoch, TOPOLOGIES.size() - 1));
    }

    @Override
    protected StreamsHeartbeat heartbeat(StreamsClient client, int epoch) {
        boolean joins = epoch == 0;
        TaskAssignment owned = joins ? TaskAssignment.EMPTY : client.running;
        return new StreamsHeartbeat(
                new Sender(
                        GroupStory.GROUP,
                        client.id,
                        epoch,
                        client.instanceId,
                        null,
                        joins ? 30_000 : -1,
                        new ClientInfo("c", "/h"),
                        1),
                0,
                joins ? client.topology : null,
                joins || diligent || random.nextInt(3) > 0
                        ? new OwnedTasks(owned.active(), owned.standby(), Partitions.none())
                        : OwnedTasks.UNCHANGED,
                new StreamsHeartbeat.ProcessDetails(
                        joins ? client.process : null, null, joins ? new TreeMap<>() : null),
                new StreamsHeartbeat.OffsetReport(null, null),
                false);
    }
}
