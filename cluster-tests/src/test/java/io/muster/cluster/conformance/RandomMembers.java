package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * The members of one group on one target.
 *
 * @param <M> the members of this kind of group
 */
abstract class RandomMembers<M extends RandomMember> implements RandomGroup {
    static final int MEMBERS = 5;
    static final int STATIC_FROM = 3;
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final long SEEN_MILLIS = 20;

    private static final int LARGEST_TOPIC = 8;

    private final RandomTarget target;
    private final RandomOthers<M> others;
    private final ApiMessageType heartbeat;
    private final ApiMessageType describe;
    private final List<M> members = new ArrayList<>();
    private ObjectNode last = RandomTarget.NODES.objectNode();
    private int partitionsOfFoo = 4;
    private boolean bazExists;
    private boolean settling;

    RandomMembers(RandomTarget target, RandomOthers<M> others, ApiMessageType heartbeat, ApiMessageType describe)
            throws IOException {
        this.target = target;
        this.others = others;
        this.heartbeat = heartbeat;
        this.describe = describe;
        target.createTopic("foo", partitionsOfFoo);
        target.createTopic("bar", 3);
    }

    /** What only this kind of members does. */
    abstract Words playOwn(M member, RandomStep step) throws IOException;

    /** Another process with the same instance id. */
    abstract Words swap(M member, RandomStep step) throws IOException;

    /** Lets the members go on until each has what it shall have. */
    abstract void bringTogether() throws IOException;

    /** Whether the group reads a topic, so that it moves on when the topic changes. */
    abstract boolean reads(String topic);

    /** What an answer to a heartbeat says. */
    abstract Words words(JsonNode answer);

    abstract GroupPicture picture() throws IOException;

    List<M> members() {
        return members;
    }

    @Override
    public RandomReply play(RandomStep step) throws IOException {
        return new RandomReply(words(members.get(step.member()), step), picture());
    }

    private Words words(M member, RandomStep step) throws IOException {
        return switch (step.action()) {
            case JOIN -> join(member, step);
            case HEARTBEAT -> taken(member, member.heartbeat());
            case ACKNOWLEDGE -> taken(member, member.heartbeat(member.assigned()));
            case KEEP_OWNING -> taken(member, member.heartbeat(member.before()));
            case LOST_REPLY -> lost(member, step);
            case RESEND -> last.isEmpty() ? Words.NOTHING : words(send(last, 1));
            case PARTIAL_OWNERSHIP -> words(send(member.heartbeat(member.partly()), 1));
            case STALE_EPOCH -> stale(member, step);
            case EPOCH_AHEAD -> words(send(member.heartbeat().put("memberEpoch", member.epoch() + 1), 1));
            case LEAVE -> leave(member, step);
            case SWAP_STATIC -> member.isStatic() ? swap(member, step) : Words.NOTHING;
            case STRANGER -> words(send(others.stranger(member, step), 1));
            case INVALID -> words(send(others.invalid(member, step), 1));
            case OLD_VERSION -> takenIn(member, member.heartbeat(member.assigned()), 0);
            case COMMIT -> others.commit(member, step);
            case FETCH -> others.fetch(member, step);
            case OTHER_PROTOCOL -> others.otherProtocol(member, step);
            case LOOK -> others.look(step);
            case DELETE_GROUP -> others.deleteGroup();
            case GROW_TOPIC -> grow();
            case CREATE_OR_DELETE_TOPIC -> createOrDelete();
            default -> playOwn(member, step);
        };
    }

    Words join(M member, RandomStep step) throws IOException {
        return taken(member, member.asJoining());
    }

    private Words lost(M member, RandomStep step) throws IOException {
        return words(
                switch (step.oneOf(4)) {
                    case 0 -> send(member.heartbeat(), 1);
                    case 1 -> send(member.full(member.assigned()), 1);
                    default -> send(member.heartbeat(member.assigned()), 1);
                });
    }

