package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * What members of classic consumer groups tell each other in bytes, from and to short texts.
 *
 * @param topicName from the name in the script, the topic's own
 * @param generation the generation that a script calls by a name
 */
record ClassicProtocol(UnaryOperator<String> topicName, UnaryOperator<String> generation) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final short NEWEST = 3;

    /** In base 64: {@code foo,bar;v=3;owned=foo=0.1;gen=@e1;rack=r}. */
    String subscription(String text) {
        String[] parts = text.split(";");
        ConsumerProtocolSubscription subscription = new ConsumerProtocolSubscription();
        List<String> topics = new ArrayList<>();
        for (String topic : parts[0].split(",")) {
            if (!topic.isEmpty()) {
                topics.add(topicName.apply(topic));
            }
        }
        subscription.setTopics(topics);
        short version = NEWEST;
        for (String part : List.of(parts).subList(1, parts.length)) {
            String[] option = part.split("=", 2);
            switch (option[0]) {
                case "v" -> version = Short.parseShort(option[1]);
                case "gen" -> subscription.setGenerationId(generation(option[1]));
                case "rack" -> subscription.setRackId(option[1]);
                case "owned" -> own(subscription, option[1]);
                default -> throw new IllegalArgumentException("unknown subscription option " + option[0]);
            }
        }
        return base64(MessageUtil.toVersionPrefixedBytes(version, subscription));
    }

    /** In base 64: {@code foo=0.1,bar=2}. */
    String assignment(String text) {
        ConsumerProtocolAssignment assignment = new ConsumerProtocolAssignment();
        partitions(text)
                .forEach((topic, partitions) -> assignment
                        .assignedPartitions()
                        .add(new ConsumerProtocolAssignment.TopicPartition()
                                .setTopic(topic)
                                .setPartitions(partitions)));
        return base64(MessageUtil.toVersionPrefixedBytes(NEWEST, assignment));
    }

    /**
     * Bytes as readable JSON.
     *
     * @param kind {@code consumerAssignment} or {@code consumerSubscription}
     */
    static JsonNode decode(JsonNode bytes, String kind) {
        byte[] content = binary(bytes);
        if (content.length == 0) {
            return TextNode.valueOf("<empty>");
        }
        ByteBuffer buffer = ByteBuffer.wrap(content);
        return switch (kind) {
            case "consumerAssignment" ->
                JSON.valueToTree(
                        byTopic(ConsumerProtocol.deserializeAssignment(buffer).partitions()));
            case "consumerSubscription" ->
                JSON.valueToTree(ConsumerProtocol.deserializeSubscription(buffer).topics().stream()
                        .sorted()
                        .toList());
            default -> throw new IllegalArgumentException("unknown decoder " + kind);
        };
    }

    private static byte[] binary(JsonNode bytes) {
        try {
            byte[] content = bytes.binaryValue();
            return content == null ? new byte[0] : content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, List<Integer>> byTopic(List<TopicPartition> partitions) {
        Map<String, List<Integer>> byTopic = new TreeMap<>();
        partitions.forEach(each -> byTopic.computeIfAbsent(each.topic(), topic -> new ArrayList<>())
                .add(each.partition()));
        byTopic.values().forEach(list -> list.sort(null));
        return byTopic;
    }

    private int generation(String text) {
        return Integer.parseInt(text.startsWith("@") ? generation.apply(text.substring(1)) : text);
    }

    private void own(ConsumerProtocolSubscription subscription, String text) {
        partitions(text)
                .forEach((topic, partitions) -> subscription
                        .ownedPartitions()
                        .add(new ConsumerProtocolSubscription.TopicPartition()
                                .setTopic(topic)
                                .setPartitions(partitions)));
    }

    private Map<String, List<Integer>> partitions(String text) {
        Map<String, List<Integer>> partitions = new TreeMap<>();
        for (String topic : text.split(",")) {
            if (!topic.isEmpty()) {
                String[] parts = topic.split("=");
                List<Integer> numbers = List.of(parts[1].split("\\.")).stream()
                        .map(Integer::valueOf)
                        .toList();
                partitions
                        .computeIfAbsent(topicName.apply(parts[0]), name -> new ArrayList<>())
                        .addAll(numbers);
            }
        }
        return partitions;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
