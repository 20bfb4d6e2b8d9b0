package io.muster.gateway.upstream;

import io.muster.core.Partitions;
import io.muster.core.StreamsCommand.PartitionEnd;
import io.muster.gateway.kafka.PartitionEnds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the leaders of partitions for the ends, one request of a group at a time; what takes too long or fails is left out. */
public final class EndOffsetReader implements PartitionEnds, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndOffsetReader.class);
    private static final int CONNECTIONS = 2;
    private static final int TIMEOUT_MILLIS = 3_000;

    /** No request waits longer in line, or for one broker after the other; the group would not wait for its answer any more. */
    private static final long PATIENCE_NANOS = 8_000_000_000L;

    private final SessionPool sessions;

    public EndOffsetReader(UpstreamConfig config) {
        this.sessions = new SessionPool(config, "end-offsets", CONNECTIONS);
    }

    @Override
    public CompletableFuture<List<PartitionEnd>> read(Partitions<String> partitions) {
        CompletableFuture<List<PartitionEnd>> answer = new CompletableFuture<>();
        long begin = System.nanoTime();
        try {
            sessions.execute(session -> answer.complete(ends(session, partitions, begin)), failure -> {
                LOG.atError().setCause(failure).log("ends of changelogs cannot be read");
                answer.complete(List.of());
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway is stopping", e);
            answer.complete(List.of());
        }
        return answer;
    }

    private static List<PartitionEnd> ends(BrokerSession session, Partitions<String> partitions, long begin) {
        List<PartitionEnd> ends = new ArrayList<>();
        try {
            read(session, partitions, begin, ends);
        } catch (UpstreamException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("ends of changelogs cannot be read");
        }
        return ends;
    }

    private static void read(BrokerSession session, Partitions<String> partitions, long begin, List<PartitionEnd> ends)
            throws UpstreamException {
        MetadataResponse metadata = metadata(session, partitions);
        for (Map.Entry<Integer, List<ListOffsetsTopic>> asked :
                byLeader(metadata, partitions).entrySet()) {
            Node leader = metadata.brokersById().get(asked.getKey());
            if (leader == null || System.nanoTime() - begin > PATIENCE_NANOS) {
                continue;
            }
            try {
                readInto(ends, session, leader, asked.getValue());
            } catch (UpstreamException e) {
                LOG.atWarn()
                        .addKeyValue("leader", leader.id())
                        .addKeyValue("reason", e.getMessage())
                        .log("ends of changelogs cannot be read from one leader");
            }
        }
    }

    private static void readInto(
            List<PartitionEnd> ends, BrokerSession session, Node leader, List<ListOffsetsTopic> asked)
            throws UpstreamException {
        ListOffsetsRequest.Builder request = ListOffsetsRequest.Builder.forConsumer(
                        false, IsolationLevel.READ_UNCOMMITTED)
                .setTargetTimes(asked);
        readInto(ends, (ListOffsetsResponse) session.call(leader, request, TIMEOUT_MILLIS));
    }

    private static MetadataResponse metadata(BrokerSession session, Partitions<String> partitions)
            throws UpstreamException {
        UpstreamException last = new UpstreamException("there is no broker to ask");
        for (Node broker : session.bootstrap()) {
            try {
                List<String> topics = new ArrayList<>(partitions.byKey().keySet());
                return (MetadataResponse)
                        session.call(broker, new MetadataRequest.Builder(topics, false), TIMEOUT_MILLIS);
            } catch (UpstreamException e) {
                last = e;
            }
        }
        throw last;
    }

    private static Map<Integer, List<ListOffsetsTopic>> byLeader(
            MetadataResponse metadata, Partitions<String> partitions) {
        Map<Integer, List<ListOffsetsTopic>> byLeader = new TreeMap<>();
        metadata.data()
                .topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    boolean led = topic.errorCode() == Errors.NONE.code() && partition.leaderId() >= 0;
                    if (led && partitions.contains(topic.name(), partition.partitionIndex())) {
                        ListOffsetsPartition asked = new ListOffsetsPartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setTimestamp(ListOffsetsRequest.LATEST_TIMESTAMP);
                        add(
                                byLeader.computeIfAbsent(partition.leaderId(), id -> new ArrayList<>()),
                                topic.name(),
                                asked);
                    }
                }));
        return byLeader;
    }

    /** Adds a partition; those of one topic come one after the other. */
    private static void add(List<ListOffsetsTopic> topics, String name, ListOffsetsPartition partition) {
        if (topics.isEmpty() || !topics.get(topics.size() - 1).name().equals(name)) {
            topics.add(new ListOffsetsTopic().setName(name));
        }
        topics.get(topics.size() - 1).partitions().add(partition);
    }

    private static void readInto(List<PartitionEnd> ends, ListOffsetsResponse response) {
        response.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    if (partition.errorCode() == Errors.NONE.code() && partition.offset() >= 0) {
                        ends.add(new PartitionEnd(topic.name(), partition.partitionIndex(), partition.offset()));
                    }
                }));
    }

    @Override
    public void close() {
        sessions.close();
    }
}
