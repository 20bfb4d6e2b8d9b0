package io.muster.core.consumer;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupStory;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.RandomLife;
import io.muster.core.Response;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A random life of a consumer group. */
final class RandomConsumerLife extends RandomLife<RandomConsumerLife.Consumer> {
    static final List<String> TOPICS = List.of("foo", "bar");
    static final int PARTITIONS = 5;

    /** What a consumer knows. */
    static final class Consumer extends RandomLife.Client {
        List<String> topics;
        Partitions<UUID> owned = Partitions.none();
        Partitions<UUID> wanted = Partitions.none();

        Consumer(String id, @Nullable String instanceId, List<String> topics) {
            super(id, instanceId);
            this.topics = topics;
        }

        @Override
        protected void obey() {
            owned = wanted;
        }

        @Override
        protected void hear(Response response) {
            if (response instanceof Response.ConsumerHeartbeatAnswer answer && answer.memberEpoch() >= 0) {
                joined = true;
                epoch = answer.memberEpoch();
                if (answer.assignment() != null) {
                    wanted = answer.assignment();
                }
            }
        }

        @Override
        protected void loseAll() {
            owned = Partitions.none();
            wanted = Partitions.none();
        }
    }

    RandomConsumerLife(Random random) {
        super(random, new TreeSet<>(TOPICS), PARTITIONS);
        config("consumer.assignment.interval.ms", random.nextBoolean() ? "0" : "1000");
    }

    @Override
    protected Consumer client(String id, @Nullable String instanceId) {
        return new Consumer(id, instanceId, someTopics());
    }

    @Override
    protected void change() {
        some().filter(client -> client.joined).ifPresent(client -> client.topics = someTopics());
    }

    private List<String> someTopics() {
        return switch (random.nextInt(4)) {
            case 0 -> List.of("foo");
            case 1 -> List.of("bar");
            default -> TOPICS;
        };
    }

    @Override
    protected ConsumerHeartbeat heartbeat(Consumer client, int epoch) {
        boolean joins = epoch == 0;
        return new ConsumerHeartbeat(
                new Sender(
                        GroupStory.GROUP,
                        client.id,
                        epoch,
                        client.instanceId,
                        null,
                        joins ? 30_000 : -1,
                        new ClientInfo("c", "/h"),
                        1),
                client.topics,
                null,
                null,
                joins ? Partitions.none() : random.nextInt(3) > 0 ? client.owned : null);
    }
}
