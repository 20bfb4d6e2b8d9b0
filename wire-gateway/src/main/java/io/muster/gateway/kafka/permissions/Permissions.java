package io.muster.gateway.kafka.permissions;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * What the client of one connection may do, asked of its broker on its own connection. Every answer is exceptional if the broker
 * cannot be reached or ends the connection, as it does with a client that did not say who it is. Any thread.
 */
public final class Permissions {
    /** The last version that gives operations of groups that do not exist. */
    private static final short DESCRIBE_GROUPS = 5;

    /** The last version that gives the operations of the cluster. */
    static final short METADATA = 10;

    private final ClientUpstream upstream;
    private final GroupReads reads;
    private final OrderedReads ordered;
    private final TopicDescribes describes;

    public Permissions(ClientUpstream upstream, PermissionRefresh refresh) {
        this.upstream = upstream;
        this.reads = new GroupReads(upstream, refresh);
        this.ordered = new OrderedReads(reads);
        this.describes = new TopicDescribes(upstream, refresh);
    }

    /** Whether it may READ the group, as the broker says it now. */
    public CompletableFuture<Boolean> mayRead(String groupId) {
        return reads.ask(groupId);
    }

    /**
     * Whether it was allowed to READ the group on this connection before, without waiting. What the broker said longer ago than the
     * interval still counts, and is asked anew meanwhile.
     */
    public boolean couldRead(String groupId) {
        return reads.wereAllowed(groupId);
    }

    /**
     * Whether it may READ the group, as {@link #couldRead} knows it or else as the broker says it. Answers come in the order of the
     * calls; to be called on the connection's event loop.
     */
    public CompletableFuture<Boolean> mayReadInOrder(String groupId) {
        return ordered.allowed(groupId);
    }

    /** Forgets what was allowed: the client says anew who it is. */
    public void forget() {
        reads.forget();
        describes.forget();
    }

    /** What it may do with each of these groups, whether they exist or not. */
    public CompletableFuture<Map<String, GroupAccess>> groups(Collection<String> groupIds) {
        if (groupIds.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        DescribeGroupsRequestData request = new DescribeGroupsRequestData()
                .setGroups(groupIds.stream().distinct().toList())
                .setIncludeAuthorizedOperations(true);
        short version = (short) Math.min(DESCRIBE_GROUPS, upstream.maxVersion(ApiKeys.DESCRIBE_GROUPS));
        return upstream.call(ApiKeys.DESCRIBE_GROUPS, version, request).thenApply(answer -> {
            Map<String, GroupAccess> access = new HashMap<>();
            ((DescribeGroupsResponseData) answer)
                    .groups()
                    .forEach(group -> access.put(
                            group.groupId(),
                            new GroupAccess(Errors.forCode(group.errorCode()), group.authorizedOperations())));
            return access;
        });
    }

    /** Those of the topics that it may not DESCRIBE, as the broker says it now. */
    public CompletableFuture<SortedSet<String>> undescribable(Collection<String> topics) {
        return describes.ask(topics);
    }

    /**
     * Those of the topics that it may not DESCRIBE. What the broker allowed on this connection before counts without asking; what it
     * said longer ago than the interval is asked anew meanwhile.
     */
    public CompletableFuture<SortedSet<String>> undescribableAsKnown(Collection<String> topics) {
        return describes.askWhatIsUnknown(topics);
    }

    /** What Kafka says of those of the topics that it may not READ or that are not there, by name. */
    public CompletableFuture<SortedMap<String, Errors>> readErrors(Collection<String> topics) {
        return topics.isEmpty()
                ? CompletableFuture.completedFuture(new TreeMap<>())
                : metadata(topics).thenApply(Permissions::readErrors);
    }

    private static SortedMap<String, Errors> readErrors(MetadataResponseData answer) {
        SortedMap<String, Errors> errors = new TreeMap<>();
        answer.topics().forEach(topic -> {
            if (!has(topic, AclOperation.READ)) {
                errors.put(topic.name(), Errors.TOPIC_AUTHORIZATION_FAILED);
            } else if (isAbsent(topic)) {
                errors.put(topic.name(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        });
        return errors;
    }

    /** Those of the topics that it may not CREATE, neither by name nor since it may create any. */
    public CompletableFuture<SortedSet<String>> uncreatable(Collection<String> topics) {
        return metadata(topics)
                .thenApply(answer -> has(answer.clusterAuthorizedOperations(), AclOperation.CREATE)
                        ? new TreeSet<>()
                        : names(answer, topic -> !has(topic, AclOperation.CREATE)));
    }

    /** Whether it may do this with the cluster; who may DESCRIBE it sees every group thereby. */
    public CompletableFuture<Boolean> mayOnCluster(AclOperation operation) {
        return metadata(List.of()).thenApply(answer -> has(answer.clusterAuthorizedOperations(), operation));
    }

    private CompletableFuture<MetadataResponseData> metadata(Collection<String> topics) {
        MetadataRequestData request = new MetadataRequestData()
                .setAllowAutoTopicCreation(false)
                .setIncludeClusterAuthorizedOperations(true)
                .setIncludeTopicAuthorizedOperations(true)
                .setTopics(topics.stream()
                        .distinct()
                        .map(name -> new MetadataRequestTopic().setName(name))
                        .toList());
        return upstream.call(ApiKeys.METADATA, METADATA, request).thenApply(MetadataResponseData.class::cast);
    }

    private static SortedSet<String> names(MetadataResponseData answer, Predicate<MetadataResponseTopic> which) {
        SortedSet<String> names = new TreeSet<>();
        answer.topics().stream().filter(which).map(MetadataResponseTopic::name).forEach(names::add);
        return names;
    }

    /** A topic of which the broker failed to say anything is hidden, too. */
    static boolean isHidden(MetadataResponseTopic topic) {
        return topic.errorCode() == Errors.TOPIC_AUTHORIZATION_FAILED.code()
                || topic.errorCode() == Errors.UNKNOWN_SERVER_ERROR.code();
    }

    private static boolean isAbsent(MetadataResponseTopic topic) {
        return topic.errorCode() == Errors.UNKNOWN_TOPIC_OR_PARTITION.code()
                || topic.errorCode() == Errors.INVALID_TOPIC_EXCEPTION.code();
    }

    private static boolean has(MetadataResponseTopic topic, AclOperation operation) {
        return !isHidden(topic) && has(topic.topicAuthorizedOperations(), operation);
    }

    private static boolean has(int operations, AclOperation operation) {
        return operations != GroupAccess.UNKNOWN && (operations & (1 << operation.code())) != 0;
    }
}
