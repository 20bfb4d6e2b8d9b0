package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.message.ApiMessageType;

/** The members of one consumer group on one target. */
final class RandomConsumers implements RandomGroup {
    static final int MEMBERS = 5;

    private static final int STATIC_FROM = 3;

    /** The only member that asks for an assignor: while votes are tied, Kafka raises the epoch with each heartbeat. */
    private static final int VOTER = 0;

    private static final int SETTLED_ROUNDS = 60;
    private static final int PATIENT_ROUNDS = 12;
    private static final int LARGEST_TOPIC = 8;
    private static final long SEEN_MILLIS = 20;
    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(15);

    private final RandomTarget target;
    private final RandomConsumerOthers others;
    private final List<RandomConsumer> members = new ArrayList<>();
    private ObjectNode last = RandomTarget.NODES.objectNode();
    private int partitionsOfFoo = 4;
    private boolean bazExists;
    private boolean settling;

    RandomConsumers(RandomTarget target) throws IOException {
        this.target = target;
        this.others = new RandomConsumerOthers(target);
        target.createTopic("foo", partitionsOfFoo);
        target.createTopic("bar", 3);
        target.setGroupConfigs("g", RandomTarget.NODES.objectNode().put("consumer.assignment.interval.ms", "0"));
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new RandomConsumer(target, i, i >= STATIC_FROM ? "i" + i : null));
        }
    }

    /** What the clients of a consumer group do, each as often as its weight says. */
    enum Action {
        JOIN(6),
        HEARTBEAT(4),
        ACKNOWLEDGE(8),
        KEEP_OWNING(2),
        FULL_HEARTBEAT(3),
        LOST_REPLY(4),
        RESEND(3),
        PARTIAL_OWNERSHIP(2),
        STALE_EPOCH(4),
        EPOCH_AHEAD(1),
        SUBSCRIBE(2),
        ASSIGNOR(1),
        RACK(1),
        LEAVE(3),
        SWAP_STATIC(2),
        STRANGER(1),
        INVALID(1),
        OLD_VERSION(1),
        COMMIT(2),
        FETCH(1),
        OTHER_PROTOCOL(1),
        LOOK(1),
        DELETE_GROUP(1),
        GROW_TOPIC(1),
        CREATE_OR_DELETE_TOPIC(1);

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
        RandomConsumer member = members.get(step.member());
        return switch (Action.valueOf(step.action())) {
            case JOIN -> join(member, step);
            case HEARTBEAT -> taken(member, member.heartbeat());
            case ACKNOWLEDGE -> taken(member, member.heartbeat(member.assigned()));
            case KEEP_OWNING -> taken(member, member.heartbeat(member.before()));
            case FULL_HEARTBEAT -> taken(member, member.full(member.assigned()));
            case LOST_REPLY -> lost(member, step);
            case RESEND -> last.isEmpty() ? Words.NOTHING : words(send(last, 1));
            case PARTIAL_OWNERSHIP -> words(send(member.heartbeat(member.partly()), 1));
            case STALE_EPOCH -> stale(member, step);
            case EPOCH_AHEAD -> words(send(member.heartbeat().put("memberEpoch", member.epoch() + 1), 1));
            case SUBSCRIBE -> {
                member.subscribe(step.choice());
                yield taken(member, member.full(member.assigned()));
            }
            case ASSIGNOR -> {
                RandomConsumer voter = members.get(VOTER);
                voter.prefer(step.oneOf(2) == 0 ? "range" : "uniform");
                yield taken(voter, voter.full(voter.assigned()));
            }
            case RACK -> {
                member.moveTo("rack-" + step.oneOf(3));
                yield taken(member, member.full(member.assigned()));
            }
            case LEAVE -> leave(member, step);
            case SWAP_STATIC -> swap(member, step);
            case STRANGER -> words(send(stranger(member, step), 1));
            case INVALID -> words(send(others.invalid(member, step), 1));
            case OLD_VERSION -> takenIn(member, member.heartbeat(member.assigned()), 0);
            case COMMIT -> others.commit(member, step);
            case FETCH -> others.fetch(member, step);
            case OTHER_PROTOCOL -> others.otherProtocol(member, step);
            case LOOK -> others.look(step);
            case DELETE_GROUP -> others.deleteGroup();
            case GROW_TOPIC -> grow();
            case CREATE_OR_DELETE_TOPIC -> createOrDelete();
        };
    }

    private Words join(RandomConsumer member, RandomStep step) throws IOException {
        member.subscribe(step.choice());
        return taken(member, member.asJoining());
    }

    private Words lost(RandomConsumer member, RandomStep step) throws IOException {
        return words(
                switch (step.oneOf(4)) {
                    case 0 -> send(member.heartbeat(), 1);
                    case 1 -> send(member.full(member.assigned()), 1);
                    default -> send(member.heartbeat(member.assigned()), 1);
                });
    }

    private Words stale(RandomConsumer member, RandomStep step) throws IOException {
        if (member.isSettled()) {
            return Words.NOTHING;
        }
        ObjectNode body = member.heartbeat().put("memberEpoch", Math.max(1, member.epoch() - 1));
        return words(
                switch (step.oneOf(4)) {
                    case 0 -> send(body, 1);
                    case 1 -> send(body.set("topicPartitions", RandomTarget.NODES.arrayNode()), 1);
                    case 2 -> send(body.set("topicPartitions", member.partly()), 1);
                    default -> send(body.set("topicPartitions", member.assigned()), 1);
                });
    }

    private Words leave(RandomConsumer member, RandomStep step) throws IOException {
        boolean forAWhile = member.isStatic() ? step.oneOf(3) > 0 : step.oneOf(6) == 0;
        return taken(member, member.heartbeat().put("memberEpoch", forAWhile ? -2 : -1));
    }

    /** Another process with the same instance id; the old one may still say something. */
    private Words swap(RandomConsumer member, RandomStep step) throws IOException {
        if (!member.isStatic()) {
            return Words.NOTHING;
        }
        ObjectNode old = member.heartbeat();
        if (step.oneOf(3) > 0) {
            send(member.heartbeat().put("memberEpoch", -2), 1);
        }
        member.swap(1);
        JsonNode joined = send(member.asJoining(), 1);
        if (joined.path("errorCode").asInt() == 0) {
            member.take(joined);
        } else {
            member.swap(-1);
        }
        Words words = words(joined);
        Words ofOld = words(send(old, 1));
        return new Words(
                words.errors() + ", " + ofOld.errors(),
                words.told(),
                words.rest() + ", " + ofOld.told() + ofOld.rest());
    }

    private ObjectNode stranger(RandomConsumer member, RandomStep step) {
        ObjectNode body = member.heartbeat();
        return switch (step.oneOf(4)) {
            case 0 -> body.put("memberId", target.memberId("stranger"));
            case 1 -> body.put("instanceId", "nobody");
            case 2 -> body.put("memberId", target.memberId("stranger")).put("memberEpoch", -1);
            default -> body.putNull("instanceId");
        };
    }

    private Words grow() throws IOException {
        if (partitionsOfFoo >= LARGEST_TOPIC || !isSubscribed("foo")) {
            return Words.NOTHING;
        }
        int epoch = settledEpoch();
        partitionsOfFoo++;
        target.growTopic("foo", partitionsOfFoo);
        return movedOn(epoch);
    }

    private Words createOrDelete() throws IOException {
        if (!isSubscribed("baz")) {
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
        Deadline deadline = Deadline.in(TOPIC_LIMIT);
        while (settledEpoch() <= epoch && !deadline.isPast()) {
            Deadline.pass(SEEN_MILLIS);
        }
        return new Words("", settledEpoch() <= epoch ? "the epoch stays" : "the epoch moves on");
    }

    private int settledEpoch() throws IOException {
        settle();
        return groupEpoch();
    }

    private boolean isSubscribed(String topic) {
        return members.stream().anyMatch(member -> member.subscribesTo(topic));
    }

    /** In the last round, all members hear of what became of the others. */
    @Override
    public GroupPicture settle() throws IOException {
        settling = true;
        for (int i = 0; i < SETTLED_ROUNDS; i++) {
            JsonNode group = describe();
            if (i > 0 && isSettled(group)) {
                break;
            }
            boolean patient = i < PATIENT_ROUNDS;
            for (JsonNode each : group.path("members")) {
                goOn(each, patient || isAt(each, group));
            }
        }
        for (JsonNode each : describe().path("members")) {
            goOn(each, true);
        }
        settling = false;
        last = RandomTarget.NODES.objectNode();
        members.forEach(RandomConsumer::noteSettled);
        return picture();
    }

    private static boolean isSettled(JsonNode group) {
        boolean settled = true;
        for (JsonNode member : group.path("members")) {
            settled &= isAt(member, group);
        }
        return settled && !group.path("groupState").asText().equals("Reconciling");
    }

    private static boolean isAt(JsonNode member, JsonNode group) {
        return member.path("memberEpoch").asInt() == group.path("groupEpoch").asInt();
    }

    /** @param patient whether the member goes on from where it is; one that missed what it was told last joins again */
    private void goOn(JsonNode described, boolean patient) throws IOException {
        for (RandomConsumer member : members) {
            if (described.path("memberId").asText().equals(member.id())) {
                boolean away =
                        member.epoch() == 0 || described.path("memberEpoch").asInt() < 0;
                JsonNode answer = send(away ? member.asJoining() : member.full(member.assigned()), 1);
                member.take(answer);
                if (answer.path("errorCode").asInt() != 0 || !patient) {
                    comeBack(member);
                }
            }
        }
    }

    private void comeBack(RandomConsumer member) throws IOException {
        if (member.isStatic()) {
            send(member.heartbeat().put("memberEpoch", -2), 1);
        }
        member.take(send(member.asJoining(), 1));
    }

    @Override
    public GroupPicture leave() throws IOException {
        settling = true;
        for (RandomConsumer member : members) {
            member.take(send(member.heartbeat().put("memberEpoch", -1), 1));
            member.forgetAll();
        }
        for (JsonNode each : describe().path("members")) {
            goOn(each, true);
        }
        settling = false;
        last = RandomTarget.NODES.objectNode();
        members.forEach(RandomConsumer::noteSettled);
        return picture();
    }

    @Override
    public void close() throws IOException {
        target.close();
    }

    private JsonNode describe() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("groupIds").add(target.unique("g"));
        return target.call(ApiMessageType.CONSUMER_GROUP_DESCRIBE, 1, body)
                .path("groups")
                .path(0);
    }

    private int groupEpoch() throws IOException {
        return describe().path("groupEpoch").asInt();
    }

    private GroupPicture picture() throws IOException {
        JsonNode group = describe();
        GroupPicture.Painter painter = new GroupPicture.Painter();
        TreeMap<String, String> profiles = new TreeMap<>();
        for (JsonNode member : group.path("members")) {
            String name = target.stable(member.path("memberId").asText());
            profiles.put(name, profile(member));
            painter.subscribe(name, subscribed(member));
            painter.add(
                    name,
                    member.path("memberEpoch").asInt(),
                    partitions(member.path("assignment")),
                    partitions(member.path("targetAssignment")));
        }
        String facts = "error %s, group epoch %s, assignment epoch %s, %s %s"
                .formatted(
                        group.path("errorCode").asText(),
                        group.path("groupEpoch").asText(),
                        group.path("assignmentEpoch").asText(),
                        group.path("assignorName").asText(),
                        profiles);
        return painter.paint(facts, group.path("groupState").asText());
    }

    private String profile(JsonNode member) {
        return "%s %s %s %s %s"
                .formatted(
                        member.path("instanceId").asText(),
                        member.path("rackId").asText(),
                        subscribed(member),
                        target.plain(member.path("subscribedTopicRegex").asText()),
                        member.path("memberType").asText());
    }

    private Set<String> subscribed(JsonNode member) {
        TreeSet<String> topics = new TreeSet<>();
        member.path("subscribedTopicNames").forEach(topic -> topics.add(target.plain(topic.asText())));
        return topics;
    }

    private List<String> partitions(JsonNode assignment) {
        List<String> partitions = new ArrayList<>();
        for (JsonNode topic : assignment.path("topicPartitions")) {
            String name = target.plain(topic.path("topicName").asText());
            topic.path("partitions").forEach(partition -> partitions.add(name + "/" + partition.asInt()));
        }
        return partitions;
    }

    private Words taken(RandomConsumer member, JsonNode body) throws IOException {
        return takenIn(member, body, 1);
    }

    private Words takenIn(RandomConsumer member, JsonNode body, int version) throws IOException {
        JsonNode answer = send(body, version);
        member.take(answer);
        return words(answer);
    }

    private JsonNode send(JsonNode body, int version) throws IOException {
        ObjectNode heartbeat = body.deepCopy();
        if (!settling) {
            last = heartbeat;
        }
        return target.call(ApiMessageType.CONSUMER_GROUP_HEARTBEAT, version, heartbeat);
    }

    private Words words(JsonNode answer) {
        TreeMap<String, Integer> assigned = new TreeMap<>();
        ArrayNode none = RandomTarget.NODES.arrayNode();
        JsonNode topics =
                answer.path("assignment").isObject() ? answer.path("assignment").path("topicPartitions") : none;
        topics.forEach(topic -> assigned.put(
                target.stable(topic.path("topicId").asText()),
                topic.path("partitions").size()));
        return new Words(
                answer.path("errorCode").asText(),
                answer.path("assignment").isNull() ? Words.AS_BEFORE : assigned.toString(),
                "member %s, epoch %s, interval %s"
                        .formatted(
                                target.stable(answer.path("memberId").asText()),
                                answer.path("memberEpoch").asText(),
                                answer.path("heartbeatIntervalMs").asText()));
    }
}
