package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;

/** The members of one Streams group on one target. */
final class RandomStreams extends RandomMembers<RandomInstance> {
    static final Map<RandomAction, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(RandomAction.JOIN, 7),
            Map.entry(RandomAction.HEARTBEAT, 4),
            Map.entry(RandomAction.ACKNOWLEDGE, 9),
            Map.entry(RandomAction.KEEP_OWNING, 2),
            Map.entry(RandomAction.LOST_REPLY, 4),
            Map.entry(RandomAction.RESEND, 3),
            Map.entry(RandomAction.PARTIAL_OWNERSHIP, 2),
            Map.entry(RandomAction.STALE_EPOCH, 4),
            Map.entry(RandomAction.EPOCH_AHEAD, 1),
            Map.entry(RandomAction.UNKNOWN_TASKS, 1),
            Map.entry(RandomAction.TELL, 1),
            Map.entry(RandomAction.PROCESS, 1),
            Map.entry(RandomAction.TAGS, 1),
            Map.entry(RandomAction.RACK, 1),
            Map.entry(RandomAction.ENDPOINT, 1),
            Map.entry(RandomAction.TASK_OFFSETS, 1),
            Map.entry(RandomAction.LEAVE, 3),
            Map.entry(RandomAction.SWAP_STATIC, 2),
            Map.entry(RandomAction.STRANGER, 1),
            Map.entry(RandomAction.INVALID, 1),
            Map.entry(RandomAction.OLD_VERSION, 1),
            Map.entry(RandomAction.SHUT_DOWN, 1),
            Map.entry(RandomAction.COMMIT, 1),
            Map.entry(RandomAction.FETCH, 1),
            Map.entry(RandomAction.OTHER_PROTOCOL, 1),
            Map.entry(RandomAction.LOOK, 1),
            Map.entry(RandomAction.DELETE_GROUP, 1),
            Map.entry(RandomAction.STANDBYS, 1),
            Map.entry(RandomAction.GROW_TOPIC, 1),
            Map.entry(RandomAction.CREATE_OR_DELETE_TOPIC, 2));

    private static final int SETTLED_ROUNDS = 60;

    private final RandomTarget target;
    private final RandomTopology topology;
    private final RandomStreamsOthers others;
    private int sentEndpointEpoch;

    RandomStreams(RandomTarget target, RandomTopology topology) throws IOException {
        this(target, topology, new RandomStreamsOthers(target, topology));
    }

    private RandomStreams(RandomTarget target, RandomTopology topology, RandomStreamsOthers others) throws IOException {
        super(target, others, ApiMessageType.STREAMS_GROUP_HEARTBEAT, ApiMessageType.STREAMS_GROUP_DESCRIBE);
        this.target = target;
        this.topology = topology;
        this.others = others;
        ObjectNode configs = RandomTarget.NODES.objectNode().put("streams.assignment.interval.ms", "0");
        target.setGroupConfigs("g", configs.put("streams.initial.rebalance.delay.ms", "0"));
        for (int i = 0; i < MEMBERS; i++) {
            members().add(new RandomInstance(target, topology, i, i >= STATIC_FROM ? "i" + i : null));
        }
        if (topology.hasInternalTopics()) {
            haveInternalTopicsCreated();
        }
    }

    /** Internal topics come some time after a group asked for them. */
    private void haveInternalTopicsCreated() throws IOException {
        RandomInstance first = members().get(0);
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

    @Override
    Words playOwn(RandomInstance member, RandomStep step) throws IOException {
        return switch (step.action()) {
            case UNKNOWN_TASKS -> words(send(others.unknownTasks(member, step), 1));
            case TELL, PROCESS, TAGS, RACK, ENDPOINT -> tell(member, step);
            case TASK_OFFSETS -> words(send(others.taskOffsets(member, step), 1));
            case SHUT_DOWN ->
                step.oneOf(4) > 0
                        ? Words.NOTHING
                        : taken(member, member.heartbeat(member.assigned()).put("shutdownApplication", true));
            case STANDBYS -> standbys(step);
            default -> throw new IllegalArgumentException(step.toString());
        };
    }

    private Words tell(RandomInstance member, RandomStep step) throws IOException {
        switch (step.action()) {
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
        return taken(member, member.full(member.assigned()));
    }

    /**
     * Another process with the same instance id. That the old one says something still, or that a join comes before the old one is
     * away, is left to scripted cases: by either, though refused, Kafka 4.4.0 mislays what the instance shall have (it renames the
     * entry of its cache of targets before it looks who asks) and raises the group epoch once it notices.
     */
    @Override
    Words swap(RandomInstance member, RandomStep step) throws IOException {
        send(member.heartbeat().put("memberEpoch", -2), 1);
        return words(replaced(member));
    }

    private Words standbys(RandomStep step) throws IOException {
        String number = Integer.toString(step.oneOf(3));
        target.setGroupConfigs("g", RandomTarget.NODES.objectNode().put("streams.num.standby.replicas", number));
        return new Words("", number);
    }

    @Override
    boolean reads(String topic) {
        boolean read = topology == (topic.equals("foo") ? RandomTopology.STATELESS : RandomTopology.WAITING);
        return read && members().stream().anyMatch(RandomMember::isIn);
    }

    /** All members join again, since some may have missed what they were told last; in the end, all hear of the others. */
    @Override
    void bringTogether() throws IOException {
        List<String> ids = describe().path("members").findValuesAsText("memberId");
        for (RandomInstance member : members()) {
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
    }

    private static boolean isSettled(JsonNode group) {
        boolean settled = true;
        for (JsonNode member : group.path("members")) {
            settled &= isAt(member, group);
        }
        String state = group.path("groupState").asText();
        return settled && !state.equals("Reconciling") && !state.equals("Assigning");
    }

    private void goOn(JsonNode group) throws IOException {
        List<String> ids = group.path("members").findValuesAsText("memberId");
        for (RandomInstance member : members()) {
            if (ids.contains(member.id())) {
                member.take(send(member.heartbeat(member.assigned()), 1));
            }
        }
    }

    @Override
    GroupPicture picture() throws IOException {
        return StreamsPictures.of(describe(), target);
    }

    @Override
    JsonNode send(ObjectNode body, int version) throws IOException {
        sentEndpointEpoch = body.path("endpointInformationEpoch").asInt();
        return super.send(body, version);
    }

    @Override
    Words words(JsonNode answer) {
        return StreamsPictures.words(answer, sentEndpointEpoch, target);
    }
}
