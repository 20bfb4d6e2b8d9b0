package io.muster.core.streams;

import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupError;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import io.muster.core.group.CommitJudgement;
import java.util.Optional;

/** Whether members of a Streams group may commit offsets, as Kafka judges it. */
final class StreamsCommitJudgement {
    private StreamsCommitJudgement() {}

    static Optional<GroupError> judge(StreamsGroup group, Admit commit) {
        return CommitJudgement.judge(group, commit, () -> isCurrent(group, commit));
    }

    private static boolean isCurrent(StreamsGroup group, Admit commit) {
        StreamsMember member = group.members().find(commit.memberId()).orElseThrow();
        return commit.memberEpoch() == member.epoch()
                ? mayCommitNow(group, member, commit)
                : isLateButFine(group, member, commit);
    }

    /**
     * Unlike Kafka: a member that is on its way to the target assignment may have given tasks up under the epoch that it has still. A
     * commit of these that comes late, by a connection that the member has left, would overwrite the next owner's. What no task
     * reads has no next owner.
     */
    private static boolean mayCommitNow(StreamsGroup group, StreamsMember member, Admit commit) {
        Topology topology = group.topologyOf(member);
        return member.epoch() == group.assignmentEpoch()
                || commit.partitions().stream()
                        .allMatch(partition -> holds(topology, member.held(), partition)
                                || topology.subtopologies().stream()
                                        .noneMatch(subtopology ->
                                                subtopology.allSources().contains(partition.topic())));
    }

    /** The epoch before is fine for partitions that the member holds still (KIP-1251). */
    private static boolean isLateButFine(StreamsGroup group, StreamsMember member, Admit commit) {
        int previous = member.current().previousMemberEpoch();
        return previous > 0 && commit.memberEpoch() == previous && holdsAll(group, member, commit);
    }

    private static boolean holdsAll(StreamsGroup group, StreamsMember member, Admit commit) {
        return commit.partitions().stream()
                .allMatch(partition -> holds(group.topologyOf(member), member.held(), partition));
    }

    private static boolean holds(Topology topology, TaskAssignment held, TopicPartition partition) {
        return topology.subtopologies().stream()
                .filter(subtopology -> subtopology.allSources().contains(partition.topic()))
                .anyMatch(subtopology -> held.active().contains(subtopology.id(), partition.partition()));
    }
}
