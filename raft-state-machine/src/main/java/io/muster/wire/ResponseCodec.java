package io.muster.wire;

import io.muster.codec.TopologyCodec;
import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupDescription;
import io.muster.core.GroupInspection;
import io.muster.core.Response;
import io.muster.core.Response.EndpointPartitions;
import io.muster.core.Response.MemberResult;
import io.muster.core.Response.StreamsStatus;
import io.muster.rpc.proto.Wire;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Translates what commands are answered with. */
public final class ResponseCodec {
    private ResponseCodec() {}

    /** The message of a response. */
    public static Wire.Response encode(Response response) {
        Wire.Response.Builder message = Wire.Response.newBuilder();
        if (response instanceof Response.ConsumerHeartbeatAnswer answer) {
            message.setConsumerHeartbeat(encode(answer));
        } else if (response instanceof Response.StreamsHeartbeatAnswer answer) {
            message.setStreamsHeartbeat(encode(answer));
        } else if (response instanceof Response.Refused refused) {
            message.setRefused(
                    Wire.Refused.newBuilder().setError(refused.error().name()).setMessage(refused.message()));
        } else if (response instanceof Response.Done) {
            message.setDone(Wire.Nothing.getDefaultInstance());
        } else if (response instanceof Response.CommitAdmitted admitted) {
            message.setCommitAdmitted(
                    Wire.CommitAdmitted.newBuilder().setIdentity(ValueCodec.encode(admitted.identity())));
        } else if (response instanceof Response.CommitRefused refused) {
            message.setCommitRefused(Wire.CommitRefused.newBuilder()
                    .setError(refused.error().name())
                    .setClaimed(refused.claimed()));
        } else if (response instanceof Response.TopicsAllowed topics) {
            message.setTopicsAllowed(Values.Strings.newBuilder().addAllValues(topics.allowed()));
        } else if (response instanceof Response.MembersRemoved removed) {
            message.setMembersRemoved(encode(removed));
        } else if (response instanceof Response.Configs configs) {
            message.setConfigs(
                    Values.StringEntries.newBuilder().addAllEntries(ValueCodec.encodeEntries(configs.configs())));
        } else if (response instanceof GroupDescription.Consumer description) {
            message.setConsumerDescription(DescriptionCodec.encode(description));
        } else if (response instanceof GroupDescription.Streams description) {
            message.setStreamsDescription(DescriptionCodec.encode(description));
        } else if (response instanceof GroupInspection inspection) {
            message.setInspection(DescriptionCodec.encode(inspection));
        } else if (response instanceof Response.GroupHistory history) {
            message.setHistory(DescriptionCodec.encode(history));
        } else {
            throw new IllegalArgumentException("no message for " + response);
        }
        return message.build();
    }

    /** The response of a message; {@link InvalidFrameException} if it is none that this version knows. */
    public static Response decode(Wire.Response message) {
        return switch (message.getResponseCase()) {
            case REFUSED ->
                new Response.Refused(
                        NameCodec.decodeError(message.getRefused().getError()),
                        message.getRefused().getMessage());
            case DONE -> new Response.Done();
            case CONSUMER_HEARTBEAT -> decode(message.getConsumerHeartbeat());
            case STREAMS_HEARTBEAT -> decode(message.getStreamsHeartbeat());
            case MEMBERS_REMOVED -> decode(message.getMembersRemoved());
            case CONFIGS ->
                new Response.Configs(
                        ValueCodec.decodeEntries(message.getConfigs().getEntriesList()));
            case COMMIT_ADMITTED ->
                new Response.CommitAdmitted(
                        ValueCodec.decode(message.getCommitAdmitted().getIdentity()));
            case TOPICS_ALLOWED ->
                new Response.TopicsAllowed(
                        new TreeSet<>(message.getTopicsAllowed().getValuesList()));
            case COMMIT_REFUSED ->
                new Response.CommitRefused(
                        NameCodec.decodeError(message.getCommitRefused().getError()),
                        message.getCommitRefused().getClaimed());
            case CONSUMER_DESCRIPTION -> DescriptionCodec.decode(message.getConsumerDescription());
            case STREAMS_DESCRIPTION -> DescriptionCodec.decode(message.getStreamsDescription());
            case INSPECTION -> DescriptionCodec.decode(message.getInspection());
            case HISTORY -> DescriptionCodec.decode(message.getHistory());
            case RESPONSE_NOT_SET -> throw new InvalidFrameException("unknown response");
        };
    }

    static Wire.MemberKey encode(MemberKey member) {
        return Wire.MemberKey.newBuilder()
                .setMemberId(member.memberId())
                .setInstanceId(member.instanceId())
                .build();
    }

    private static Wire.ConsumerHeartbeatAnswer encode(Response.ConsumerHeartbeatAnswer answer) {
        Wire.ConsumerHeartbeatAnswer.Builder message = Wire.ConsumerHeartbeatAnswer.newBuilder()
                .setMemberId(answer.memberId())
                .setMemberEpoch(answer.memberEpoch())
                .setHeartbeatIntervalMillis(answer.heartbeatIntervalMillis());
        if (answer.assignment() != null) {
            message.setAssignment(ValueCodec.encodeIds(answer.assignment()));
        }
        return message.addAllPatternsToResolve(answer.patternsToResolve()).build();
    }

