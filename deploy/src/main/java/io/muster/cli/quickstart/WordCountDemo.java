package io.muster.cli.quickstart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Word count through the gateways: a producer, the Streams application, and a reader that compares the counts with the sentences
 * themselves. Not thread-safe.
 */
final class WordCountDemo implements AutoCloseable {
    private static final List<String> TEXT = List.of(
            "The muster of the crew is read at dawn",
            "Who left the group and who has joined it",
            "A leader fell and another took the log",
            "No offset goes back and no word is counted twice",
            "The tide comes in and the tide goes out");

    private final KafkaProducer<String, String> producer;
    private final KafkaStreams streams;
    private final TopicReader<String> sentences;
    private final TopicReader<Long> counts;
    private final List<String> seenSentences = new ArrayList<>();
    private final Map<String, Long> seenCounts = new TreeMap<>();
    private int sent;

    /** Creates the topics and connects; {@link #start} then runs the application. */
    WordCountDemo(String bootstrap, Path stateDir) throws QuickstartException, InterruptedException {
        createTopics(bootstrap);
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "muster-demo-sentences"),
                new StringSerializer(),
                new StringSerializer());
        streams = new KafkaStreams(WordCount.topology(), WordCount.config(bootstrap, stateDir.toString()));
        sentences = new TopicReader<>(bootstrap, WordCount.SENTENCES, WordCount.PARTITIONS, new StringDeserializer());
        counts = new TopicReader<>(bootstrap, WordCount.COUNTS, WordCount.PARTITIONS, new LongDeserializer());
    }

    private static void createTopics(String bootstrap) throws QuickstartException, InterruptedException {
        List<NewTopic> topics = List.of(
                new NewTopic(WordCount.SENTENCES, WordCount.PARTITIONS, (short) 1),
                new NewTopic(WordCount.COUNTS, WordCount.PARTITIONS, (short) 1));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            for (Map.Entry<String, KafkaFuture<Void>> created :
                    admin.createTopics(topics).values().entrySet()) {
                awaitCreated(created.getKey(), created.getValue());
            }
        }
    }

    private static void awaitCreated(String topic, KafkaFuture<Void> created)
            throws QuickstartException, InterruptedException {
        try {
            created.get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new QuickstartException("topic " + topic + " cannot be created: " + e.getCause(), e);
            }
        }
    }

    /** Starts the application, and gets the producer ready meanwhile. */
    void start() {
        streams.start();
        producer.initTransactions();
    }

    /** Sends this many sentences in one transaction and waits until the broker has them. */
    void send(int number) throws QuickstartException {
        try {
            producer.beginTransaction();
            for (int i = 0; i < number; i++) {
                String sentence = TEXT.get(sent++ % TEXT.size());
                var unused = producer.send(new ProducerRecord<>(WordCount.SENTENCES, sentence));
            }
            producer.commitTransaction();
        } catch (KafkaException e) {
            throw new QuickstartException("the demo's sentences cannot be sent: " + e, e);
        }
    }

    /** Reads on for at most this long; returns whether the counts are those of all sentences sent so far. */
    boolean catchUp(Duration patience) throws QuickstartException {
        if (streams.state() == KafkaStreams.State.ERROR) {
            throw new QuickstartException("the word-count application failed; its log says why");
        }
        sentences.poll(patience.dividedBy(2), (key, sentence) -> seenSentences.add(sentence));
        counts.poll(patience.dividedBy(2), seenCounts::put);
        return sentences.atEnd() && seenCounts.equals(WordCount.countsOf(seenSentences));
    }

    int sentenceCount() {
        return seenSentences.size();
    }

    /** Counts by word as they are in the output topic. */
    Map<String, Long> counts() {
        return Map.copyOf(seenCounts);
    }

    String streamsState() {
        return streams.state().name();
    }

    @Override
    public void close() {
        streams.close(Duration.ofSeconds(10));
        producer.close(Duration.ofSeconds(2));
        sentences.close();
        counts.close();
    }
}
