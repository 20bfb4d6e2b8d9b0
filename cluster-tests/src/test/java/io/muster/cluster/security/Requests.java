package io.muster.cluster.security;

import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.Users;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;

/** Requests by name, sent to one port, and what is said to them about permissions. */
final class Requests {
    /** Reads groups {@code open*} and the topic {@code in}, sees groups and topic {@code shown*}, deletes groups {@code deletable*}. */
    static final String READER = "reader";
    /** Sees the cluster, and does what it likes with groups {@code open*}. */
    static final String OPERATOR = "operator";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final List<String> GROUPS = List.of("open", "shown", "secret", "deletable");
    private static final Map<String, Asked> ASKED = new TreeMap<>();

    static {
        heartbeats();
        streams();
        describes();
        offsets();
        classic();
    }

    private final int port;

    Requests(int port) {
        this.port = port;
    }

    /** One request of one user. */
    private record Asked(String user, Consumer<Exchange> exchange) {}

    /** A connection, and what was said on it. */
    private record Exchange(RawKafka connection, List<String> answers) {
        void add(String what, short errorCode, Object... more) {
            answers.add(what + ": " + Errors.forCode(errorCode) + " " + List.of(more));
        }
    }

    static List<String> names() {
        return List.copyOf(ASKED.keySet());
    }

    /** Sends the request of this name; a line for each thing that was said. */
    List<String> answers(String name) {
        Asked asked = ASKED.get(name);
        if (asked == null) {
            throw new IllegalArgumentException(name);
        }
        try (RawKafka connection = new RawKafka(port).waitAtMost(LIMIT).as(asked.user())) {
            Exchange exchange = new Exchange(connection, new ArrayList<>());
            asked.exchange().accept(exchange);
            return exchange.answers();
        }
    }

    /** Has the administrator join every group: {@code shown} reads a topic that others may not see. */
    void found() {
        try (RawKafka connection = new RawKafka(port).waitAtMost(LIMIT).as(Users.ADMINISTRATOR)) {
            for (String group : GROUPS) {
                awaitCoordinator(connection, group);
                String topic = group.equals("shown") ? "secret" : "in";
                Awaitility.await()
                        .atMost(LIMIT)
                        .until(() -> connection
                                        .call(
                                                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                                                1,
                                                join(group, "founder", List.of(topic)),
                                                ConsumerGroupHeartbeatResponseData.class)
                                        .errorCode()
                                == Errors.NONE.code());
            }
            leave(connection, "deletable");
        }
    }

