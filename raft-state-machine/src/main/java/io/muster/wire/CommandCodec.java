package io.muster.wire;

import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.InternalCommand;
import io.muster.core.StreamsHeartbeat;
import io.muster.rpc.proto.Wire;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Translates the commands that a gateway may send. Of Muster's internal commands that is the report on internal topics alone. */
public final class CommandCodec {
    private static final Wire.Nothing NOTHING = Wire.Nothing.getDefaultInstance();

    private CommandCodec() {}

    /** The message of a command; {@link IllegalArgumentException} for one that does not travel. */
    public static Wire.Command encode(Command command) {
        Wire.Command.Builder message = Wire.Command.newBuilder().setGroupId(command.groupId());
        if (command instanceof ConsumerHeartbeat heartbeat) {
            message.setConsumerHeartbeat(HeartbeatCodec.encode(heartbeat));
        } else if (command instanceof StreamsHeartbeat heartbeat) {
            message.setStreamsHeartbeat(HeartbeatCodec.encode(heartbeat));
        } else if (command instanceof CommitCommand commit) {
            encode(commit, message);
        } else if (command instanceof GroupCommand asked) {
            encode(asked, message);
        } else if (command instanceof InternalCommand.InternalTopicsReported reported) {
            message.setInternalTopicsReported(Wire.InternalTopicsReported.newBuilder()
                    .addAllFailures(ValueCodec.encodeEntries(reported.failures())));
        } else if (command instanceof InternalCommand.PatternsResolved found) {
            message.setPatternsResolved(encode(found));
        } else if (command instanceof InternalCommand.EndOffsetsRead read) {
            message.setEndOffsetsRead(encode(read));
        } else {
            throw new IllegalArgumentException("does not travel: " + command);
        }
        return message.build();
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
            case RESET_TOPOLOGY -> new GroupCommand.ResetTopology(groupId);
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
                new InternalCommand.InternalTopicsReported(
                        groupId,
                        ValueCodec.decodeEntries(
                                message.getInternalTopicsReported().getFailuresList()));
            case PATTERNS_RESOLVED -> decode(groupId, message.getPatternsResolved());
            case END_OFFSETS_READ -> decode(groupId, message.getEndOffsetsRead());
            case COMMAND_NOT_SET -> throw new InvalidFrameException("unknown command");
        };
    }

    private static void encode(GroupCommand command, Wire.Command.Builder message) {
        if (command instanceof GroupCommand.Describe describe) {
            message.setDescribe(NameCodec.encode(describe.type()));
        } else if (command instanceof GroupCommand.Inspect) {
            message.setInspect(NOTHING);
        } else if (command instanceof GroupCommand.History) {
            message.setHistory(NOTHING);
        } else if (command instanceof GroupCommand.Delete) {
            message.setDelete(NOTHING);
        } else if (command instanceof GroupCommand.Release) {
            message.setRelease(NOTHING);
        } else if (command instanceof GroupCommand.ResetTopology) {
            message.setResetTopology(NOTHING);
        } else if (command instanceof GroupCommand.RemoveMembers remove) {
            message.setRemoveMembers(encode(remove));
        } else if (command instanceof GroupCommand.ShortenSession shorten) {
            message.setShortenSession(shorten.memberId());
        } else if (command instanceof GroupCommand.AlterConfigs alter) {
            message.setAlterConfigs(encode(alter));
        } else if (command instanceof GroupCommand.DescribeConfigs) {
            message.setDescribeConfigs(NOTHING);
        } else if (command instanceof GroupCommand.UpdateTopologyDescription update) {
            message.setUpdateTopologyDescription(Wire.UpdateTopologyDescription.newBuilder()
                    .setMemberId(update.memberId())
                    .setTopologyEpoch(update.topologyEpoch())
                    .setDescription(ValueCodec.encode(update.description())));
        } else {
            throw new IllegalArgumentException("no message for " + command);
        }
    }

    private static Wire.RemoveMembers encode(GroupCommand.RemoveMembers remove) {
        return Wire.RemoveMembers.newBuilder()
                .addAllMembers(
                        remove.members().stream().map(ResponseCodec::encode).toList())
                .setByOperator(remove.byOperator())
                .build();
    }

    private static GroupCommand removeMembers(String groupId, Wire.RemoveMembers message) {
        return new GroupCommand.RemoveMembers(
                groupId,
                message.getMembersList().stream()
                        .map(member -> new MemberKey(member.getMemberId(), member.getInstanceId()))
                        .toList(),
                message.getByOperator());
    }

    private static Wire.AlterConfigs encode(GroupCommand.AlterConfigs alter) {
        Wire.AlterConfigs.Builder message = Wire.AlterConfigs.newBuilder().setValidateOnly(alter.validateOnly());
        alter.changes().forEach((name, value) -> {
            Wire.AlterConfigs.Change.Builder change =
                    Wire.AlterConfigs.Change.newBuilder().setName(name);
            value.ifPresent(change::setValue);
            message.addChanges(change);
        });
        return message.build();
    }

    private static GroupCommand alterConfigs(String groupId, Wire.AlterConfigs message) {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        message.getChangesList()
                .forEach(change -> changes.put(
                        change.getName(), change.hasValue() ? Optional.of(change.getValue()) : Optional.empty()));
        return new GroupCommand.AlterConfigs(groupId, changes, message.getValidateOnly());
    }

    private static GroupCommand updateTopology(String groupId, Wire.UpdateTopologyDescription message) {
        return new GroupCommand.UpdateTopologyDescription(
                groupId,
                message.getMemberId(),
                message.getTopologyEpoch(),
                ValueCodec.decode(message.getDescription()));
    }

    private static void encode(CommitCommand command, Wire.Command.Builder message) {
        if (command instanceof CommitCommand.Admit admit) {
            message.setAdmitCommit(encode(admit));
        } else if (command instanceof CommitCommand.Settled settled) {
            message.setCommitSettled(Wire.CommitSettled.newBuilder()
                    .setAdmissionId(settled.admissionId())
                    .setClaimRefused(settled.claimRefused()));
        } else if (command instanceof CommitCommand.AdmitFetch fetch) {
            message.setAdmitFetch(
                    Wire.AdmitFetch.newBuilder().setMemberId(fetch.memberId()).setMemberEpoch(fetch.memberEpoch()));
        } else if (command instanceof CommitCommand.AdmitDelete delete) {
            message.setAdmitDelete(Wire.AdmitDelete.newBuilder()
                    .setAdmissionId(delete.admissionId())
                    .addAllTopics(new TreeSet<>(delete.topics())));
        } else {
            throw new IllegalArgumentException("no message for " + command);
        }
    }

    private static Wire.AdmitCommit encode(CommitCommand.Admit admit) {
        SortedMap<String, Values.NamePartitions.Entry.Builder> byTopic = new TreeMap<>();
        new TreeSet<>(admit.partitions())
                .forEach(each -> byTopic.computeIfAbsent(
                                each.topic(),
                                topic ->
                                        Values.NamePartitions.Entry.newBuilder().setKey(topic))
                        .addNumbers(each.partition()));
        Values.NamePartitions.Builder partitions = Values.NamePartitions.newBuilder();
        byTopic.values().forEach(partitions::addEntries);
        return Wire.AdmitCommit.newBuilder()
                .setAdmissionId(admit.admissionId())
                .setConnectionId(admit.connection().id())
                .setConnectionAgeMillis(admit.connection().ageMillis())
                .addAllHeardBefore(admit.connection().heardBefore().stream()
                        .map(ValueCodec::encode)
                        .toList())
                .setMemberId(admit.memberId())
                .setInstanceId(admit.instanceId())
                .setMemberEpoch(admit.memberEpoch())
                .setKind(
                        switch (admit.kind()) {
                            case PLAIN -> Wire.AdmitCommit.Kind.KIND_PLAIN;
                            case TRANSACTIONAL -> Wire.AdmitCommit.Kind.KIND_TRANSACTIONAL;
                        })
                .setApiVersion(admit.apiVersion())
                .setPartitions(partitions)
                .build();
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
                message.getMemberId(),
                message.getInstanceId(),
                message.getMemberEpoch(),
                kind,
                message.getApiVersion(),
                partitions);
    }

    private static CommitCommand settled(String groupId, Wire.CommitSettled message) {
        return new CommitCommand.Settled(groupId, message.getAdmissionId(), message.getClaimRefused());
    }

    private static Wire.PatternsResolved encode(InternalCommand.PatternsResolved found) {
        Wire.PatternsResolved.Builder message = Wire.PatternsResolved.newBuilder();
        found.topics()
                .forEach((pattern, topics) -> message.addPatterns(Wire.PatternsResolved.Pattern.newBuilder()
                        .setPattern(pattern)
                        .addAllTopics(topics)));
        return message.build();
    }

    private static InternalCommand decode(String groupId, Wire.PatternsResolved message) {
        TreeMap<String, SortedSet<String>> topics = new TreeMap<>();
        message.getPatternsList()
                .forEach(found -> topics.put(found.getPattern(), new TreeSet<>(found.getTopicsList())));
        return new InternalCommand.PatternsResolved(groupId, topics);
    }

    private static Wire.EndOffsetsRead encode(InternalCommand.EndOffsetsRead read) {
        Wire.EndOffsetsRead.Builder message = Wire.EndOffsetsRead.newBuilder();
        read.ends()
                .forEach(end -> message.addEnds(Wire.EndOffsetsRead.PartitionEnd.newBuilder()
                        .setTopic(end.topic())
                        .setPartition(end.partition())
                        .setOffset(end.offset())));
        return message.build();
    }

    private static InternalCommand decode(String groupId, Wire.EndOffsetsRead message) {
        return new InternalCommand.EndOffsetsRead(
                groupId,
                message.getEndsList().stream()
                        .map(end ->
                                new InternalCommand.PartitionEnd(end.getTopic(), end.getPartition(), end.getOffset()))
                        .toList());
    }
}
