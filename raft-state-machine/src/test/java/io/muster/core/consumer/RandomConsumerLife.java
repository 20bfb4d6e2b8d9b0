package io.muster.core.consumer;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Decision.Reply;
import io.muster.core.GroupCommand;
import io.muster.core.GroupStory;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A random life of one group: clients that keep to the protocol, topics that come and go, leaders that change. */
final class RandomConsumerLife {
    static final List<String> TOPICS = List.of("foo", "bar");
    static final int PARTITIONS = 5;

    /** What a client knows. */
    private static final class Client {
        final String id;
        final @Nullable String instanceId;
        List<String> topics;
        int epoch;
        boolean joined;
        Partitions<UUID> owned = Partitions.none();
        Partitions<UUID> wanted = Partitions.none();

        Client(String id, @Nullable String instanceId, List<String> topics) {
            this.id = id;
            this.instanceId = instanceId;
            this.topics = topics;
        }
    }

    private final ConsumerStory story = new ConsumerStory();
    private final Random random;
    private final TreeMap<String, Client> clients = new TreeMap<>();
    private int names;

    RandomConsumerLife(Random random) {
        this.random = random;
        topics(true);
        config(random.nextBoolean() ? "0" : "1000");
    }

    ConsumerStory story() {
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
            case 11 -> some().filter(client -> client.joined).ifPresent(client -> client.topics = someTopics());
            case 12 ->
                hear(story.decide(clients.values().stream().map(this::beat).toList()));
            default -> some().ifPresent(client -> hear(story.decide(List.of(beat(client)))));
        }
    }

    /** Lets everything come to rest. */
    void settle() {
        upstream(true);
        topics(true);
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

    private List<String> someTopics() {
        return switch (random.nextInt(4)) {
            case 0 -> List.of("foo");
            case 1 -> List.of("bar");
            default -> TOPICS;
        };
    }

    private void join() {
        names++;
        Client client = new Client("m" + names, random.nextInt(3) == 0 ? "i" + names : null, someTopics());
        clients.put(client.id, client);
        hear(story.decide(List.of(heartbeat(client, 0))));
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
            Client back = new Client(id, client.instanceId, someTopics());
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
        for (String name : TOPICS) {
            if (there || random.nextBoolean()) {
                story.topic(name, PARTITIONS);
            } else if (random.nextBoolean()) {
                story.absent(name);
            } else {
                story.forgetTopic(name);
            }
        }
    }

    private void config(String intervalMillis) {
        TreeMap<String, Optional<String>> changes =
                new TreeMap<>(Map.of("consumer.assignment.interval.ms", Optional.of(intervalMillis)));
        hear(story.decide(List.of(new GroupCommand.AlterConfigs(GroupStory.GROUP, changes, false))));
    }

    private Optional<Client> some() {
        return clients.values().stream()
                .skip(clients.isEmpty() ? 0 : random.nextInt(clients.size()))
                .findFirst();
    }

    private ConsumerHeartbeat beat(Client client) {
        if (!client.joined) {
            return heartbeat(client, 0);
        }
        if (random.nextInt(4) > 0) {
            client.owned = client.wanted;
        }
        return heartbeat(client, client.epoch);
    }

    private ConsumerHeartbeat heartbeat(Client client, int epoch) {
        boolean joins = epoch == 0;
        return new ConsumerHeartbeat(
                GroupStory.GROUP,
                client.id,
                epoch,
                client.instanceId,
                null,
                joins ? 30_000 : -1,
                client.topics,
                null,
                null,
                joins ? Partitions.none() : random.nextInt(3) > 0 ? client.owned : null,
                new ClientInfo("c", "/h"),
                1);
    }

    /** Lets the clients hear what they were answered. */
    private void hear(List<GroupStory.Scene> scenes) {
        for (GroupStory.Scene scene : scenes) {
            for (Reply reply : scene.decision().replies()) {
                Command command = scene.arrivals().get(reply.arrival()).command();
                if (command instanceof ConsumerHeartbeat heartbeat) {
                    Client client = clients.get(heartbeat.memberId());
                    if (client != null) {
                        hear(client, reply.response());
                    }
                }
            }
        }
    }

    private static void hear(Client client, Response response) {
        if (response instanceof Response.ConsumerHeartbeatAnswer answer && answer.memberEpoch() >= 0) {
            client.joined = true;
            client.epoch = answer.memberEpoch();
            if (answer.assignment() != null) {
                client.wanted = answer.assignment();
            }
        } else if (response instanceof Response.Refused) {
            client.joined = false;
            client.owned = Partitions.none();
            client.wanted = Partitions.none();
        }
    }
}