    private static Response decode(Wire.ConsumerHeartbeatAnswer message) {
        return new Response.ConsumerHeartbeatAnswer(
                message.getMemberId(),
                message.getMemberEpoch(),
                message.getHeartbeatIntervalMillis(),
                message.hasAssignment() ? ValueCodec.decodeIds(message.getAssignment()) : null,
                new TreeSet<>(message.getPatternsToResolveList()));
    }

    private static Wire.StreamsHeartbeatAnswer encode(Response.StreamsHeartbeatAnswer answer) {
        Wire.StreamsHeartbeatAnswer.Builder message = Wire.StreamsHeartbeatAnswer.newBuilder()
                .setMemberId(answer.memberId())
                .setMemberEpoch(answer.memberEpoch())
                .setHeartbeatIntervalMillis(answer.settings().heartbeatIntervalMillis())
                .setTaskOffsetIntervalMillis(answer.settings().taskOffsetIntervalMillis())
                .setAcceptableRecoveryLag(answer.settings().acceptableRecoveryLag())
                .setTopologyDescriptionRequired(answer.followUps().topologyDescriptionRequired())
                .setEndpointInformationEpoch(answer.endpointInformation().epoch())
                .addAllTopicsToCreate(
                        TopologyCodec.encodeTopics(answer.followUps().topicsToCreate()))
                .setEndOffsetsToRead(ValueCodec.encodeNames(answer.followUps().endOffsetsToRead()));
        answer.status()
                .forEach(status -> message.addStatus(Wire.StreamsHeartbeatAnswer.StreamsStatus.newBuilder()
                        .setCode(status.code().name())
                        .setDetail(status.detail())));
        if (answer.assignment() != null) {
            message.setAssignment(ValueCodec.encode(answer.assignment()));
        }
        if (answer.endpointInformation().endpoints() != null) {
            message.setEndpoints(encode(answer.endpointInformation().endpoints()));
        }
        return message.build();
    }

    private static Wire.StreamsHeartbeatAnswer.EndpointList encode(List<EndpointPartitions> endpoints) {
        Wire.StreamsHeartbeatAnswer.EndpointList.Builder message =
                Wire.StreamsHeartbeatAnswer.EndpointList.newBuilder();
        endpoints.forEach(each -> message.addValues(Wire.StreamsHeartbeatAnswer.EndpointPartitions.newBuilder()
                .setEndpoint(ValueCodec.encode(each.endpoint()))
                .addAllActive(
                        each.active().stream().map(ValueCodec::encodeNames).toList())
                .addAllStandby(
                        each.standby().stream().map(ValueCodec::encodeNames).toList())));
        return message.build();
    }

    private static Response decode(Wire.StreamsHeartbeatAnswer message) {
        return new Response.StreamsHeartbeatAnswer(
                message.getMemberId(),
                message.getMemberEpoch(),
                new Response.MemberSettings(
                        message.getHeartbeatIntervalMillis(),
                        message.getTaskOffsetIntervalMillis(),
                        message.getAcceptableRecoveryLag()),
                message.getStatusList().stream().map(ResponseCodec::decode).toList(),
                message.hasAssignment() ? ValueCodec.decode(message.getAssignment()) : null,
                new Response.EndpointInformation(message.getEndpointInformationEpoch(), endpoints(message)),
                new Response.FollowUps(
                        message.getTopologyDescriptionRequired(),
                        TopologyCodec.decodeTopics(message.getTopicsToCreateList()),
                        ValueCodec.decodeNames(message.getEndOffsetsToRead())));
    }

    private static StreamsStatus decode(Wire.StreamsHeartbeatAnswer.StreamsStatus message) {
        for (StreamsStatus.Code code : StreamsStatus.Code.values()) {
            if (code.name().equals(message.getCode())) {
                return new StreamsStatus(code, message.getDetail());
            }
        }
        throw new InvalidFrameException("unknown status " + message.getCode());
    }

    private static @Nullable List<EndpointPartitions> endpoints(Wire.StreamsHeartbeatAnswer message) {
        if (!message.hasEndpoints()) {
            return null;
        }
        return message.getEndpoints().getValuesList().stream()
                .map(each -> new EndpointPartitions(
                        ValueCodec.decode(each.getEndpoint()),
                        each.getActiveList().stream()
                                .map(ValueCodec::decodeNames)
                                .toList(),
                        each.getStandbyList().stream()
                                .map(ValueCodec::decodeNames)
                                .toList()))
                .toList();
    }

    private static Wire.MembersRemoved encode(Response.MembersRemoved removed) {
        Wire.MembersRemoved.Builder message = Wire.MembersRemoved.newBuilder();
        removed.results().forEach(result -> {
            Wire.MembersRemoved.Result.Builder one =
                    Wire.MembersRemoved.Result.newBuilder().setMember(encode(result.member()));
            if (result.error() != null) {
                one.setError(result.error().name());
            }
            message.addResults(one);
        });
        return message.build();
    }

    private static Response decode(Wire.MembersRemoved message) {
        return new Response.MembersRemoved(message.getResultsList().stream()
                .map(result -> new MemberResult(
                        new MemberKey(
                                result.getMember().getMemberId(),
                                result.getMember().getInstanceId()),
                        result.hasError() ? NameCodec.decodeError(result.getError()) : null))
                .toList());
    }
}
