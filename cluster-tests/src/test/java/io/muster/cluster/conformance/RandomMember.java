package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one member keeps between two heartbeats, and the requests that it makes of it. */
abstract class RandomMember {
    static final int REBALANCE_MILLIS = 300_000;

    /** UNKNOWN_MEMBER_ID. */
    private static final int UNKNOWN = 25;

    private final RandomTarget target;
    private final int number;
    private final @Nullable String instanceId;
    private int lives;
    private boolean in;
    private int epoch;
    private int settledEpoch = -1;
    private JsonNode before = nothing();
    private JsonNode assigned = nothing();

    RandomMember(RandomTarget target, int number, @Nullable String instanceId) {
        this.target = target;
        this.number = number;
        this.instanceId = instanceId;
    }

    /** An assignment of nothing. */
    abstract JsonNode nothing();

    /** A heartbeat that says what the member has. */
    abstract ObjectNode heartbeat(JsonNode owned);

    /** A heartbeat that says all that the member knows of itself. */
    abstract ObjectNode full(JsonNode owned);

    /** A heartbeat of a process that begins; if it is let in, it has forgotten what it had. */
    abstract ObjectNode asJoining();

    /** A part of what it was assigned. */
    abstract JsonNode partly();

    /** What an answer assigns; empty if it leaves things as they are. */
    abstract Optional<JsonNode> told(JsonNode answer);

    String id() {
        return target.memberId("m" + number + "-" + lives);
    }

    /** Whether it is in the group, for all it knows. */
    boolean isIn() {
        return in;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    int epoch() {
        return epoch;
    }

    /** From now on, what went before its epoch is not the same on every target. */
    void noteSettled() {
        settledEpoch = epoch;
    }

    boolean isSettled() {
        return epoch == settledEpoch;
    }

    JsonNode assigned() {
        return assigned;
    }

    /** What it had before it was last told of an assignment. */
    JsonNode before() {
        return before;
    }

    void forgetAll() {
        epoch = 0;
        assigned = nothing();
        before = assigned;
    }

    /** Another process begins with the same instance id, or gives way to the old one again. */
    void swap(int step) {
        lives += step;
    }

    ObjectNode heartbeat() {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.put("groupId", target.unique("g")).put("memberId", id()).put("memberEpoch", epoch);
        return instanceId == null ? body : body.put("instanceId", instanceId);
    }

    void take(JsonNode answer) {
        int error = answer.path("errorCode").asInt();
        if (error == UNKNOWN) {
            in = false;
        }
        if (error != 0) {
            return;
        }
        epoch = Math.max(0, answer.path("memberEpoch").asInt());
        in = answer.path("memberEpoch").asInt() != -1;
        told(answer).ifPresent(now -> {
            before = assigned;
            assigned = now;
        });
        if (!in) {
            forgetAll();
        }
    }
}
