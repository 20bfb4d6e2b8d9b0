package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;

/** The members of one Streams group on one target. */
final class RandomStreams implements RandomGroup {
    static final int MEMBERS = 5;

    private static final int STATIC_FROM = 3;
    private static final int SETTLED_ROUNDS = 60;
    private static final int LARGEST_TOPIC = 8;
    private static final long SEEN_MILLIS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final RandomTarget target;
    private final RandomTopology topology;
    private final RandomStreamsOthers others;
    private final List<RandomInstance> members = new ArrayList<>();
    private ObjectNode last = RandomTarget.NODES.objectNode();
    private boolean settling;
    private int sentEndpointEpoch;
    private int partitionsOfFoo = 4;
    private boolean bazExists;

    RandomStreams(RandomTarget target, RandomTopology topology) throws IOException {
        this.target = target;
        this.topology = topology;
        this.others = new RandomStreamsOthers(target, topology);
        target.createTopic("foo", partitionsOfFoo);
        target.createTopic("bar", 3);
        ObjectNode configs = RandomTarget.NODES.objectNode().put("streams.assignment.interval.ms", "0");
        target.setGroupConfigs("g", configs.put("streams.initial.rebalance.delay.ms", "0"));
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new RandomInstance(target, topology, i, i >= STATIC_FROM ? "i" + i : null));
        }
        if (topology.hasInternalTopics()) {
            haveInternalTopicsCreated();
        }
    }

    /** What the clients of a Streams group do, each as often as its weight says. */
    enum Action {
        JOIN(7),
        HEARTBEAT(4),
        ACKNOWLEDGE(9),
        KEEP_OWNING(2),
        LOST_REPLY(4),
        RESEND(3),
        PARTIAL_OWNERSHIP(2),
        STALE_EPOCH(4),
        EPOCH_AHEAD(1),
        UNKNOWN_TASKS(1),
        TELL(1),
        PROCESS(1),
        TAGS(1),
        RACK(1),
        ENDPOINT(1),
        TASK_OFFSETS(1),
        LEAVE(3),
        SWAP_STATIC(2),
        STRANGER(1),
        INVALID(1),
        OLD_VERSION(1),
        SHUT_DOWN(1),
        COMMIT(1),
        FETCH(1),
        OTHER_PROTOCOL(1),
        LOOK(1),
        DELETE_GROUP(1),
        STANDBYS(1),
        GROW_TOPIC(1),
        CREATE_OR_DELETE_TOPIC(2);

        private final int weight;

        Action(int weight) {
            this.weight = weight;
        }

        int weight() {
            return weight;
        }
    }

    @Override
    public RandomReply play(RandomStep step) throws IOException {
        return new RandomReply(words(step), picture());
    }

    private Words words(RandomStep step) throws IOException {
        RandomInstance member = members.get(step.member());
        return switch (Action.valueOf(step.action())) {
            case JOIN -> taken(member, member.asJoining());
            case HEARTBEAT -> taken(member, member.heartbeat());
            case ACKNOWLEDGE -> taken(member, member.heartbeat(member.assigned()));
            case KEEP_OWNING -> taken(member, member.heartbeat(member.before()));
            case LOST_REPLY -> lost(member, step);
            case RESEND -> last.isEmpty() ? Words.NOTHING : words(send(last, 1));
            case PARTIAL_OWNERSHIP -> words(send(member.heartbeat(member.partly()), 1));
            case STALE_EPOCH -> stale(member, step);
            case EPOCH_AHEAD -> words(send(member.heartbeat().put("memberEpoch", member.epoch() + 1), 1));
            case UNKNOWN_TASKS -> words(send(others.unknownTasks(member, step), 1));
            case TELL, PROCESS, TAGS, RACK, ENDPOINT -> tell(member, step);
            case TASK_OFFSETS -> words(send(others.taskOffsets(member, step), 1));
            case LEAVE -> leave(member, step);
            case SWAP_STATIC -> swap(member);
            case STRANGER -> words(send(others.stranger(member, step), 1));
            case INVALID -> words(send(others.invalid(member, step), 1));
            case OLD_VERSION -> takenIn(member, member.heartbeat(member.assigned()), 0);
            case SHUT_DOWN ->
                step.oneOf(4) > 0
                        ? Words.NOTHING
                        : taken(member, member.heartbeat(member.assigned()).put("shutdownApplication", true));
            case COMMIT -> others.commit(member, step);
            case FETCH -> others.fetch(member, step);
            case OTHER_PROTOCOL -> others.otherProtocol(member, step);
            case LOOK -> others.look(step);
            case DELETE_GROUP -> others.deleteGroup();
            case STANDBYS -> standbys(step);
            case GROW_TOPIC -> grow();
            case CREATE_OR_DELETE_TOPIC -> createOrDelete();
        };
    }

    private Words tell(RandomInstance member, RandomStep step) throws IOException {
        switch (Action.valueOf(step.action())) {
            case PROCESS -> member.moveTo("p" + step.oneOf(4));
            case TAGS -> member.tag("zone-" + step.oneOf(3));
            case RACK -> member.rack("rack-" + step.oneOf(3));
            case ENDPOINT -> {
                // Kafka fails on an endpoint while topics are missing
                if (topology == RandomTopology.WAITING) {
                    return Words.NOTHING;
                }
                member.listenOn(1_000 + step.oneOf(3));
            }
            default -> {}
        }
        return taken(member, member.telling(member.assigned()));
    }

    private Words lost(RandomInstance member, RandomStep step) throws IOException {
        return words(
                switch (step.oneOf(4)) {
                    case 0 -> send(member.heartbeat(), 1);
                    case 1 -> send(member.telling(member.assigned()), 1);
                    default -> send(member.heartbeat(member.assigned()), 1);
                });
    }

    private Words stale(RandomInstance member, RandomStep step) throws IOException {
        if (member.isSettled()) {
            return Words.NOTHING;
        }
        ObjectNode body = member.heartbeat().put("memberEpoch", Math.max(1, member.epoch() - 1));
        return words(
                switch (step.oneOf(4)) {
                    case 0 -> send(body, 1);
                    case 1 -> send(body.setAll(RandomInstance.nothing()), 1);
                    case 2 -> send(body.setAll(member.partly()), 1);
                    default -> send(body.setAll(member.assigned().deepCopy()), 1);
                });
    }

    private Words leave(RandomInstance member, RandomStep step) throws IOException {
        boolean forAWhile = member.isStatic() ? step.oneOf(3) > 0 : step.oneOf(6) == 0;
        return taken(member, member.heartbeat().put("memberEpoch", forAWhile ? -2 : -1));
    }

    /**
     * Another process with the same instance id. That the old one says something still, or that a join comes before the old one is
     * away, is left to scripted cases: by either, though refused, Kafka 4.4.0 mislays what the instance shall have (it renames the
     * entry of its cache of targets before it looks who asks) and raises the group epoch once it notices.
     */
    private Words swap(RandomInstance member) throws IOException {
        if (!member.isStatic()) {
            return Words.NOTHING;
        }
        send(member.heartbeat().put("memberEpoch", -2), 1);
        member.swap(1);
        JsonNode joined = send(member.asJoining(), 1);
        if (joined.path("errorCode").asInt() == 0) {
            member.take(joined);
        } else {
            member.swap(-1);
        }
        return words(joined);
    }

    private Words standbys(RandomStep step) throws IOException {
        String number = Integer.toString(step.oneOf(3));
        target.setGroupConfigs("g", RandomTarget.NODES.objectNode().put("streams.num.standby.replicas", number));
        return new Words("", number);
    }

    private Words grow() throws IOException {
        boolean read = members.stream().anyMatch(RandomInstance::isIn);
        if (topology != RandomTopology.STATELESS || partitionsOfFoo >= LARGEST_TOPIC || !read) {
            return Words.NOTHING;
        }
        int epoch = settledEpoch();
        partitionsOfFoo++;
        target.growTopic("foo", partitionsOfFoo);
        return movedOn(epoch);
    }

    private Words createOrDelete() throws IOException {
        boolean read = members.stream().anyMatch(RandomInstance::isIn);
        if (topology != RandomTopology.WAITING || !read) {
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
        return groupEpoch();
    }

    /** Internal topics come some time after a group asked for them. */
    private void haveInternalTopicsCreated() throws IOException {
        RandomInstance first = members.get(0);
        Deadline deadline = Deadline.in(LIMIT);
        first.take(send(first.asJoining(), 1));
        JsonNode answer = send(first.heartbeat(first.assigned()), 1);
        while (!answer.path("status").isEmpty() && !deadline.isPast()) {
            first.take(answer);
            Deadline.pass(SEEN_MILLIS);
            answer = send(first.heartbeat(first.assigned()), 1);
        }
        leave();
        // How often the epoch rose meanwhile depends on how many topics came at a time.
        others.deleteGroup();
    }

    /** All members join again, since some may have missed what they were told last; in the end, all hear of the others. */
    @Override
    public GroupPicture settle() throws IOException {
        settling = true;
        List<String> ids = describe().path("members").findValuesAsText("memberId");
        for (RandomInstance member : members) {
            if (ids.contains(member.id())) {
                comeBack(member);
            }
        }
        for (int i = 0; i < SETTLED_ROUNDS; i++) {
            JsonNode group = describe();
            if (i > 0 && isSettled(group)) {
                break;
            }
            goOn(group);
        }
        goOn(describe());
        settling = false;
        last = RandomTarget.NODES.objectNode();
        members.forEach(RandomInstance::noteSettled);
        return picture();
    }

    private static boolean isSettled(JsonNode group) {
        boolean settled = true;
        for (JsonNode member : group.path("members")) {
            settled &= isAt(member, group);
        }
        String state = group.path("groupState").asText();
        return settled && !state.equals("Reconciling") && !state.equals("Assigning");
    }

    private static boolean isAt(JsonNode member, JsonNode group) {
        return member.path("memberEpoch").asInt() == group.path("groupEpoch").asInt();
    }

    private void goOn(JsonNode group) throws IOException {
        List<String> ids = group.path("members").findValuesAsText("memberId");
        for (RandomInstance member : members) {
            if (ids.contains(member.id())) {
                member.take(send(member.heartbeat(member.assigned()), 1));
            }
        }
    }

    private void comeBack(RandomInstance member) throws IOException {
        if (member.isStatic()) {
            send(member.heartbeat().put("memberEpoch", -2), 1);
        }
        member.take(send(member.asJoining(), 1));
    }

    @Override
    public GroupPicture leave() throws IOException {
        settling = true;
        for (RandomInstance member : members) {
            member.take(send(member.heartbeat().put("memberEpoch", -1), 1));
            member.forgetAll();
        }
        settling = false;
        return picture();
    }

    @Override
    public void close() throws IOException {
        target.close();
    }

    private JsonNode describe() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("groupIds").add(target.unique("g"));
        return target.call(ApiMessageType.STREAMS_GROUP_DESCRIBE, 1, body)
                .path("groups")
                .path(0);
    }

    private int groupEpoch() throws IOException {
        return describe().path("groupEpoch").asInt();
    }

    private GroupPicture picture() throws IOException {
        return StreamsPictures.of(describe(), target);
    }

    private Words taken(RandomInstance member, JsonNode body) throws IOException {
        return takenIn(member, body, 1);
    }

    private Words takenIn(RandomInstance member, JsonNode body, int version) throws IOException {
        JsonNode answer = send(body, version);
        member.take(answer);
        return words(answer);
    }

    private JsonNode send(JsonNode body, int version) throws IOException {
        ObjectNode heartbeat = body.deepCopy();
        sentEndpointEpoch = heartbeat.path("endpointInformationEpoch").asInt();
        if (!settling) {
            last = heartbeat;
        }
        return target.call(ApiMessageType.STREAMS_GROUP_HEARTBEAT, version, heartbeat);
    }

    private Words words(JsonNode answer) {
        return StreamsPictures.words(answer, sentEndpointEpoch, target);
    }
}
