package io.muster.wire;

import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.InternalCommand;
import io.muster.core.StreamsCommand;
import io.muster.core.StreamsHeartbeat;
import io.muster.rpc.proto.Wire;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts what a command says, besides its group, into its message. */
record CommandEncoder(Wire.Command.Builder message) implements Command.Handler<Wire.Command.Builder> {
    private static final Wire.Nothing NOTHING = Wire.Nothing.getDefaultInstance();

    @Override
    public Wire.Command.Builder on(ConsumerCommand command) {
        return command.accept(new OfConsumers());
    }

    @Override
    public Wire.Command.Builder on(StreamsCommand command) {
        return command.accept(new OfStreams());
    }

    @Override
    public Wire.Command.Builder on(GroupCommand command) {
        return command.accept(new OfGroups());
    }

    @Override
    public Wire.Command.Builder on(CommitCommand command) {
        return command.accept(new OfCommits());
    }

    @Override
    public Wire.Command.Builder on(InternalCommand command) {
        throw new IllegalArgumentException("does not travel: " + command);
    }

    private final class OfConsumers implements ConsumerCommand.Handler<Wire.Command.Builder> {
        @Override
        public Wire.Command.Builder on(ConsumerHeartbeat command) {
            return message.setConsumerHeartbeat(HeartbeatCodec.encode(command));
        }

        @Override
        public Wire.Command.Builder on(ConsumerCommand.PatternsResolved command) {
            return message.setPatternsResolved(encode(command));
        }
    }

    private final class OfStreams implements StreamsCommand.Handler<Wire.Command.Builder> {
        @Override
        public Wire.Command.Builder on(StreamsHeartbeat command) {
            return message.setStreamsHeartbeat(HeartbeatCodec.encode(command));
        }

        @Override
        public Wire.Command.Builder on(StreamsCommand.ResetTopology command) {
            return message.setResetTopology(NOTHING);
        }

        @Override
        public Wire.Command.Builder on(StreamsCommand.UpdateTopologyDescription command) {
            return message.setUpdateTopologyDescription(Wire.UpdateTopologyDescription.newBuilder()
                    .setMemberId(command.memberId())
                    .setTopologyEpoch(command.topologyEpoch())
                    .setDescription(ValueCodec.encode(command.description())));
        }

        @Override
        public Wire.Command.Builder on(StreamsCommand.InternalTopicsReported command) {
            return message.setInternalTopicsReported(Wire.InternalTopicsReported.newBuilder()
                    .addAllFailures(ValueCodec.encodeEntries(command.failures())));
        }

        @Override
        public Wire.Command.Builder on(StreamsCommand.EndOffsetsRead command) {
            return message.setEndOffsetsRead(encode(command));
        }
    }

    private final class OfGroups implements GroupCommand.Handler<Wire.Command.Builder> {
        @Override
        public Wire.Command.Builder on(GroupCommand.Describe command) {
            return message.setDescribe(NameCodec.encode(command.type()));
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.Inspect command) {
            return message.setInspect(NOTHING);
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.History command) {
            return message.setHistory(NOTHING);
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.Delete command) {
            return message.setDelete(NOTHING);
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.Release command) {
            return message.setRelease(NOTHING);
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.RemoveMembers command) {
            return message.setRemoveMembers(encode(command));
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.ShortenSession command) {
            return message.setShortenSession(command.memberId());
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.AlterConfigs command) {
            return message.setAlterConfigs(encode(command));
        }

        @Override
        public Wire.Command.Builder on(GroupCommand.DescribeConfigs command) {
            return message.setDescribeConfigs(NOTHING);
        }
    }

    private final class OfCommits implements CommitCommand.Handler<Wire.Command.Builder> {
        @Override
        public Wire.Command.Builder on(CommitCommand.Admit command) {
            return message.setAdmitCommit(encode(command));
        }

        @Override
        public Wire.Command.Builder on(CommitCommand.Settled command) {
            return message.setCommitSettled(Wire.CommitSettled.newBuilder()
                    .setAdmissionId(command.admissionId())
                    .setClaimRefused(command.claimRefused()));
        }

        @Override
        public Wire.Command.Builder on(CommitCommand.AdmitFetch command) {
            return message.setAdmitFetch(
                    Wire.AdmitFetch.newBuilder().setMemberId(command.memberId()).setMemberEpoch(command.memberEpoch()));
        }

        @Override
        public Wire.Command.Builder on(CommitCommand.AdmitDelete command) {
            return message.setAdmitDelete(Wire.AdmitDelete.newBuilder()
                    .setAdmissionId(command.admissionId())
                    .addAllTopics(new TreeSet<>(command.topics())));
        }
    }

    private static Wire.RemoveMembers encode(GroupCommand.RemoveMembers remove) {
        return Wire.RemoveMembers.newBuilder()
                .addAllMembers(
                        remove.members().stream().map(ResponseCodec::encode).toList())
                .setByOperator(remove.byOperator())
                .build();
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
                .setInstanceId(admit.committer().instanceId())
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

    private static Wire.PatternsResolved encode(ConsumerCommand.PatternsResolved found) {
        Wire.PatternsResolved.Builder message = Wire.PatternsResolved.newBuilder();
        found.topics()
                .forEach((pattern, topics) -> message.addPatterns(Wire.PatternsResolved.Pattern.newBuilder()
                        .setPattern(pattern)
                        .addAllTopics(topics)));
        return message.build();
    }

    private static Wire.EndOffsetsRead encode(StreamsCommand.EndOffsetsRead read) {
        Wire.EndOffsetsRead.Builder message = Wire.EndOffsetsRead.newBuilder();
        read.ends()
                .forEach(end -> message.addEnds(Wire.EndOffsetsRead.PartitionEnd.newBuilder()
                        .setTopic(end.topic())
                        .setPartition(end.partition())
                        .setOffset(end.offset())));
        return message.build();
    }
}
