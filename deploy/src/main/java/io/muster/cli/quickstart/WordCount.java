package io.muster.cli.quickstart;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/** The application that the quickstart runs: counts words of a topic of sentences into a topic of counts. */
final class WordCount {
    /** Application id, and so the group's id. */
    static final String GROUP = "muster-demo-wordcount";

    static final String SENTENCES = "muster-demo-sentences";
    static final String COUNTS = "muster-demo-counts";
    static final int PARTITIONS = 3;

    private static final Pattern NO_LETTERS = Pattern.compile("[^\\p{L}]+");

    private WordCount() {}

    static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(SENTENCES, Consumed.with(Serdes.String(), Serdes.String()))
                .flatMapValues(WordCount::words)
                .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
                .count(Materialized.as("counts"))
                .toStream()
                .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }

    /** The configuration of an ordinary application; only the bootstrap address has to do with Muster. */
    static Properties config(String bootstrap, String stateDir) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, GROUP);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "streams");
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir);
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        return config;
    }

    static List<String> words(String sentence) {
        return NO_LETTERS
                .splitAsStream(sentence.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** What the application has to arrive at for these sentences. */
    static Map<String, Long> countsOf(Iterable<String> sentences) {
        Map<String, Long> counts = new TreeMap<>();
        for (String sentence : sentences) {
            words(sentence).forEach(word -> counts.merge(word, 1L, Long::sum));
        }
        return counts;
    }
}
