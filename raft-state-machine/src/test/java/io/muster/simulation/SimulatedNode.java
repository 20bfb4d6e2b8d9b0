package io.muster.simulation;

import io.muster.core.Command;
import io.muster.core.Group;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.raft.DrivenJoin;
import io.muster.raft.DrivenStateMachine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One machine: its disk and clocks, and the process that runs on it now. It can be killed, stopped for a while, wiped, and made
 * busy.
 */
final class SimulatedNode {
    private final int id;
    private final SimulatedCluster cluster;
    private final VirtualTime time;
    private final Path directory;
    private final NodeClock clock;
    private RaftDisk disk = new RaftDisk(true);
    private @Nullable ShardProcess process;
    private @Nullable JoiningNode joining;
    private long stoppedUntil;
    private long shardBusyUntil;
    private int slowness;
    private long undisturbedSince;

    SimulatedNode(int id, SimulatedCluster cluster, VirtualTime time, Path directory) {
        this.id = id;
        this.cluster = cluster;
        this.time = time;
        this.directory = directory;
        this.clock = new NodeClock(time);
    }

    int id() {
        return id;
    }

    NodeClock clock() {
        return clock;
    }

    RaftDisk disk() {
        return disk;
    }

    Path directory() {
        return directory;
    }

    Optional<ShardProcess> process() {
        return Optional.ofNullable(process);
    }

    boolean isUp() {
        return process != null;
    }

    /** Whether it runs, and holds nothing of the shard yet. */
    boolean isJoining() {
        return joining != null;
    }

    boolean isJoining(JoiningNode by) {
        return joining == by;
    }

    /** Since when nothing was done to this node, virtual milliseconds. */
    long undisturbedSince() {
        return undisturbedSince;
    }

    // ---- what is done to it

    void start() {
        if (process != null || joining != null) {
            return;
        }
        undisturbedSince = time.now();
        if (disk.holdsShard()) {
            process = new ShardProcess(this, cluster, time);
            process.start();
        } else {
            joining = new JoiningNode(this, cluster);
            joining.ask();
        }
    }

    /** What it needs is on its disk now. */
    void joined() {
        joining = null;
        start();
    }

    void kill() {
        undisturbedSince = time.now();
        process = null;
        joining = null;
        shardBusyUntil = 0;
    }

    /** The disk is lost. */
    void wipe() {
        kill();
        DrivenStateMachine.wipe(directory);
        disk = new RaftDisk(cluster.rules().wipedNodesVote());
    }

    /** The process stands still, as after SIGSTOP. */
    void stop(long millis) {
        stoppedUntil = Math.max(stoppedUntil, time.now() + millis);
        undisturbedSince = stoppedUntil;
    }

    /** From now on each decision takes this long. */
    void slowness(int millis) {
        slowness = millis;
        undisturbedSince = time.now();
    }

    int slowness() {
        return slowness;
    }

    /** Called by the core's logic whenever it works. */
    void work() {
        clock.spend(slowness);
    }

    // ---- threads

    /** Runs something later on any thread but the shard's, if this process lives until then. */
    void after(ShardProcess of, long delayMillis, Runnable task) {
        time.after(clock.spent() + delayMillis, () -> run(of, task));
    }

    private void run(ShardProcess of, Runnable task) {
        if (process != of) {
            return;
        }
        if (time.now() < stoppedUntil) {
            time.after(stoppedUntil - time.now(), () -> run(of, task));
            return;
        }
        task.run();
    }

    /** Runs something later on the shard's thread, which does one thing after the other. */
    void onShardThread(ShardProcess of, long delayMillis, Runnable task) {
        time.after(clock.spent() + delayMillis, () -> runOnShardThread(of, task));
    }

    private void runOnShardThread(ShardProcess of, Runnable task) {
        run(of, () -> {
            if (time.now() < shardBusyUntil) {
                time.after(shardBusyUntil - time.now(), () -> runOnShardThread(of, task));
                return;
            }
            clock.begin();
            try {
                task.run();
                cluster.checkMemory(of);
            } finally {
                shardBusyUntil = time.now() + clock.spent();
                clock.begin();
            }
        });
    }

    // ---- what is asked of it

    /** Hands a command to the node; NOT_COORDINATOR if it is down. */
    CompletableFuture<Response> submit(Command command) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        ShardProcess to = process;
        if (to == null) {
            answer.complete(new Response.Refused(GroupError.NOT_COORDINATOR, "the node is down"));
            return answer;
        }
        cluster.checks().requests().asked(to, command, answer);
        after(to, 0, () -> {
            CompletableFuture<Void> unused = to.submit(command).thenAccept(answer::complete);
        });
        return answer;
    }

    /** Tells a node that holds nothing where this one stands; {@code send} gets what puts the answer into the round. */
    void answerJoin(DrivenJoin round, Consumer<Runnable> send) {
        if (joining != null) {
            send.accept(() -> round.holdsNothing(id));
        }
        process()
                .ifPresent(of -> after(of, 0, () -> {
                    RaftPeer raft = of.raft();
                    boolean leads = raft.isReady();
                    long term = raft.term();
                    long lastIndex = disk.lastIndex();
                    send.accept(() -> round.holds(id, leads, term, lastIndex));
                }));
    }

    /** The group as it lies in this node's store; absent if the node is down. */
    Group group(String groupId) {
        return process().map(running -> running.group(groupId)).orElseGet(() -> Group.absent(groupId));
    }

    @Override
    public String toString() {
        return "node " + id;
    }
}
