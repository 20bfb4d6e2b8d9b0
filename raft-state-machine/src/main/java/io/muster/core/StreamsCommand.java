package io.muster.core;

import java.util.List;
import java.util.SortedMap;

/** What only Streams groups are asked. */
public sealed interface StreamsCommand extends Command
        permits StreamsHeartbeat,
                StreamsCommand.ResetTopology,
                StreamsCommand.UpdateTopologyDescription,
                StreamsCommand.InternalTopicsReported,
                StreamsCommand.EndOffsetsRead {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(StreamsHeartbeat heartbeat);

        T on(ResetTopology reset);

        T on(UpdateTopologyDescription update);

        T on(InternalTopicsReported report);

        T on(EndOffsetsRead read);
    }

    /** Hands the command to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(Command.Handler<T> handler) {
        return handler.on(this);
    }

    /**
     * Forgets the topology of an empty Streams group, so that the next member may bring any; offsets, epochs and configs stay.
     * Answered with NON_EMPTY_GROUP while it has members.
     */
    record ResetTopology(String groupId) implements StreamsCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * The textual form of a topology that a Streams member pushes.
     *
     * @param description the Kafka serialization (version 0) of the request's description, kept as it is; empty if it describes
     *     nothing
     */
    record UpdateTopologyDescription(String groupId, String memberId, int topologyEpoch, Bytes description)
            implements StreamsCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * The outcome of creating internal topics.
     *
     * @param failures message by topic name; empty if all were created or existed already
     */
    record InternalTopicsReported(String groupId, SortedMap<String, String> failures)
            implements StreamsCommand, GatewayReport {
        /** The message for topics that the client may not create; nothing was tried then. */
        public static final String UNAUTHORIZED = "Unauthorized to CREATE";

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * What a gateway read of the ends of changelogs; those that it could not read are left out.
     */
    record EndOffsetsRead(String groupId, List<PartitionEnd> ends) implements StreamsCommand, GatewayReport {
        public EndOffsetsRead {
            ends = List.copyOf(ends);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The offset after the last record of a partition. */
    record PartitionEnd(String topic, int partition, long offset) {}
}
