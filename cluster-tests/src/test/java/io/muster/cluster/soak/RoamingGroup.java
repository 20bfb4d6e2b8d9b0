package io.muster.cluster.soak;

import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** A group of raw members that come and go at random through any gateway, and count up what they commit. */
final class RoamingGroup implements AutoCloseable {
    static final String NAME = "roamers";

    /** How long the partitions of a member that is seen no more stay with it. */
    static final Duration SESSION = Duration.ofSeconds(6);

    private static final int MEMBERS = 4;

    private final MusterCluster muster;
    private final String topic;
    private final Violations violations;
    private final Counters counters;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean calm;

    /**
     * Begins to come and go.
     *
     * @param topic must exist
     */
    RoamingGroup(MusterCluster muster, String topic, Random random, Violations violations) {
        this.muster = muster;
        this.topic = topic;
        this.violations = violations;
        this.counters = new Counters(violations);
        for (int i = 0; i < MEMBERS; i++) {
            Random own = new Random(random.nextLong());
            threads.add(new Thread(() -> roam(own), "roamer-" + i));
        }
        threads.forEach(Thread::start);
    }

    /** Lets the sessions of its members end soon. */
    static void configure(String bootstrap) throws ExecutionException, InterruptedException {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, NAME);
        AlterConfigOp session = new AlterConfigOp(
                new ConfigEntry("consumer.session.timeout.ms", Long.toString(SESSION.toMillis())),
                AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.incrementalAlterConfigs(Map.of(group, List.of(session))).all().get();
        }
    }

    private void roam(Random random) {
        try {
            while (!isOver()) {
                new RoamingMember(this, random).live();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            violations.add("a roaming member failed: " + e);
            throw e;
        }
    }

    MusterNode anyNode(Random random) {
        return muster.nodes().get(random.nextInt(muster.nodes().size()));
    }

    String topic() {
        return topic;
    }

    Violations violations() {
        return violations;
    }

    Counters counters() {
        return counters;
    }

    /** From now on, members neither come nor go; or do again. */
    void setCalm(boolean now) {
        calm = now;
    }

    boolean isCalm() {
        return calm;
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits, but not beyond the end. */
    void rest(int millis) throws InterruptedException {
        var unused = over.await(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        over.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
