package io.muster.cluster.clients;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic whose records are the numbers from 0, so that a reader can be asked which of them it saw, and how often. */
public final class NumberedTopic implements AutoCloseable {
    private final String name;
    private final KafkaProducer<String, String> producer;
    private int written;

    /** Creates the topic, kept once, on the brokers. */
    public NumberedTopic(String bootstrap, String name, int partitions)
            throws ExecutionException, InterruptedException {
        this(bootstrap, name, partitions, 1);
    }

    NumberedTopic(String bootstrap, String name, int partitions, int replicas)
            throws ExecutionException, InterruptedException {
        this(Map.of("bootstrap.servers", bootstrap), name, partitions, replicas);
    }

    /** @param client how the producer finds the brokers and says who it is */
    NumberedTopic(Map<String, String> client, String name, int partitions, int replicas)
            throws ExecutionException, InterruptedException {
        this.name = name;
        create(client, name, partitions, replicas);
        // One batch at a time: while a topic is new, the broker may refuse the first one and then not know the sequence
        // of the next.
        Map<String, Object> settings = Patience.shortened(client);
        settings.put("acks", "all");
        settings.put("max.in.flight.requests.per.connection", 1);
        this.producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    /** Creates a topic on the brokers. */
    public static void create(String bootstrap, String name, int partitions, int replicas)
            throws ExecutionException, InterruptedException {
        create(Map.of("bootstrap.servers", bootstrap), name, partitions, replicas);
    }

    private static void create(Map<String, String> client, String name, int partitions, int replicas)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.copyOf(client))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) replicas)))
                    .all()
                    .get();
        }
    }

    public String name() {
        return name;
    }

    /** Writes that many more numbers; they are on disk when this returns. */
    public void write(int count) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++, written++) {
            String number = Integer.toString(written);
            sent.add(producer.send(new ProducerRecord<>(name, number, number)));
        }
        producer.flush();
        for (Future<RecordMetadata> each : sent) {
            await(each);
        }
    }

    private static void await(Future<RecordMetadata> sent) {
        try {
            sent.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a record was not written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All numbers that were written, each once. */
    public Map<String, Integer> eachOnce() {
        return IntStream.range(0, written).boxed().collect(Collectors.toMap(number -> number.toString(), number -> 1));
    }

    @Override
    public void close() {
        producer.close();
    }
}
