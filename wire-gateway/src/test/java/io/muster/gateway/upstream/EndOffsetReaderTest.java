package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.StreamsCommand.PartitionEnd;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.netty.StandInBroker;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

/** The ends of changelogs, read from their leaders. */
class EndOffsetReaderTest {
    private static final int DEAD = 0;
    private static final int ALIVE = 1;

    @Test
    void leaderThatFails_costsItsOwnPartitionsOnly() throws Exception {
        // Given
        try (StandInBroker broker = new StandInBroker();
                EndOffsetReader reader = new EndOffsetReader(
                        new UpstreamConfig(List.of("127.0.0.1:" + broker.port()), "test", Map.of()))) {
            broker.answers(ApiKeys.METADATA, request -> Optional.of(metadata(broker.port())));
            broker.answers(ApiKeys.LIST_OFFSETS, EndOffsetReaderTest::ends);

            // When
            List<PartitionEnd> ends = reader.read(Partitions.copyOf(Map.of("log", List.of(0, 1, 2))))
                    .get(30, TimeUnit.SECONDS);

            // Then
            assertThat(ends).containsExactly(new PartitionEnd("log", 1, 101), new PartitionEnd("log", 2, 102));
        }
    }

    /** The broker with the lower id, which is asked first, leads partition 0 and refuses connections. */
    private static ApiMessage metadata(int port) {
        MetadataResponseTopic topic = new MetadataResponseTopic().setName("log");
        for (int partition = 0; partition < 3; partition++) {
            topic.partitions()
                    .add(new MetadataResponsePartition()
                            .setPartitionIndex(partition)
                            .setLeaderId(partition == 0 ? DEAD : ALIVE));
        }
        MetadataResponseData answer = new MetadataResponseData();
        answer.topics().add(topic);
        answer.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(DEAD)
                        .setHost("127.0.0.1")
                        .setPort(1));
        answer.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(ALIVE)
                        .setHost("127.0.0.1")
                        .setPort(port));
        return answer;
    }

    private static Optional<ApiMessage> ends(KafkaRequest request) throws IOException {
        try {
            ListOffsetsResponseData answer = new ListOffsetsResponseData();
            request.body(ListOffsetsRequestData.class).topics().forEach(asked -> {
                ListOffsetsTopicResponse topic = new ListOffsetsTopicResponse().setName(asked.name());
                asked.partitions()
                        .forEach(one -> topic.partitions()
                                .add(new ListOffsetsPartitionResponse()
                                        .setPartitionIndex(one.partitionIndex())
                                        .setOffset(100L + one.partitionIndex())));
                answer.topics().add(topic);
            });
            return Optional.of(answer);
        } catch (MalformedRequestException e) {
            throw new IOException(e);
        }
    }
}
