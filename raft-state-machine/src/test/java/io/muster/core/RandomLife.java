package io.muster.core;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupStory.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A random life of one group: clients that keep to the protocol, topics that come and go, leaders that change.
 *
 * @param <C> what a client knows
 */
public abstract class RandomLife<C extends RandomLife.Client> {
    /** What a client of any type knows. */
    public abstract static class Client {
        public final String id;
        public final @Nullable String instanceId;
        public int epoch;
        public boolean joined;

        protected Client(String id, @Nullable String instanceId) {
            this.id = id;
            this.instanceId = instanceId;
        }

        /** The client does what it was told. */
        protected abstract void obey();

        /** Takes in an answer that is not a refusal; one of a heartbeat that leaves does not count. */
        protected abstract void hear(Response response);

        /** The client gives up all that it has. */
        protected abstract void loseAll();
    }

    protected final Random random;
    protected final TreeMap<String, C> clients = new TreeMap<>();
    private final GroupStory story = new GroupStory();
    private final Set<String> topics;
    private final int partitions;
    private int names;
    /** Whether clients do at once what they are told, and tell so in their next heartbeat. */
    protected boolean diligent;

    protected RandomLife(Random random, Set<String> topics, int partitions) {
        this.random = random;
        this.topics = topics;
        this.partitions = partitions;
        topics(true);
    }

    protected abstract C client(String id, @Nullable String instanceId);

    protected abstract MemberHeartbeat heartbeat(C client, int epoch);

    /** Changes something that only groups of this type have. */
    protected abstract void change();

    public GroupStory story() {
        return story;
    }

    public void step() {
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
            case 11 -> change();
            case 12 ->
                hear(story.decide(clients.values().stream().map(this::beat).toList()));
            default -> some().ifPresent(client -> hear(story.decide(List.of(beat(client)))));
        }
    }

    /** Lets everything come to rest. */
    public void settle() {
        upstream(true);
        topics(true);
        rounds();
    }

    protected final void rounds() {
        for (int round = 0; round < 20; round++) {
            hear(story.pass(3_000));
            clients.values().stream().toList().forEach(client -> hear(story.decide(List.of(beat(client)))));
        }
    }

    public List<Scene> beatAll() {
        List<Scene> scenes = new ArrayList<>();
        clients.values().forEach(client -> scenes.addAll(story.decide(List.of(beat(client)))));
        return scenes;
    }

    private void join() {
        names++;
        join(client("m" + names, random.nextInt(3) == 0 ? "i" + names : null));
    }

    private void join(C client) {
        clients.put(client.id, client);
        hear(story.decide(List.of(heartbeat(client, MemberHeartbeat.JOIN_EPOCH))));
    }

    private void leave() {
        some().ifPresent(client -> {
            clients.remove(client.id);
            hear(story.decide(List.of(heartbeat(client, MemberHeartbeat.LEAVE_EPOCH))));
        });
    }

    /** A static member leaves for a while and comes back, now and then as another. */
    private void awayAndBack() {
        some().filter(client -> client.instanceId != null && client.joined).ifPresent(client -> {
            hear(story.decide(List.of(heartbeat(client, MemberHeartbeat.TEMPORARY_LEAVE_EPOCH))));
            clients.remove(client.id);
            names++;
            join(client(random.nextBoolean() ? client.id : "m" + names, client.instanceId));
        });
    }

    private void commit() {
        some().filter(client -> client.joined).ifPresent(client -> {
            names++;
            hear(story.decide(List.of(new CommitCommand.Admit(
                    GroupStory.GROUP,
                    "c" + names,
                    CommitCommand.Connection.justOpened(client.id),
                    new CommitCommand.Committer(client.id, "", client.epoch),
                    CommitCommand.Kind.PLAIN,
                    9,
                    Set.of(new TopicPartition("foo", random.nextInt(partitions)))))));
            if (random.nextBoolean()) {
                hear(story.decide(List.of(new CommitCommand.Settled(GroupStory.GROUP, "c" + names, false))));
            }
        });
    }

    protected final void upstream(boolean there) {
        story.upstreamAway(!there);
        hear(story.hearUpstream());
    }

    protected final void topics(boolean there) {
        for (String name : topics) {
            if (there || random.nextBoolean()) {
                story.topic(name, partitions);
            } else if (random.nextBoolean()) {
                story.absent(name);
            } else {
                story.forgetTopic(name);
            }
        }
    }

    protected final void config(String name, String value) {
        TreeMap<String, Optional<String>> changes = new TreeMap<>(Map.of(name, Optional.of(value)));
        hear(story.decide(List.of(new GroupCommand.AlterConfigs(GroupStory.GROUP, changes, false))));
    }

    protected final Optional<C> some() {
        return clients.values().stream()
                .skip(clients.isEmpty() ? 0 : random.nextInt(clients.size()))
                .findFirst();
    }

    private MemberHeartbeat beat(C client) {
        if (!client.joined) {
            return heartbeat(client, MemberHeartbeat.JOIN_EPOCH);
        }
        if (diligent || random.nextInt(4) > 0) {
            client.obey();
        }
        return heartbeat(client, client.epoch);
    }

    /** Lets the clients hear what they were answered. */
    protected final void hear(List<Scene> scenes) {
        for (Scene scene : scenes) {
            for (Decision.Reply reply : scene.decision().replies()) {
                if (scene.arrivals().get(reply.arrival()).command() instanceof MemberHeartbeat heartbeat) {
                    Optional.ofNullable(clients.get(heartbeat.memberId()))
                            .ifPresent(client -> hear(client, reply.response()));
                }
            }
        }
    }

    private void hear(C client, Response response) {
        if (response instanceof Response.Refused) {
            client.joined = false;
            client.loseAll();
        } else {
            client.hear(response);
        }
    }
}