    private static void awaitCoordinator(RawKafka connection, String group) {
        FindCoordinatorRequestData request = new FindCoordinatorRequestData().setKey(group);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> connection
                                .call(ApiKeys.FIND_COORDINATOR, 3, request, FindCoordinatorResponseData.class)
                                .errorCode()
                        == Errors.NONE.code());
    }

    private static void leave(RawKafka connection, String group) {
        var unused = connection.call(
                ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                1,
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId("founder")
                        .setMemberEpoch(-1),
                ConsumerGroupHeartbeatResponseData.class);
    }

    static ConsumerGroupHeartbeatRequestData join(String group, String member, List<String> topics) {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setSubscribedTopicNames(topics)
                .setTopicPartitions(List.of());
    }

    private static void ask(String name, String user, Consumer<Exchange> exchange) {
        ASKED.put(name, new Asked(user, exchange));
    }

    private static void heartbeats() {
        ask("joins", READER, on -> {
            joined(on, "open-2", "in");
            joined(on, "open-2", "shown");
            joined(on, "open-2", "secret");
            joined(on, "open-2", "absent");
            GROUPS.forEach(group -> joined(on, group, "in"));
            joined(on, "never-heard-of", "in");
        });
        ask("heartbeats", READER, on -> {
            for (String group : List.of("open", "shown", "secret", "never-heard-of")) {
                ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId("stranger")
                        .setMemberEpoch(7);
                on.add(
                        group,
                        on.connection()
                                .call(
                                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                                        1,
                                        request,
                                        ConsumerGroupHeartbeatResponseData.class)
                                .errorCode());
            }
        });
    }

    private static void joined(Exchange on, String group, String topic) {
        ConsumerGroupHeartbeatResponseData answer = on.connection()
                .call(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        join(group, "reader", List.of(topic)),
                        ConsumerGroupHeartbeatResponseData.class);
        on.add(group + " on " + topic, answer.errorCode());
        if (answer.errorCode() == 0) {
            var unused = on.connection()
                    .call(
                            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                            1,
                            new ConsumerGroupHeartbeatRequestData()
                                    .setGroupId(group)
                                    .setMemberId("reader")
                                    .setMemberEpoch(-1),
                            ConsumerGroupHeartbeatResponseData.class);
        }
    }

    private static void streams() {
        ask("streams join without CREATE", READER, on -> streamsJoined(on, "open-app", "in", "app-store-changelog"));
        ask("streams join without DESCRIBE", READER, on -> {
            streamsJoined(on, "open-app-2", "secret", "app-store-changelog");
            streamsJoined(on, "open-app-2", "in", "other-store-changelog");
            streamsJoined(on, "shown-app", "in", "app-store-changelog");
            streamsJoined(on, "secret-app", "in", "app-store-changelog");
        });
        ask("streams describe", READER, on -> {
            streamsJoined(on, "open-app-3", "in", "app-3-store-changelog");
            streamsDescribed(on);
        });
        ask("streams describe by the operator", OPERATOR, Requests::streamsDescribed);
    }

    private static void streamsJoined(Exchange on, String group, String topic, String changelog) {
        StreamsGroupHeartbeatRequestData request = new StreamsGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId("m")
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setProcessId("p")
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setClientTags(List.of())
                .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                        .setSubtopologies(List.of(new StreamsGroupHeartbeatRequestData.Subtopology()
                                .setSubtopologyId("0")
                                .setSourceTopics(List.of(topic))
                                .setStateChangelogTopics(List.of(
                                        new StreamsGroupHeartbeatRequestData.TopicInfo().setName(changelog))))));
        StreamsGroupHeartbeatResponseData answer = on.connection()
                .call(ApiKeys.STREAMS_GROUP_HEARTBEAT, 1, request, StreamsGroupHeartbeatResponseData.class);
        on.add(group + " on " + topic + " and " + changelog, answer.errorCode(), answer.status());
    }

    private static void streamsDescribed(Exchange on) {
        StreamsGroupDescribeRequestData request = new StreamsGroupDescribeRequestData()
                .setGroupIds(List.of("open-app-3", "secret-app", "shown-app"))
                .setIncludeAuthorizedOperations(true);
        on.connection()
                .call(ApiKeys.STREAMS_GROUP_DESCRIBE, 1, request, StreamsGroupDescribeResponseData.class)
                .groups()
                .forEach(group -> on.add(group.groupId(), group.errorCode(), group.authorizedOperations()));
    }

    private static void describes() {
        ask("describe", READER, Requests::described);
        ask("describe by the operator", OPERATOR, Requests::described);
        for (int version : List.of(5, 6)) {
            ask("classic describe, version " + version, READER, on -> {
                DescribeGroupsRequestData request =
                        new DescribeGroupsRequestData().setGroups(GROUPS).setIncludeAuthorizedOperations(true);
                on.connection()
                        .call(ApiKeys.DESCRIBE_GROUPS, version, request, DescribeGroupsResponseData.class)
                        .groups()
                        .forEach(group -> on.add(
                                group.groupId(), group.errorCode(), group.groupState(), group.authorizedOperations()));
            });
        }
        ask("list", READER, Requests::listed);
        ask("list by the operator", OPERATOR, Requests::listed);
        ask("zz delete", READER, on -> {
            DeleteGroupsRequestData request = new DeleteGroupsRequestData().setGroupsNames(GROUPS);
            on.connection().call(ApiKeys.DELETE_GROUPS, 2, request, DeleteGroupsResponseData.class).results().stream()
                    .sorted(java.util.Comparator.comparing(DeleteGroupsResponseData.DeletableGroupResult::groupId))
                    .forEach(result -> on.add(result.groupId(), result.errorCode()));
        });
    }

    private static void described(Exchange on) {
        ConsumerGroupDescribeRequestData request = new ConsumerGroupDescribeRequestData()
                .setGroupIds(List.of("open", "shown", "secret", "deletable", "never-heard-of"))
                .setIncludeAuthorizedOperations(true);
        on
                .connection()
                .call(ApiKeys.CONSUMER_GROUP_DESCRIBE, 1, request, ConsumerGroupDescribeResponseData.class)
                .groups()
                .stream()
                .sorted(java.util.Comparator.comparing(ConsumerGroupDescribeResponseData.DescribedGroup::groupId))
                .forEach(group -> on.add(
                        group.groupId(),
                        group.errorCode(),
                        group.authorizedOperations(),
                        group.members().stream()
                                .map(ConsumerGroupDescribeResponseData.Member::memberId)
                                .toList()));
    }

    private static void listed(Exchange on) {
        on
                .connection()
                .call(ApiKeys.LIST_GROUPS, 5, new ListGroupsRequestData(), ListGroupsResponseData.class)
                .groups()
                .stream()
                .map(ListGroupsResponseData.ListedGroup::groupId)
                .filter(GROUPS::contains)
                .sorted()
                .forEach(group -> on.add(group, (short) 0));
    }

    private static void offsets() {
        ask("offset commits", READER, on -> {
            for (String group : List.of("open", "shown", "secret", "open-simple", "secret-simple")) {
                committed(on, group, "", -1);
                committed(on, group, "stranger", 1);
                committed(on, group, "founder", 77);
            }
        });
        ask("offset fetches", READER, on -> {
            for (String group : List.of("open", "shown", "secret", "open-simple")) {
                fetched(on, group, null, -1);
                fetched(on, group, "stranger", 1);
                fetched(on, group, "founder", 77);
            }
        });
        ask("offset deletions", READER, on -> {
            for (String group : List.of("open", "shown", "secret", "deletable", "never-heard-of")) {
                deleted(on, group, List.of("in"));
                deleted(on, group, List.of("in", "shown", "secret", "absent"));
            }
        });
    }

    private static void committed(Exchange on, String group, String member, int epoch) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of("in", "shown", "secret", "absent").stream()
                        .map(topic -> new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                .setName(topic)
                                .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                        .setCommittedOffset(1))))
                        .toList());
        on.connection().call(ApiKeys.OFFSET_COMMIT, 9, request, OffsetCommitResponseData.class).topics().stream()
                .sorted(java.util.Comparator.comparing(OffsetCommitResponseData.OffsetCommitResponseTopic::name))
                .forEach(topic -> on.add(
                        group + " by " + member + " of " + topic.name(),
                        topic.partitions().get(0).errorCode()));
    }

    private static void fetched(
            Exchange on, String group, @org.jspecify.annotations.Nullable String member, int epoch) {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setMemberEpoch(epoch)
                        .setTopics(List.of("in", "shown", "secret", "absent").stream()
                                .map(topic -> new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                        .setName(topic)
                                        .setPartitionIndexes(List.of(0)))
                                .toList())));
        OffsetFetchResponseData.OffsetFetchResponseGroup answer = on.connection()
                .call(ApiKeys.OFFSET_FETCH, 9, request, OffsetFetchResponseData.class)
                .groups()
                .get(0);
        on.add(
                group + " by " + member,
                answer.errorCode(),
                answer.topics().stream()
                        .map(topic -> topic.name() + " "
                                + Errors.forCode(topic.partitions().get(0).errorCode()))
                        .sorted()
                        .toList());
    }

    private static void deleted(Exchange on, String group, List<String> topics) {
        OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection collection =
                new OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection();
        topics.forEach(topic -> collection.add(new OffsetDeleteRequestData.OffsetDeleteRequestTopic()
                .setName(topic)
                .setPartitions(List.of(new OffsetDeleteRequestData.OffsetDeleteRequestPartition()))));
        OffsetDeleteRequestData request =
                new OffsetDeleteRequestData().setGroupId(group).setTopics(collection);
        OffsetDeleteResponseData answer =
                on.connection().call(ApiKeys.OFFSET_DELETE, 0, request, OffsetDeleteResponseData.class);
        on.add(
                group + " of " + topics,
                answer.errorCode(),
                answer.topics().stream()
                        .map(topic -> topic.name() + " "
                                + Errors.forCode(
                                        topic.partitions().iterator().next().errorCode()))
                        .sorted()
                        .toList());
    }

    private static void classic() {
        ask("classic members", READER, on -> {
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
        });
    }
}
