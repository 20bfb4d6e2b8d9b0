package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;

/** The members of one consumer group on one target. */
final class RandomConsumers extends RandomMembers<RandomConsumer> {
    static final Map<RandomAction, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(RandomAction.JOIN, 6),
            Map.entry(RandomAction.HEARTBEAT, 4),
            Map.entry(RandomAction.ACKNOWLEDGE, 8),
            Map.entry(RandomAction.KEEP_OWNING, 2),
            Map.entry(RandomAction.FULL_HEARTBEAT, 3),
            Map.entry(RandomAction.LOST_REPLY, 4),
            Map.entry(RandomAction.RESEND, 3),
            Map.entry(RandomAction.PARTIAL_OWNERSHIP, 2),
            Map.entry(RandomAction.STALE_EPOCH, 4),
            Map.entry(RandomAction.EPOCH_AHEAD, 1),
            Map.entry(RandomAction.SUBSCRIBE, 2),
            Map.entry(RandomAction.ASSIGNOR, 1),
            Map.entry(RandomAction.RACK, 1),
            Map.entry(RandomAction.LEAVE, 3),
            Map.entry(RandomAction.SWAP_STATIC, 2),
            Map.entry(RandomAction.STRANGER, 1),
            Map.entry(RandomAction.INVALID, 1),
            Map.entry(RandomAction.OLD_VERSION, 1),
            Map.entry(RandomAction.COMMIT, 2),
            Map.entry(RandomAction.FETCH, 1),
            Map.entry(RandomAction.OTHER_PROTOCOL, 1),
            Map.entry(RandomAction.LOOK, 1),
            Map.entry(RandomAction.DELETE_GROUP, 1),
            Map.entry(RandomAction.GROW_TOPIC, 1),
            Map.entry(RandomAction.CREATE_OR_DELETE_TOPIC, 1));

    /** The only member that asks for an assignor: while votes are tied, Kafka raises the epoch with each heartbeat. */
    private static final int VOTER = 0;

    private static final int SETTLED_ROUNDS = 60;
    private static final int PATIENT_ROUNDS = 12;

    private final RandomTarget target;

    RandomConsumers(RandomTarget target) throws IOException {
        super(
                target,
                new RandomConsumerOthers(target),
                ApiMessageType.CONSUMER_GROUP_HEARTBEAT,
                ApiMessageType.CONSUMER_GROUP_DESCRIBE);
        this.target = target;
        target.setGroupConfigs("g", RandomTarget.NODES.objectNode().put("consumer.assignment.interval.ms", "0"));
        for (int i = 0; i < MEMBERS; i++) {
            members().add(new RandomConsumer(target, i, i >= STATIC_FROM ? "i" + i : null));
        }
    }

    @Override
    Words playOwn(RandomConsumer member, RandomStep step) throws IOException {
        return switch (step.action()) {
            case FULL_HEARTBEAT -> taken(member, member.full(member.assigned()));
            case SUBSCRIBE -> {
                member.subscribe(step.choice());
                yield taken(member, member.full(member.assigned()));
            }
            case ASSIGNOR -> {
                RandomConsumer voter = members().get(VOTER);
                voter.prefer(step.oneOf(2) == 0 ? "range" : "uniform");
                yield taken(voter, voter.full(voter.assigned()));
            }
            case RACK -> {
                member.moveTo("rack-" + step.oneOf(3));
                yield taken(member, member.full(member.assigned()));
            }
            default -> throw new IllegalArgumentException(step.toString());
        };
    }

    @Override
    Words join(RandomConsumer member, RandomStep step) throws IOException {
        member.subscribe(step.choice());
        return super.join(member, step);
    }

    /** The old process may still say something. */
    @Override
    Words swap(RandomConsumer member, RandomStep step) throws IOException {
        ObjectNode old = member.heartbeat();
        if (step.oneOf(3) > 0) {
            send(member.heartbeat().put("memberEpoch", -2), 1);
        }
        Words words = words(replaced(member));
        Words ofOld = words(send(old, 1));
        return new Words(
                words.errors() + ", " + ofOld.errors(),
                words.told(),
                words.rest() + ", " + ofOld.told() + ofOld.rest());
    }

    @Override
    boolean reads(String topic) {
        return members().stream().anyMatch(member -> member.subscribesTo(topic));
    }

    /** In the last round, all members hear of what became of the others. */
    @Override
    void bringTogether() throws IOException {
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
    }

    private static boolean isSettled(JsonNode group) {
        boolean settled = true;
        for (JsonNode member : group.path("members")) {
            settled &= isAt(member, group);
        }
        return settled && !group.path("groupState").asText().equals("Reconciling");
    }

    /** @param patient whether the member goes on from where it is; one that missed what it was told last joins again */
    private void goOn(JsonNode described, boolean patient) throws IOException {
        for (RandomConsumer member : members()) {
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

    @Override
    GroupPicture picture() throws IOException {
        return ConsumerPictures.of(describe(), target);
    }

    @Override
    Words words(JsonNode answer) {
        return ConsumerPictures.words(answer, target);
    }
}
