package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.TopicInfo;
import io.muster.gateway.coordinator.TopicLease;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.netty.StandInBroker;
import io.muster.runtime.TopicReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicPollerTest {
    private static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final TopicLease LEASE = new TopicLease("node1", 0, 1);

    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final BlockingQueue<TopicReport> reports = new LinkedBlockingQueue<>();
    private StandInBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new StandInBroker();
        broker.answers(ApiKeys.METADATA, this::metadata);
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    @Test
    void watch_reportsWhatTheBrokerSaysOfTheNames() throws Exception {
        // Given
        partitions.put("there", 3);
        try (TopicPoller poller = poller(NEVER_MILLIS)) {
            // When
            poller.watch(LEASE, Set.of("there", "absent"), reports::add);

            // Then
            TopicReport report = next();
            assertThat(report.present()).extracting(TopicInfo::name).containsExactly("there");
            assertThat(report.absent()).containsExactly("absent");
        }
    }

    @Test
    void watch_ofMoreNames_looksAtTheNewOnesOnly() throws Exception {
        // Given
        partitions.put("old", 1);
        partitions.put("new", 1);
        try (TopicPoller poller = poller(NEVER_MILLIS)) {
            poller.watch(LEASE, Set.of("old"), reports::add);
            assertThat(next().present()).hasSize(1);

            // When
            poller.watch(LEASE, Set.of("old", "new"), reports::add);

            // Then
            assertThat(next().present()).extracting(TopicInfo::name).containsExactly("new");
        }
    }

    @Test
    void brokerThatFails_isAskedAgain() throws Exception {
        // Given
        partitions.put("t", 1);
        failures.set(2);
        try (TopicPoller poller = poller(NEVER_MILLIS)) {
            // When
            poller.watch(LEASE, Set.of("t"), reports::add);

            // Then
            assertThat(next().present()).hasSize(1);
            assertThat(failures).hasValue(0);
        }
    }

    @Test
    void poll_findsWhatChanged() throws Exception {
        // Given
        partitions.put("t", 1);
        try (TopicPoller poller = poller(20)) {
            poller.watch(LEASE, Set.of("t"), reports::add);
            assertThat(next().present()).extracting(TopicInfo::partitions).containsExactly(1);

            // When
            partitions.put("t", 2);

            // Then
            TopicReport report = next();
            while (report.present().get(0).partitions() == 1) {
                report = next();
            }
            assertThat(report.present()).extracting(TopicInfo::partitions).containsExactly(2);
        }
    }

    @Test
    void leaseThatEnded_isNotLookedAt() throws Exception {
        // Given
        partitions.put("t", 1);
        BlockingQueue<TopicReport> ofTheOther = new LinkedBlockingQueue<>();
        try (TopicPoller poller = poller(20)) {
            poller.watch(LEASE, Set.of("t"), reports::add);
            assertThat(next().present()).hasSize(1);
            poller.end(LEASE);
            poller.watch(new TopicLease("node1", 0, 2), Set.of("t"), ofTheOther::add);
            assertThat(ofTheOther.poll(20, TimeUnit.SECONDS)).isNotNull();
            reports.clear();

            // When
            assertThat(ofTheOther.poll(20, TimeUnit.SECONDS)).isNotNull();

            // Then
            assertThat(reports).isEmpty();
        }
    }

    private TopicReport next() throws InterruptedException {
        TopicReport report = reports.poll(20, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        return report;
    }

    private TopicPoller poller(long intervalMillis) {
        return new TopicPoller(
                new UpstreamConfig(List.of("127.0.0.1:" + broker.port()), "test", Map.of()), intervalMillis);
    }

    private Optional<ApiMessage> metadata(KafkaRequest request) throws IOException {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("the broker fails");
        }
        MetadataResponseData answer = new MetadataResponseData();
        answer.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(0)
                        .setHost("127.0.0.1")
                        .setPort(broker.port()));
        try {
            Set<String> names = new TreeSet<>();
            request.body(MetadataRequestData.class).topics().stream()
                    .map(MetadataRequestTopic::name)
                    .forEach(names::add);
            names.forEach(name -> answer.topics().add(topic(name)));
        } catch (MalformedRequestException e) {
            throw new IOException(e);
        }
        return Optional.of(answer);
    }

    private MetadataResponseTopic topic(String name) {
        Integer count = partitions.get(name);
        MetadataResponseTopic topic = new MetadataResponseTopic().setName(name);
        if (count == null) {
            return topic.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        topic.setTopicId(new Uuid(1, name.hashCode()));
        for (int partition = 0; partition < count; partition++) {
            topic.partitions()
                    .add(new MetadataResponsePartition()
                            .setPartitionIndex(partition)
                            .setLeaderId(0)
                            .setReplicaNodes(List.of(0))
                            .setIsrNodes(List.of(0)));
        }
        return topic;
    }
}
