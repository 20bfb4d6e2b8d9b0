package io.muster.wire;

import io.muster.codec.ValueCodec;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerCommand;
import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.StreamsCommand;
import io.muster.rpc.proto.Wire;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Translates the commands that a gateway may send. */
public final class CommandCodec {
    private CommandCodec() {}

    /** The message of a command; {@link IllegalArgumentException} for one that does not travel. */
    public static Wire.Command encode(Command command) {
        return command.accept(new CommandEncoder(Wire.Command.newBuilder().setGroupId(command.groupId())))
                .build();
    }

    /** The command of a message; {@link InvalidFrameException} if it is none that this version knows. */
    public static Command decode(Wire.Command message) {
        String groupId = message.getGroupId();
        return switch (message.getCommandCase()) {
            case CONSUMER_HEARTBEAT -> HeartbeatCodec.decode(groupId, message.getConsumerHeartbeat());
            case STREAMS_HEARTBEAT -> HeartbeatCodec.decode(groupId, message.getStreamsHeartbeat());
            case DESCRIBE -> new GroupCommand.Describe(groupId, NameCodec.decode(message.getDescribe()));
            case INSPECT -> new GroupCommand.Inspect(groupId);
            case HISTORY -> new GroupCommand.History(groupId);
            case DELETE -> new GroupCommand.Delete(groupId);
            case RELEASE -> new GroupCommand.Release(groupId);
            case RESET_TOPOLOGY -> new StreamsCommand.ResetTopology(groupId);
            case REMOVE_MEMBERS -> removeMembers(groupId, message.getRemoveMembers());
            case SHORTEN_SESSION -> new GroupCommand.ShortenSession(groupId, message.getShortenSession());
            case ALTER_CONFIGS -> alterConfigs(groupId, message.getAlterConfigs());
            case DESCRIBE_CONFIGS -> new GroupCommand.DescribeConfigs(groupId);
            case UPDATE_TOPOLOGY_DESCRIPTION -> updateTopology(groupId, message.getUpdateTopologyDescription());
            case ADMIT_COMMIT -> admit(groupId, message.getAdmitCommit());
            case COMMIT_SETTLED -> settled(groupId, message.getCommitSettled());
            case ADMIT_FETCH ->
                new CommitCommand.AdmitFetch(
                        groupId,
                        message.getAdmitFetch().getMemberId(),
                        message.getAdmitFetch().getMemberEpoch());
            case ADMIT_DELETE ->
                new CommitCommand.AdmitDelete(
                        groupId,
                        message.getAdmitDelete().getAdmissionId(),
                        new TreeSet<>(message.getAdmitDelete().getTopicsList()));
            case INTERNAL_TOPICS_REPORTED ->
                new StreamsCommand.InternalTopicsReported(
                        groupId,
                        ValueCodec.decodeEntries(
                                message.getInternalTopicsReported().getFailuresList()));
            case PATTERNS_RESOLVED -> decode(groupId, message.getPatternsResolved());
            case END_OFFSETS_READ -> decode(groupId, message.getEndOffsetsRead());
            case COMMAND_NOT_SET -> throw new InvalidFrameException("unknown command");
        };
    }

    private static GroupCommand removeMembers(String groupId, Wire.RemoveMembers message) {
        return new GroupCommand.RemoveMembers(
                groupId,
                message.getMembersList().stream()
                        .map(member -> new MemberKey(member.getMemberId(), member.getInstanceId()))
                        .toList(),
                message.getByOperator());
    }

    private static GroupCommand alterConfigs(String groupId, Wire.AlterConfigs message) {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        message.getChangesList()
                .forEach(change -> changes.put(
                        change.getName(), change.hasValue() ? Optional.of(change.getValue()) : Optional.empty()));
        return new GroupCommand.AlterConfigs(groupId, changes, message.getValidateOnly());
    }

    private static StreamsCommand updateTopology(String groupId, Wire.UpdateTopologyDescription message) {
        return new StreamsCommand.UpdateTopologyDescription(
                groupId,
                message.getMemberId(),
                message.getTopologyEpoch(),
                ValueCodec.decode(message.getDescription()));
    }

    private static CommitCommand admit(String groupId, Wire.AdmitCommit message) {
        TreeSet<CommitCommand.TopicPartition> partitions = new TreeSet<>();
        message.getPartitions()
                .getEntriesList()
                .forEach(entry -> entry.getNumbersList()
                        .forEach(number -> partitions.add(new CommitCommand.TopicPartition(entry.getKey(), number))));
        CommitCommand.Kind kind = switch (message.getKind()) {
            case KIND_PLAIN -> CommitCommand.Kind.PLAIN;
            case KIND_TRANSACTIONAL -> CommitCommand.Kind.TRANSACTIONAL;
            case KIND_UNSPECIFIED, UNRECOGNIZED -> throw new InvalidFrameException("unknown kind of commit");
        };
        return new CommitCommand.Admit(
                groupId,
                message.getAdmissionId(),
                new CommitCommand.Connection(
                        message.getConnectionId(),
                        message.getConnectionAgeMillis(),
                        message.getHeardBeforeList().stream()
                                .map(ValueCodec::decode)
                                .toList()),
                new CommitCommand.Committer(message.getMemberId(), message.getInstanceId(), message.getMemberEpoch()),
                kind,
                message.getApiVersion(),
                partitions);
    }

    private static CommitCommand settled(String groupId, Wire.CommitSettled message) {
        return new CommitCommand.Settled(groupId, message.getAdmissionId(), message.getClaimRefused());
    }

    private static ConsumerCommand decode(String groupId, Wire.PatternsResolved message) {
        TreeMap<String, SortedSet<String>> topics = new TreeMap<>();
        message.getPatternsList()
                .forEach(found -> topics.put(found.getPattern(), new TreeSet<>(found.getTopicsList())));
        return new ConsumerCommand.PatternsResolved(groupId, topics);
    }

    private static StreamsCommand decode(String groupId, Wire.EndOffsetsRead message) {
        return new StreamsCommand.EndOffsetsRead(
                groupId,
                message.getEndsList().stream()
                        .map(end ->
                                new StreamsCommand.PartitionEnd(end.getTopic(), end.getPartition(), end.getOffset()))
                        .toList());
    }
}