    private Words stale(M member, RandomStep step) throws IOException {
        if (member.isSettled()) {
            return Words.NOTHING;
        }
        ObjectNode body = switch (step.oneOf(4)) {
            case 0 -> member.heartbeat();
            case 1 -> member.heartbeat(member.nothing());
            case 2 -> member.heartbeat(member.partly());
            default -> member.heartbeat(member.assigned());
        };
        return words(send(body.put("memberEpoch", Math.max(1, member.epoch() - 1)), 1));
    }

    private Words leave(M member, RandomStep step) throws IOException {
        boolean forAWhile = member.isStatic() ? step.oneOf(3) > 0 : step.oneOf(6) == 0;
        return taken(member, member.heartbeat().put("memberEpoch", forAWhile ? -2 : -1));
    }

    /** Another process takes the place of the member; says what it was answered. */
    JsonNode replaced(M member) throws IOException {
        member.swap(1);
        JsonNode joined = send(member.asJoining(), 1);
        if (joined.path("errorCode").asInt() == 0) {
            member.take(joined);
        } else {
            member.swap(-1);
        }
        return joined;
    }

    private Words grow() throws IOException {
        if (partitionsOfFoo >= LARGEST_TOPIC || !reads("foo")) {
            return Words.NOTHING;
        }
        int epoch = settledEpoch();
        partitionsOfFoo++;
        target.growTopic("foo", partitionsOfFoo);
        return movedOn(epoch);
    }

    private Words createOrDelete() throws IOException {
        if (!reads("baz")) {
            return Words.NOTHING;
        }
        int epoch = settledEpoch();
        if (bazExists) {
            target.deleteTopic("baz");
        } else {
            target.createTopic("baz", 2);
        }
        bazExists = !bazExists;
        return movedOn(epoch);
    }

    /** Lets the members go on until the coordinator has seen that topics changed. */
    private Words movedOn(int epoch) throws IOException {
        Deadline deadline = Deadline.in(LIMIT);
        while (settledEpoch() <= epoch && !deadline.isPast()) {
            Deadline.pass(SEEN_MILLIS);
        }
        return new Words("", settledEpoch() <= epoch ? "the epoch stays" : "the epoch moves on");
    }

    private int settledEpoch() throws IOException {
        settle();
        return describe().path("groupEpoch").asInt();
    }

    @Override
    public GroupPicture settle() throws IOException {
        settling = true;
        bringTogether();
        return settled();
    }

    @Override
    public GroupPicture leave() throws IOException {
        settling = true;
        for (M member : members) {
            member.take(send(member.heartbeat().put("memberEpoch", -1), 1));
            member.forgetAll();
        }
        return settled();
    }

    private GroupPicture settled() throws IOException {
        settling = false;
        last = RandomTarget.NODES.objectNode();
        members.forEach(RandomMember::noteSettled);
        return picture();
    }

    static boolean isAt(JsonNode member, JsonNode group) {
        return member.path("memberEpoch").asInt() == group.path("groupEpoch").asInt();
    }

    /** Joins again, as one that missed what it was told last. */
    void comeBack(M member) throws IOException {
        if (member.isStatic()) {
            send(member.heartbeat().put("memberEpoch", -2), 1);
        }
        member.take(send(member.asJoining(), 1));
    }

    JsonNode describe() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("groupIds").add(target.unique("g"));
        return target.call(describe, 1, body).path("groups").path(0);
    }

    Words taken(M member, ObjectNode body) throws IOException {
        return takenIn(member, body, 1);
    }

    private Words takenIn(M member, ObjectNode body, int version) throws IOException {
        JsonNode answer = send(body, version);
        member.take(answer);
        return words(answer);
    }

    JsonNode send(ObjectNode body, int version) throws IOException {
        ObjectNode sent = body.deepCopy();
        if (!settling) {
            last = sent;
        }
        return target.call(heartbeat, version, sent);
    }

    @Override
    public void close() throws IOException {
        target.close();
    }
}
