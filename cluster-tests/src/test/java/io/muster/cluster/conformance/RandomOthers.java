package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * What random clients ask about a group beside its heartbeats, or get wrong in them.
 *
 * @param <M> the members of this kind of group
 */
abstract class RandomOthers<M extends RandomMember> {
    private final RandomTarget target;
    private final GroupQuestions questions;
    private final ApiMessageType otherHeartbeat;
    private final ApiMessageType otherDescribe;

    /**
     * @param type of the group, as ListGroups spells it
     * @param otherHeartbeat the heartbeat of another modern kind of group
     * @param otherDescribe describes another modern kind of group
     */
    RandomOthers(RandomTarget target, String type, ApiMessageType otherHeartbeat, ApiMessageType otherDescribe) {
        this.target = target;
        this.questions = new GroupQuestions(target, type);
        this.otherHeartbeat = otherHeartbeat;
        this.otherDescribe = otherDescribe;
    }

    /** A heartbeat that Kafka refuses before it looks at the group. */
    abstract ObjectNode invalid(M member, RandomStep step);

    /** A heartbeat of somebody who is not in the group, or takes the name of one who is. */
    abstract ObjectNode stranger(M member, RandomStep step);

    abstract Words commit(M member, RandomStep step) throws IOException;

    /** The epoch with which offsets are committed or fetched. */
    abstract int epochOf(M member, RandomStep step);

    /** The beginning of a commit, without topics. */
    ObjectNode committing(M member, RandomStep step) {
        ObjectNode body = RandomTarget.NODES.objectNode().put("groupId", target.unique("g"));
        body.put("memberId", step.oneOf(7) == 6 ? "" : member.id());
        return body.put("generationIdOrMemberEpoch", epochOf(member, step));
    }

    Words fetch(M member, RandomStep step) throws IOException {
        return questions.fetch(member.id(), epochOf(member, step));
    }

    Words otherProtocol(M member, RandomStep step) throws IOException {
        return questions.otherProtocol(member.id(), otherHeartbeat, step);
    }

    Words look(RandomStep step) throws IOException {
        return questions.look(otherDescribe, step);
    }

    Words deleteGroup() throws IOException {
        return questions.deleteGroup();
    }
}
