package io.muster.core.streams;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Decision.Reply;
import io.muster.core.GroupCommand;
import io.muster.core.GroupStory;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A random life of one group: clients that keep to the protocol, topics that come and go, leaders that change. */
final class RandomStreamsLife {
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

    /** What a client knows. */
    private static final class Client {
        final String id;
        final String process;
        final @Nullable String instanceId;
        final Topology topology;
        int epoch;
        boolean joined;
        TaskAssignment running = TaskAssignment.EMPTY;
        TaskAssignment wanted = TaskAssignment.EMPTY;

        Client(String id, String process, @Nullable String instanceId, Topology topology) {
            this.id = id;
            this.process = process;
            this.instanceId = instanceId;
            this.topology = topology;
        }
    }

    private final StreamsStory story = new StreamsStory();
    private final Random random;
    private final TreeMap<String, Client> clients = new TreeMap<>();
    private int names;
    /** Whether clients do at once what they are told, and tell so in their next heartbeat. */
    private boolean diligent;

    RandomStreamsLife(Random random) {
        this.random = random;
        topics(true);
        config("streams.initial.rebalance.delay.ms", random.nextBoolean() ? "0" : "3000");
        config("streams.num.standby.replicas", String.valueOf(random.nextInt(3)));
    }

    StreamsStory story() {
        return story;
    }

