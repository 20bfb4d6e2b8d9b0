package io.muster.rpc;

import io.muster.core.Response;
import io.muster.runtime.GroupSummary;
import java.util.List;

/** What a node answers to a gateway. */
public sealed interface CoordinatorAnswer {
    /** Whether a heartbeat was decided; what a gateway does with that is short. */
    default boolean isToHeartbeat() {
        return this instanceof Decided decided
                && (decided.response() instanceof Response.ConsumerHeartbeatAnswer
                        || decided.response() instanceof Response.StreamsHeartbeatAnswer);
    }

    /** The command was decided, or refused. */
    record Decided(Response response) implements CoordinatorAnswer {}

    /** The node does not lead the group's shard and did nothing. */
    record NotLeader(ShardLeadership leadership) implements CoordinatorAnswer {}

    /** The groups of the shard that was asked for. */
    record Listed(List<GroupSummary> groups) implements CoordinatorAnswer {
        public Listed {
            groups = List.copyOf(groups);
        }
    }
}
