package io.muster.core;

import java.util.List;
import java.util.Set;

/** What an offset request of an owned group needs from its coordinator before it goes upstream under the claim. */
public sealed interface CommitCommand extends Command {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(Admit command);

        T on(Settled command);

        T on(AdmitFetch command);

        T on(AdmitDelete command);
    }

    /** Hands the command to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(Command.Handler<T> handler) {
        return handler.on(this);
    }

    /**
     * Asks that a commit be let through; answered with {@link Response.CommitAdmitted} or one refusal a partition.
     *
     * @param admissionId unique over all gateways and time; names this admission until {@link Settled}
     * @param connection the client's connection
     * @param kind which request it is
     * @param apiVersion version of the client's request
     */
    record Admit(
            String groupId,
            String admissionId,
            Connection connection,
            Committer committer,
            Kind kind,
            int apiVersion,
            Set<TopicPartition> partitions)
            implements CommitCommand {
        public Admit {
            partitions = Set.copyOf(partitions);
        }

        public String memberId() {
            return committer.memberId();
        }

        public int memberEpoch() {
            return committer.memberEpoch();
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * Who commits, by its own account.
     *
     * @param memberId empty if none
     * @param instanceId empty if none
     * @param memberEpoch epoch or generation of the request, -1 if none
     */
    record Committer(String memberId, String instanceId, int memberEpoch) {}

    /**
     * A client's connection to a gateway.
     *
     * @param id unique over all gateways and time
     * @param ageMillis how long ago it was opened
     * @param heardBefore the latest times of shards that its gateway had heard of when it was opened
     */
    record Connection(String id, long ageMillis, List<ShardTime> heardBefore) {
        public Connection {
            heardBefore = List.copyOf(heardBefore);
        }

        /** A connection that was just opened, by a gateway that has heard of no times. */
        public static Connection justOpened(String id) {
            return new Connection(id, 0, List.of());
        }

        /** Whether it was certainly opened after this time. */
        public boolean wasOpenedAfter(ShardTime time) {
            return heardBefore.stream().anyMatch(heard -> heard.hasReached(time));
        }
    }

    /** The requests that change or read offsets. */
    enum Kind {
        PLAIN,
        TRANSACTIONAL
    }

    /** A partition by topic name. */
    record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
        @Override
        public int compareTo(TopicPartition other) {
            int byTopic = topic.compareTo(other.topic);
            return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
        }
    }

    /**
     * An admitted commit was heard back, or never sent.
     *
     * @param claimRefused whether upstream refused the claim's identity that it was admitted with
     */
    record Settled(String groupId, String admissionId, boolean claimRefused) implements CommitCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Asks whether a member may fetch offsets; answered with {@link Response.Done} or {@link Response.CommitRefused}. */
    record AdmitFetch(String groupId, String memberId, int memberEpoch) implements CommitCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * Asks which of the topics' offsets may be deleted (OffsetDelete): answered with {@link Response.TopicsAllowed} once the
     * claim has stepped aside, since upstream deletes no offset under it; {@link Settled} brings it back.
     *
     * @param admissionId names this admission until {@link Settled}
     */
    record AdmitDelete(String groupId, String admissionId, Set<String> topics) implements CommitCommand {
        public AdmitDelete {
            topics = Set.copyOf(topics);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