    void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> join();
            case 3 -> leave();
            case 4 -> awayAndBack();
            case 5 -> hear(story.pass(random.nextInt(20_000)));
            case 6 -> hear(story.newLeader());
            case 7 -> upstream(random.nextBoolean());
            case 8 -> {
                topics(random.nextInt(3) > 0);
                hear(story.decide(List.of(new InternalCommand.TopicsChanged(GroupStory.GROUP))));
            }
            case 9 -> commit();
            case 10 -> hear(story.losePatience());
            case 11 -> config("streams.num.standby.replicas", String.valueOf(random.nextInt(3)));
            case 12 ->
                hear(story.decide(clients.values().stream().map(this::beat).toList()));
            default -> some().ifPresent(client -> hear(story.decide(List.of(beat(client)))));
        }
    }

    /** Lets everything come to rest; the clients of older topologies are replaced first. */
    void settle() {
        upstream(true);
        topics(true);
        diligent = true;
        hear(story.losePatience());
        Topology newest = topology(false);
        clients.replaceAll((id, client) -> {
            if (client.topology.equals(newest)) {
                return client;
            }
            hear(story.decide(List.of(heartbeat(client, -1))));
            return new Client(id, client.process, client.instanceId, newest);
        });
        for (int round = 0; round < 20; round++) {
            hear(story.pass(3_000));
            clients.values().stream().toList().forEach(client -> hear(story.decide(List.of(beat(client)))));
        }
    }

    List<GroupStory.Scene> beatAll() {
        List<GroupStory.Scene> scenes = new ArrayList<>();
        clients.values().forEach(client -> scenes.addAll(story.decide(List.of(beat(client)))));
        return scenes;
    }

    private void join() {
        names++;
        String process = "p" + random.nextInt(3);
        String instanceId = random.nextInt(3) == 0 ? "i" + names : null;
        Client client = new Client("m" + names, process, instanceId, topology(random.nextInt(6) == 0));
        clients.put(client.id, client);
        hear(story.decide(List.of(heartbeat(client, 0))));
    }

    /** The group's topology, or the next one. */
    private Topology topology(boolean next) {
        int epoch = story.streams().topology().map(Topology::epoch).orElse(0);
        return TOPOLOGIES.get(Math.min(next ? epoch + 1 : epoch, TOPOLOGIES.size() - 1));
    }

    private void leave() {
        some().ifPresent(client -> {
            clients.remove(client.id);
            hear(story.decide(List.of(heartbeat(client, -1))));
        });
    }

    /** A static member leaves for a while and comes back, now and then as another. */
    private void awayAndBack() {
        some().filter(client -> client.instanceId != null && client.joined).ifPresent(client -> {
            hear(story.decide(List.of(heartbeat(client, -2))));
            clients.remove(client.id);
            names++;
            String id = random.nextBoolean() ? client.id : "m" + names;
            Client back = new Client(id, "p" + random.nextInt(3), client.instanceId, topology(random.nextInt(6) == 0));
            clients.put(back.id, back);
            hear(story.decide(List.of(heartbeat(back, 0))));
        });
    }

    private void commit() {
        some().filter(client -> client.joined).ifPresent(client -> {
            names++;
            hear(story.decide(List.of(new CommitCommand.Admit(
                    GroupStory.GROUP,
                    "c" + names,
                    client.id,
                    client.id,
                    "",
                    client.epoch,
                    CommitCommand.Kind.PLAIN,
                    9,
                    Set.of(new TopicPartition("foo", random.nextInt(PARTITIONS)))))));
            if (random.nextBoolean()) {
                hear(story.decide(List.of(new CommitCommand.Settled(GroupStory.GROUP, "c" + names, false))));
            }
        });
    }

    private void upstream(boolean there) {
        story.upstreamAway(!there);
        hear(story.hearUpstream());
    }

    private void topics(boolean there) {
        for (String name : List.of("foo", "bar", "rep", "log")) {
            if (there || random.nextBoolean()) {
                story.topic(name, PARTITIONS);
            } else if (random.nextBoolean()) {
                story.absent(name);
            } else {
                story.forgetTopic(name);
            }
        }
    }

    private void config(String name, String value) {
        TreeMap<String, Optional<String>> changes = new TreeMap<>(Map.of(name, Optional.of(value)));
        hear(story.decide(List.of(new GroupCommand.AlterConfigs(GroupStory.GROUP, changes, false))));
    }

    private Optional<Client> some() {
        return clients.values().stream()
                .skip(clients.isEmpty() ? 0 : random.nextInt(clients.size()))
                .findFirst();
    }

    private StreamsHeartbeat beat(Client client) {
        if (!client.joined) {
            return heartbeat(client, 0);
        }
        if (diligent || random.nextInt(4) > 0) {
            client.running = client.running.intersect(client.wanted).plus(client.wanted);
        }
        return heartbeat(client, client.epoch);
    }

    private StreamsHeartbeat heartbeat(Client client, int epoch) {
        boolean joins = epoch == 0;
        TaskAssignment owned = joins ? TaskAssignment.EMPTY : client.running;
        return new StreamsHeartbeat(
                GroupStory.GROUP,
                client.id,
                epoch,
                0,
                client.instanceId,
                null,
                joins ? 30_000 : -1,
                joins ? client.topology : null,
                joins || diligent || random.nextInt(3) > 0
                        ? new OwnedTasks(owned.active(), owned.standby(), Partitions.none())
                        : OwnedTasks.UNCHANGED,
                joins ? client.process : null,
                null,
                joins ? new TreeMap<>() : null,
                null,
                null,
                false,
                new ClientInfo("c", "/h"),
                1);
    }

    /** Lets the clients hear what they were answered. */
    private void hear(List<GroupStory.Scene> scenes) {
        for (GroupStory.Scene scene : scenes) {
            for (Reply reply : scene.decision().replies()) {
                Command command = scene.arrivals().get(reply.arrival()).command();
                if (command instanceof StreamsHeartbeat heartbeat) {
                    Client client = clients.get(heartbeat.memberId());
                    if (client != null) {
                        hear(client, reply.response());
                    }
                }
            }
        }
    }

    private static void hear(Client client, Response response) {
        if (response instanceof Response.StreamsHeartbeatAnswer answer && answer.memberEpoch() >= 0) {
            client.joined = true;
            client.epoch = answer.memberEpoch();
            if (answer.assignment() != null) {
                client.wanted = answer.assignment();
            }
        } else if (response instanceof Response.Refused) {
            client.joined = false;
            client.running = TaskAssignment.EMPTY;
            client.wanted = TaskAssignment.EMPTY;
        }
    }
}
