package io.muster.cluster.security;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Requests of classic members. */
final class ClassicQuestions {
    private ClassicQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("classic members", new Question(Requests.READER, on -> {
            for (String group : List.of("open", "shown", "secret")) {
                JoinGroupRequestData.JoinGroupRequestProtocolCollection protocols =
                        new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
                protocols.add(new JoinGroupRequestData.JoinGroupRequestProtocol()
                        .setName("range")
                        .setMetadata(new byte[] {0}));
                on.add(
                        group + " join",
                        on.connection()
                                .call(
                                        ApiKeys.JOIN_GROUP,
                                        7,
                                        new JoinGroupRequestData()
                                                .setGroupId(group)
                                                .setProtocolType("connect")
                                                .setProtocols(protocols)
                                                .setSessionTimeoutMs(30_000)
                                                .setRebalanceTimeoutMs(30_000),
                                        JoinGroupResponseData.class)
                                .errorCode());
                on.add(
                        group + " sync",
                        on.connection()
                                .call(
                                        ApiKeys.SYNC_GROUP,
                                        4,
                                        new SyncGroupRequestData()
                                                .setGroupId(group)
                                                .setMemberId("m")
                                                .setGenerationId(1),
                                        SyncGroupResponseData.class)
                                .errorCode());
                on.add(
                        group + " heartbeat",
                        on.connection()
                                .call(
                                        ApiKeys.HEARTBEAT,
                                        4,
                                        new HeartbeatRequestData()
                                                .setGroupId(group)
                                                .setMemberId("m")
                                                .setGenerationId(1),
                                        HeartbeatResponseData.class)
                                .errorCode());
                on.add(
                        group + " leave",
                        on.connection()
                                .call(
                                        ApiKeys.LEAVE_GROUP,
                                        4,
                                        new LeaveGroupRequestData()
                                                .setGroupId(group)
                                                .setMembers(List.of(
                                                        new LeaveGroupRequestData.MemberIdentity().setMemberId("m"))),
                                        LeaveGroupResponseData.class)
                                .errorCode());
            }
        }));
    }
}
