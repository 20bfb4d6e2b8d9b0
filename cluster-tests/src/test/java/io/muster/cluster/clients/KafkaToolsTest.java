package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's command line tools as processes, at work through the gateway on groups of every type, two at a time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class KafkaToolsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int AT_A_TIME = 2;
    private static final int RECORDS = 10;
    private static final String READERS = "tools-readers";
    private static final String COPIER = "tools-copier";
    private static final String SHARERS = "tools-sharers";
    private static final String LEAVERS = "tools-leavers";

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path dir;

    private final ExecutorService tools = Executors.newFixedThreadPool(AT_A_TIME);
    private final AtomicBoolean closing = new AtomicBoolean();
    private MusterCluster muster;
    private NumberedTopic topic;
    private Copier reader;
    private CopyApplication application;
    private Thread sharer;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        muster = MusterCluster.startOne(KAFKA.brokers());
        topic = new NumberedTopic(KAFKA.brokers().bootstrap(), "tools-numbers", 1);
        NumberedTopic.create(KAFKA.brokers().bootstrap(), "tools-copies", 1, 1);
        topic.write(RECORDS);
        application = new CopyApplication(muster.bootstrap(), COPIER, topic.name(), "tools-copies", 1, dir);
        sharer = new Thread(this::share, SHARERS);
        sharer.start();
        reader = new Copier(muster.bootstrap(), READERS, topic.name());
        reader.join();
        reader.read(RECORDS).get();
        reader.commit().get();
        try (Copier leaver = new Copier(muster.bootstrap(), LEAVERS, topic.name())) {
            leaver.join();
            leaver.read(RECORDS).get();
            leaver.commit().get();
        }
        Awaitility.await().atMost(LIMIT).until(application::isRunning);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> CopyApplication.output(KAFKA.brokers().bootstrap(), "tools-copies")
                                .size()
                        == RECORDS);
    }

    @AfterAll
    void stop() throws InterruptedException {
        closing.set(true);
        sharer.join();
        reader.close();
        application.close();
        topic.close();
        muster.close();
        tools.shutdownNow();
    }

    @Test
    void consumerGroups_areDescribedInFull() throws ExecutionException, InterruptedException {
        // When
        Future<String> offsets = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--offsets");
        Future<String> offsetsInFull = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--offsets", "--verbose");
        Future<String> state = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--state");
        Future<String> stateInFull = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--state", "--verbose");
        Future<String> members = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--members");
        Future<String> membersInFull = describe(KafkaTool.CONSUMER_GROUPS, READERS, "--members", "--verbose");

        // Then
        assertThat(table(offsets))
                .startsWith("GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID")
                .contains(READERS + " tools-numbers 0 10 10 0 ");
        assertThat(table(offsetsInFull))
                .startsWith(
                        "GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID")
                .contains(READERS + " tools-numbers 0 - 10 10 0 ");
        assertThat(table(state))
                .startsWith("GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS")
                .contains(READERS + " " + coordinator() + " (0) uniform Stable 1");
        assertThat(table(stateInFull))
                .startsWith(
                        "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE GROUP-EPOCH TARGET-ASSIGNMENT-EPOCH #MEMBERS")
                .contains(READERS + " " + coordinator() + " (0) uniform Stable 2 2 1");
        assertThat(table(members))
                .startsWith("GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS")
                .containsPattern(READERS + " \\S+ /127.0.0.1 \\S+ 1");
        assertThat(table(membersInFull))
                .startsWith("GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT"
                        + " TARGET-EPOCH TARGET-ASSIGNMENT")
                .containsPattern(READERS + " \\S+ /127.0.0.1 \\S+ 1 2 tools-numbers:0 2 tools-numbers:0");
    }

    @Test
    void streamsGroups_areDescribedInFull() throws ExecutionException, InterruptedException {
        // When
        Future<String> offsets = describe(KafkaTool.STREAMS_GROUPS, COPIER, "--offsets", "--verbose");
        Future<String> state = describe(KafkaTool.STREAMS_GROUPS, COPIER, "--state", "--verbose");
        Future<String> members = describe(KafkaTool.STREAMS_GROUPS, COPIER, "--members", "--verbose");
        Future<String> topology = describe(KafkaTool.STREAMS_GROUPS, COPIER, "--topology");

        // Then
        assertThat(table(offsets))
                .startsWith("GROUP TOPIC PARTITION CURRENT-OFFSET LEADER-EPOCH LOG-END-OFFSET OFFSET-LAG")
                .containsPattern(COPIER + " tools-numbers 0 10 \\S+ 10 0");
        assertThat(table(state))
                .startsWith("GROUP COORDINATOR (ID) ASSIGNOR STATE GROUP-EPOCH TARGET-ASSIGNMENT-EPOCH #MEMBERS")
                .containsPattern(COPIER + " " + coordinator() + " \\(0\\) sticky Stable (\\d+) \\1 2");
        assertThat(table(members))
                .startsWith("GROUP TARGET-ASSIGNMENT-EPOCH TOPOLOGY-EPOCH MEMBER MEMBER-PROTOCOL MEMBER-EPOCH PROCESS"
                        + " CLIENT-ID ASSIGNMENTS")
                .containsPattern(COPIER + " \\d+ 0 \\S+ streams \\d+ \\S+ \\S+ ACTIVE: .* TARGET-ACTIVE: ");
        assertThat(table(topology)).contains("Sub-topology: 0", "topics: [tools-numbers]", "topic: tools-copies");
    }

    @Test
    void groups_ofEveryType_areListed() throws ExecutionException, InterruptedException {
        // When
        Future<String> all = run(KafkaTool.GROUPS, "--list");
        Future<String> consumers = run(KafkaTool.CONSUMER_GROUPS, "--list", "--state", "--type");
        Future<String> streams = run(KafkaTool.STREAMS_GROUPS, "--list", "--state");
        Future<String> sharers = run(KafkaTool.SHARE_GROUPS, "--list", "--state");
        Future<String> shared = describe(KafkaTool.SHARE_GROUPS, SHARERS, "--members");

        // Then
        assertThat(table(all))
                .contains(READERS + " Consumer consumer", COPIER + " Streams streams", SHARERS + " Share share");
        assertThat(table(consumers)).contains(READERS + " Consumer Stable").doesNotContain(SHARERS, COPIER);
        assertThat(table(streams)).contains(COPIER + " Stable").doesNotContain(READERS);
        assertThat(table(sharers)).contains(SHARERS + " Stable").doesNotContain(READERS);
        assertThat(table(shared)).containsPattern(SHARERS + " \\S+ /127.0.0.1 \\S+ 1 tools-numbers:0");
    }

    @Test
    void configs_ofAGroup_areSetDescribedAndDeleted() throws ExecutionException, InterruptedException {
        // When
        String set = configs("--alter", "--add-config", "consumer.session.timeout.ms=50000")
                .get();
        String described = configs("--describe").get();
        String deleted = configs("--alter", "--delete-config", "consumer.session.timeout.ms")
                .get();
        String afterwards = configs("--describe").get();

        // Then
        assertThat(set).contains("Completed updating config for group " + READERS);
        assertThat(described)
                .contains("consumer.session.timeout.ms=50000")
                .contains("DEFAULT_CONFIG:group.consumer.session.timeout.ms=45000");
        assertThat(deleted).contains("Completed updating config for group " + READERS);
        assertThat(afterwards).doesNotContain("50000");
    }

    @Test
    void offsets_areResetAndDeletedAndGoWithTheirGroup() throws ExecutionException, InterruptedException {
        // When
        Future<String> live = run(
                KafkaTool.CONSUMER_GROUPS,
                "--reset-offsets",
                "--group",
                READERS,
                "--topic",
                topic.name(),
                "--to-earliest",
                "--execute");
        Future<String> subscribed =
                run(KafkaTool.CONSUMER_GROUPS, "--delete-offsets", "--group", READERS, "--topic", topic.name());
        Future<String> alive = run(KafkaTool.CONSUMER_GROUPS, "--delete", "--group", READERS);
        String reset = run(
                        KafkaTool.CONSUMER_GROUPS,
                        "--reset-offsets",
                        "--group",
                        LEAVERS,
                        "--topic",
                        topic.name(),
                        "--shift-by",
                        "-3",
                        "--execute")
                .get();
        String moved = describe(KafkaTool.CONSUMER_GROUPS, LEAVERS).get();
        String forgotten = run(
                        KafkaTool.CONSUMER_GROUPS, "--delete-offsets", "--group", LEAVERS, "--topic", topic.name())
                .get();
        String gone =
                run(KafkaTool.CONSUMER_GROUPS, "--delete", "--group", LEAVERS).get();
        String listed = run(KafkaTool.CONSUMER_GROUPS, "--list").get();

        // Then
        assertThat(live.get()).contains("Assignments can only be reset if the group '" + READERS + "' is inactive");
        assertThat(table(subscribed)).contains("tools-numbers 0 Error: ");
        assertThat(alive.get()).contains("Deletion of some consumer groups failed");
        assertThat(table(reset)).contains(LEAVERS + " tools-numbers 0 7");
        assertThat(table(moved)).contains(LEAVERS + " tools-numbers 0 7 10 3 - - -");
        assertThat(table(forgotten)).contains("tools-numbers 0 Successful");
        assertThat(gone).contains("Deletion of requested consumer groups ('" + LEAVERS + "') was successful.");
        assertThat(listed).contains(READERS).doesNotContain(LEAVERS);
    }

    private void share() {
        try (KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(
                Map.of("bootstrap.servers", muster.bootstrap(), "group.id", SHARERS),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.subscribe(List.of(topic.name()));
            while (!closing.get()) {
                consumer.poll(Duration.ofMillis(200));
            }
        }
    }

    private String coordinator() {
        return "127.0.0.1:" + muster.nodes().get(0).gatewayPort();
    }

    private Future<String> describe(KafkaTool tool, String group, String... more) {
        String[] arguments = Arrays.copyOf(new String[] {"--describe", "--group", group}, 3 + more.length);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return run(tool, arguments);
    }

    private Future<String> configs(String... more) {
        String[] arguments =
                Arrays.copyOf(new String[] {"--entity-type", "groups", "--entity-name", READERS}, 4 + more.length);
        System.arraycopy(more, 0, arguments, 4, more.length);
        return run(KafkaTool.CONFIGS, arguments);
    }

    private Future<String> run(KafkaTool tool, String... arguments) {
        return tools.submit(() -> tool.run(dir, muster.bootstrap(), arguments));
    }

    private static String table(Future<String> printed) throws ExecutionException, InterruptedException {
        return table(printed.get());
    }

    /** With one space between columns, however wide they are. */
    private static String table(String printed) {
        return printed.replaceAll("[ \t]+", " ").strip();
    }
}
