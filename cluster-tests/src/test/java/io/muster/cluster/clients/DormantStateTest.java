package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TaskOffset;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * State that lies dormant on disk counts once a gateway has read the ends of its changelogs: clients report what they have of it,
 * but not how much there is.
 */
class DormantStateTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String GROUP = "dormant";
    private static final String CHANGELOG = "dormant-store-changelog";
    private static final int PARTITIONS = 2;
    private static final int RECORDS = 50;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @Test
    void dormantState_thatReachesTheEnd_makesItsOwnerActiveAtOnce() throws ExecutionException, InterruptedException {
        try (MusterCluster muster = MusterCluster.startOne(KAFKA.brokers());
                Admin admin = Admin.create(Map.of("bootstrap.servers", muster.bootstrap()));
                RawKafka connection = new RawKafka(muster.nodes().get(0).gatewayPort()).waitAtMost(LIMIT)) {
            // Given an instance that runs both tasks
            prepare(admin);
            Instance running = new Instance(connection, "running", 0);
            Awaitility.await("both tasks").atMost(LIMIT).until(() -> running.heartbeat() == PARTITIONS);
            fillChangelogs();

            // When two come with state on their disks, one with nearly none of it
            admin.incrementalAlterConfigs(Map.of(group(), List.of(set("streams.acceptable.recovery.lag", "10"))))
                    .all()
                    .get();
            Instance behind = new Instance(connection, "behind", RECORDS / 2);
            Instance caughtUp = new Instance(connection, "caught-up", RECORDS);

            // Then the one that has all gets a task without a warm-up first, and the other none
            Awaitility.await("a task goes where its state is").atMost(LIMIT).until(() -> {
                running.heartbeat();
                assertThat(behind.heartbeat()).isZero();
                return caughtUp.heartbeat() == 1;
            });
        }
    }

    private static void prepare(Admin admin) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic("in", PARTITIONS, (short) 1)))
                .all()
                .get();
        List<AlterConfigOp> configs = List.of(
                set("streams.assignor.name", "highly_available"), set("streams.initial.rebalance.delay.ms", "0"));
        admin.incrementalAlterConfigs(Map.of(group(), configs)).all().get();
    }

    private static ConfigResource group() {
        return new ConfigResource(ConfigResource.Type.GROUP, GROUP);
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private static void fillChangelogs() {
        Map<String, Object> config = Map.of("bootstrap.servers", KAFKA.brokers().bootstrap());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < RECORDS * PARTITIONS; i++) {
                var unused = producer.send(new ProducerRecord<>(CHANGELOG, i % PARTITIONS, "k", "v"));
            }
        }
    }

    /** An instance of the application in a process of its own. */
    private static final class Instance {
        private final RawKafka connection;
        private final String name;
        private final long offset;
        private int epoch;
        private final Map<String, List<TaskIds>> tasks = new HashMap<>();

        /** @param offset of the state on its disk, of each task; 0 for none */
        Instance(RawKafka connection, String name, long offset) {
            this.connection = connection;
            this.name = name;
            this.offset = offset;
        }

        /** Says what it has; returns how many active tasks it shall have now. */
        int heartbeat() {
            StreamsGroupHeartbeatRequestData request = new StreamsGroupHeartbeatRequestData()
                    .setGroupId(GROUP)
                    .setMemberId(name)
                    .setMemberEpoch(epoch)
                    .setActiveTasks(tasks.getOrDefault("active", List.of()))
                    .setStandbyTasks(tasks.getOrDefault("standby", List.of()))
                    .setWarmupTasks(tasks.getOrDefault("warmup", List.of()));
            StreamsGroupHeartbeatResponseData answer = connection.call(
                    ApiKeys.STREAMS_GROUP_HEARTBEAT,
                    1,
                    epoch == 0 ? joining(request) : request,
                    StreamsGroupHeartbeatResponseData.class);
            if (answer.errorCode() == Errors.NONE.code()) {
                take(answer);
            }
            return tasks.getOrDefault("active", List.of()).stream()
                    .mapToInt(each -> each.partitions().size())
                    .sum();
        }

        private StreamsGroupHeartbeatRequestData joining(StreamsGroupHeartbeatRequestData request) {
            List<TaskOffset> offsets = offset == 0 ? List.of() : List.of(dormant(0), dormant(1));
            return request.setProcessId("process-of-" + name)
                    .setRebalanceTimeoutMs((int) LIMIT.toMillis())
                    .setClientTags(List.of())
                    .setTaskOffsets(offsets)
                    .setTaskEndOffsets(List.of())
                    .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                            .setSubtopologies(List.of(new Subtopology()
                                    .setSubtopologyId("0")
                                    .setSourceTopics(List.of("in"))
                                    .setStateChangelogTopics(List.of(new TopicInfo().setName(CHANGELOG))))));
        }

        private TaskOffset dormant(int partition) {
            return new TaskOffset()
                    .setSubtopologyId("0")
                    .setPartition(partition)
                    .setOffset(offset);
        }

        private void take(StreamsGroupHeartbeatResponseData answer) {
            epoch = answer.memberEpoch();
            if (answer.activeTasks() != null) {
                tasks.put("active", same(answer.activeTasks()));
                tasks.put("standby", same(answer.standbyTasks()));
                tasks.put("warmup", same(answer.warmupTasks()));
            }
        }

        private static List<TaskIds> same(List<StreamsGroupHeartbeatResponseData.TaskIds> told) {
            return told.stream()
                    .map(each ->
                            new TaskIds().setSubtopologyId(each.subtopologyId()).setPartitions(each.partitions()))
                    .toList();
        }
    }
}
