package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.codec.WrittenEntry;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.ShardTime;
import io.muster.core.TopicInfo;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.raft.EntryApplier;
import io.muster.raft.StoredGroups;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.storage.StoreBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One shard's leader with a log of its own that obeys the test, in virtual time. */
final class ShardFixture implements ReplicatedLog, TimerService, AppliedGroups, ShardAnnouncements, Clock {
    /** A group that cannot be announced: what follows on its first change fails. */
    static final String UNANNOUNCED = "unannounced";

    /** @param aside whether another thread than the shard's runs it */
    private record Event(long atMillis, long order, boolean aside, Runnable task) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::order));
    private final InMemoryShardStore store = new InMemoryShardStore();
    private final EntryApplier applier = new EntryApplier(store);
    private final StoredGroups stored = new StoredGroups(() -> store);
    private final TreeSet<String> owned = new TreeSet<>();
    private final List<ShardTime> recorded = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private final ShardLeader leader;
    private @Nullable ProposalOutcome nextOutcome;
    private Optional<WrittenEntry> late = Optional.empty();
    private boolean nextIsLate;
    private boolean storeFailsOnce;
    private boolean holding;
    private boolean confirms = true;
    private boolean topicsSilent;
    private int partitions = 3;
    private long now = 1_000_000;
    private long order;
    private long index;
    private long term;
    private int entries;
    private int tooLarge;
    private int mostBytes = Integer.MAX_VALUE;
    private int lastId;

    ShardFixture() {
        this(CoordinatorConfig.defaults("test"));
    }

    ShardFixture(CoordinatorConfig config) {
        ClaimLogic claims = new ClaimLogic();
        GroupEngine engine = new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
        ShardPorts ports = new ShardPorts(
                this,
                this,
                ShardFixture::claim,
                this::watch,
                this,
                this,
                this,
                () -> "id-" + ++lastId,
                new ClusterIdentity("test", "incarnation", 1, List.of("1")));
        this.leader = new ShardLeader(0, engine, config, ports);
    }

    ShardLeader leader() {
        return leader;
    }

    void lead() {
        leader.leaderReady(++term);
        run(5);
    }

    // ---- time

    void run(long millis) {
        run(millis, event -> true);
    }

    /** Runs what is due next, and nothing that comes of it. */
    void runOne() {
        events.remove().task().run();
    }

    /** The shard's thread is busy for so long: others run what they have to. */
    void work(long millis) {
        run(millis, Event::aside);
    }

    /** Only the shard's thread runs. */
    void runShardFirst(long millis) {
        run(millis, event -> !event.aside());
    }

    private void run(long millis, Predicate<Event> runs) {
        long end = now + millis;
        List<Event> later = new ArrayList<>();
        while (!events.isEmpty() && events.peek().atMillis() <= end) {
            Event event = events.remove();
            if (runs.test(event)) {
                now = Math.max(now, event.atMillis());
                event.task().run();
            } else {
                later.add(event);
            }
        }
        events.addAll(later);
        now = end;
    }

    /** The clock goes on and nothing runs, as when the process is stopped. */
    void standStill(long millis) {
        now += millis;
    }

    @Override
    public long wallMillis() {
        return now;
    }

    @Override
    public long monotonicMillis() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0);
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
        events.add(new Event(now + delayMillis, order++, false, task));
    }

    @Override
    public void scheduleAside(Runnable task, long delayMillis) {
        events.add(new Event(now + delayMillis, order++, true, task));
    }

    @Override
    public void executeAside(Runnable task) {
        schedule(task, 0);
    }

    // ---- the log

    @Override
    public CompletableFuture<ProposalOutcome> propose(LogEntry entry) {
        byte[] bytes = LogEntryCodec.encode(entry);
        if (bytes.length > mostBytes) {
            tooLarge++;
            return CompletableFuture.completedFuture(new ProposalOutcome.TooLarge(bytes.length, mostBytes));
        }
        WrittenEntry written = LogEntryCodec.decode(bytes);
        entries++;
        CompletableFuture<ProposalOutcome> outcome = new CompletableFuture<>();
        if (nextIsLate) {
            nextIsLate = false;
            late = Optional.of(written);
            outcome.complete(new Unknown("no answer"));
            return outcome;
        }
        ProposalOutcome forced = nextOutcome;
        nextOutcome = null;
        Runnable apply = () -> {
            ProposalOutcome judged = new Judged(applier.apply(new AppliedIndex(term, index++), written));
            outcome.complete(forced == null ? judged : forced);
        };
        if (holding) {
            held.add(apply);
        } else {
            schedule(apply, 1);
        }
        return outcome;
    }

    @Override
    public CompletableFuture<Boolean> confirmLeadership(long confirmedTerm) {
        return CompletableFuture.completedFuture(confirms && confirmedTerm == term);
    }

    /** The log takes no entry above this size from now on. */
    void mostBytes(int next) {
        mostBytes = next;
    }

    int entries() {
        return entries;
    }

    /** How many entries the log could not hold. */
    int tooLarge() {
        return tooLarge;
    }

    void confirms(boolean next) {
        confirms = next;
    }

    /** What the next proposal is said to have come to, though it is applied. */
    void nextOutcome(ProposalOutcome outcome) {
        nextOutcome = outcome;
    }

    /** Nobody hears of the next proposal; it lies around until {@link #appendLate}. */
    void nextIsLate() {
        nextIsLate = true;
    }

    /** The proposal that nobody heard of is appended and applied after all; what the guard said to it. */
    List<ProposalOutcome.Verdict> appendLate() {
        return applier.apply(new AppliedIndex(term, index++), late.orElseThrow());
    }

    void holdOutcomes() {
        holding = true;
    }

    void letOutcomesGo() {
        holding = false;
        held.forEach(Runnable::run);
        held.clear();
    }

    /** The group's token is another one than the leader knows, as after a change that it did not hear of. */
    void changeBehindItsBack(String groupId) {
        StoreBatch change = new StoreBatch();
        StoredRecords.setToken(change, groupId, new Token(term, 1_000_000));
        store.apply(change, new AppliedIndex(term, index++));
    }

    // ---- the store

    @Override
    public StoredGroup load(String groupId) {
        if (broken.contains(groupId)) {
            throw new IllegalStateException("made to fail");
        }
        return stored.load(groupId);
    }

    @Override
    public int featureLevel() {
        return stored.featureLevel();
    }

    @Override
    public Optional<ClusterIdentity> identity() {
        return stored.identity();
    }

    @Override
    public List<String> claimMarks() {
        return stored.claimMarks();
    }

    @Override
    public boolean isNew() {
        if (storeFailsOnce) {
            storeFailsOnce = false;
            throw new IllegalStateException("made to fail");
        }
        return stored.isNew();
    }

    @Override
    public void forEachId(Consumer<String> visitor) {
        stored.forEachId(visitor);
    }

    @Override
    public void forEachRemnant(Consumer<Remnant> visitor) {
        stored.forEachRemnant(visitor);
    }

    /** All that is stored of a group. */
    List<GroupRecord> records(String groupId) {
        return stored.load(groupId).records();
    }

    void breakStoreFor(String groupId) {
        broken.add(groupId);
    }

    void repairStore() {
        broken.clear();
    }

    /** The next leadership does not find out whether the shard is new. */
    void failStoreOnce() {
        storeFailsOnce = true;
    }

    /** The members of a group as they are applied. */
    List<String> members(String groupId) {
        return stored.load(groupId).records().stream()
                .filter(ConsumerGroupRecord.MemberSet.class::isInstance)
                .map(record -> ((ConsumerGroupRecord.MemberSet) record).memberId())
                .toList();
    }

    // ---- upstream

    private static void claim(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        ClaimIdentity identity = new ClaimIdentity("claim-of-" + groupId, 1);
        if (operation instanceof ClaimOperation.Join join) {
            report.accept(new ClaimOutcome.Joined(identity, join.sessionTimeoutMillis()));
        } else if (operation instanceof ClaimOperation.Fence) {
            report.accept(new ClaimOutcome.Fenced(identity));
        } else if (operation instanceof ClaimOperation.Leave) {
            report.accept(new ClaimOutcome.Left());
        } else {
            report.accept(new ClaimOutcome.HeartbeatOk());
        }
    }

    /** How many partitions each topic has that is not known yet. */
    void partitions(int next) {
        partitions = next;
    }

    void topicsAreSilent() {
        topicsSilent = true;
    }

    private void watch(Set<String> names) {
        if (!topicsSilent) {
            List<TopicInfo> topics = names.stream()
                    .map(name -> new TopicInfo(name, new UUID(1, name.hashCode()), partitions))
                    .toList();
            leader.topicsReported(new TopicReport(topics, Set.of(), Set.of()));
        }
    }

    SortedSet<String> owned() {
        return owned;
    }

    @Override
    public void ownedAtStart(int shard, long ofTerm, SortedSet<String> groupIds) {
        owned.clear();
        owned.addAll(groupIds);
    }

    @Override
    public void owned(int shard, long ofTerm, String groupId) {
        if (groupId.equals(UNANNOUNCED)) {
            throw new IllegalStateException("made to fail");
        }
        owned.add(groupId);
    }

    @Override
    public void disowned(int shard, long ofTerm, String groupId) {
        owned.remove(groupId);
    }

    /** The times of connections as they were announced. */
    List<ShardTime> recorded() {
        return recorded;
    }

    @Override
    public void connectionRecorded(ShardTime time) {
        recorded.add(time);
    }

    // ---- commands

    /** Submits, lets some time pass, and returns the answer, which has to be there. */
    Response ask(Command command) {
        CompletableFuture<Response> answer = leader.submit(command);
        run(2);
        for (int wait = 0; wait < 100 && !answer.isDone(); wait++) {
            run(1);
        }
        assertThat(answer).isDone();
        return answer.join();
    }

    ConsumerHeartbeatAnswer joined(String groupId, String memberId) {
        Response answer = ask(join(groupId, memberId));
        assertThat(answer).isInstanceOf(ConsumerHeartbeatAnswer.class);
        return (ConsumerHeartbeatAnswer) answer;
    }

    ConsumerHeartbeat join(String groupId, String memberId) {
        return heartbeat(groupId, memberId, 0, List.of("orders"), Partitions.none());
    }

    /** A join with a subscription to as many topics. */
    ConsumerHeartbeat join(String groupId, String memberId, int topics) {
        List<String> names =
                IntStream.range(0, topics).mapToObj(number -> "topic-" + number).toList();
        return heartbeat(groupId, memberId, 0, names, Partitions.none());
    }

    ConsumerHeartbeat beat(String groupId, String memberId, int epoch) {
        return heartbeat(groupId, memberId, epoch, null, null);
    }

    private static ConsumerHeartbeat heartbeat(
            String groupId,
            String memberId,
            int epoch,
            @Nullable List<String> topics,
            @Nullable Partitions<UUID> partitions) {
        return new ConsumerHeartbeat(
                new Sender(
                        groupId,
                        memberId,
                        epoch,
                        null,
                        null,
                        topics == null ? -1 : 30_000,
                        new ClientInfo("bench", "/127.0.0.1"),
                        1),
                topics,
                null,
                null,
                partitions);
    }
}
