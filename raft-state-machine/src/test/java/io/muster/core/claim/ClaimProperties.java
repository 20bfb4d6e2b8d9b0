package io.muster.core.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Decision;
import io.muster.core.Group;
import io.muster.core.LeaderMemory;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Random histories of commits, hand-overs, fences, lost reports and new leaders, before a model of the upstream broker. */
class ClaimProperties {
    private static final List<String> MEMBERS = List.of("a", "b", "c");

    @Property(tries = 2_000)
    void commit_ofAPreviousOwner_isNeverStoredAfterTheHandOver(@ForAll long seed) {
        World world = new World(new Random(seed));
        for (int step = 0; step < 300; step++) {
            world.step();
        }
    }

    @Property(tries = 300)
    void handOver_onceUpstreamAnswers_happens(@ForAll long seed) {
        // Given
        World world = new World(new Random(seed));
        for (int step = 0; step < 100; step++) {
            world.step();
        }

        // When
        boolean handedOver = false;
        for (int round = 0; round < 50 && !handedOver; round++) {
            world.deliverEverything();
            handedOver = world.tryHandOver(new TopicPartition("t", 0), "c");
        }

        // Then
        assertThat(handedOver).isTrue();
    }

    /** A commit on its way to upstream. */
    private record InFlight(String admissionId, String memberId, TopicPartition partition, ClaimIdentity identity) {}

    /** An operation on its way to upstream, and the leadership that asked for it. */
    private record Asked(ClaimOperation operation, int leadership) {}

    /** What a leader believed when it was deposed; it may go on admitting for a while. */
    private record Deposed(Group group, LeaderMemory memory, Map<TopicPartition, String> owners) {}

    private static final class World {
        private final Random random;
        private final ClaimStory leader = new ClaimStory();
        private final Map<TopicPartition, String> owners = new TreeMap<>();
        private final List<InFlight> commits = new ArrayList<>();
        private final List<Asked> asked = new ArrayList<>();
        private @Nullable Deposed deposed;
        private @Nullable ClaimIdentity upstream;
        private int leadership;
        private int ids;

        World(Random random) {
            this.random = random;
            leader.members("a", "b", "c");
            collect(leader.step(draft -> {}));
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> commit();
                case 3, 4 -> tryHandOver(partition(), member());
                case 5, 6 -> storeOneCommit();
                case 7, 8 -> runOneOperation(random.nextInt(4) == 0);
                case 9 -> collect(leader.fires(TimerKey.Kind.CLAIM_RETRY));
                case 10 -> changeLeader();
                default -> rareEvent();
            }
        }

        void deliverEverything() {
            while (!commits.isEmpty()) {
                storeOneCommit();
            }
            while (!asked.isEmpty()) {
                runOneOperation(false);
            }
            collect(leader.fires(TimerKey.Kind.CLAIM_RETRY));
            leader.admitsDelete("d" + ids++, false);
            collect(leader.last());
        }

        boolean tryHandOver(TopicPartition partition, String newOwner) {
            boolean may = leader.mayHandOver(partition, newOwner);
            collect(leader.last());
            if (may) {
                owners.put(partition, newOwner);
            }
            return may;
        }

        private void commit() {
            TopicPartition partition = partition();
            String owner = owners.get(partition);
            if (deposed != null && random.nextInt(4) == 0) {
                admitByDeposed(deposed);
            } else if (owner != null) {
                admit(leader, owner, partition);
            }
        }

        private void admitByDeposed(Deposed old) {
            TopicPartition partition = partition();
            String owner = old.owners().get(partition);
            if (owner == null) {
                return;
            }
            ClaimStory story = new ClaimStory();
            story.resume(old.group(), old.memory());
            admit(story, owner, partition);
        }

        private void admit(ClaimStory story, String memberId, TopicPartition partition) {
            String admissionId = "c" + ids++;
            Decision decision = story.accept(ClaimStory.commit(admissionId, memberId, partition));
            for (Decision.Reply reply : decision.replies()) {
                if (reply.response() instanceof Response.CommitAdmitted admitted) {
                    commits.add(new InFlight(admissionId, memberId, partition, admitted.identity()));
                }
            }
            if (story == leader) {
                collect(decision);
            }
        }

        private void storeOneCommit() {
            if (commits.isEmpty()) {
                return;
            }
            InFlight commit = commits.remove(random.nextInt(commits.size()));
            boolean stored = commit.identity().equals(upstream);
            if (stored) {
                assertThat(owners.get(commit.partition()))
                        .as("owner of %s when a commit of %s is stored", commit.partition(), commit.memberId())
                        .isEqualTo(commit.memberId());
            }
            if (random.nextInt(5) != 0) {
                collect(leader.accept(new CommitCommand.Settled("g", commit.admissionId(), !stored)));
            }
        }

        private void runOneOperation(boolean reportLost) {
            if (asked.isEmpty()) {
                return;
            }
            Asked next = asked.remove(random.nextInt(asked.size()));
            ClaimOutcome outcome = executed(next.operation());
            if (next.leadership() != leadership) {
                return;
            }
            collect(leader.report(next.operation(), reportLost ? new ClaimOutcome.Unavailable("lost") : outcome));
        }

        private ClaimOutcome executed(ClaimOperation operation) {
            if (operation instanceof ClaimOperation.Join || operation instanceof ClaimOperation.Fence) {
                upstream = new ClaimIdentity("m" + ids++, 1);
                return operation instanceof ClaimOperation.Join
                        ? new ClaimOutcome.Joined(upstream, ClaimStory.SESSION_MILLIS)
                        : new ClaimOutcome.Fenced(upstream);
            }
            if (operation instanceof ClaimOperation.Heartbeat beat) {
                return beat.identity().equals(upstream)
                        ? new ClaimOutcome.HeartbeatOk()
                        : new ClaimOutcome.Lost("unknown member");
            }
            upstream = null;
            return new ClaimOutcome.Left();
        }

        private void changeLeader() {
            deposed = new Deposed(leader.group(), leader.memory(), new TreeMap<>(owners));
            leadership++;
            leader.newLeader();
            collect(leader.last());
        }

        private void rareEvent() {
            switch (random.nextInt(4)) {
                case 0 -> {
                    // The same leadership forgets: an outcome was unknown. Reports of what it asked before still come.
                    leader.newLeader();
                    collect(leader.last());
                }
                case 1 -> upstream = null;
                case 2 -> collect(leader.fires(TimerKey.Kind.CLAIM_HEARTBEAT));
                default -> {
                    String admissionId = "d" + ids++;
                    leader.admitsDelete(admissionId, random.nextBoolean());
                    collect(leader.last());
                }
            }
            assertThat(leader.claim()).isInstanceOfAny(Claim.None.class, Claim.Held.class, Claim.Lost.class);
        }

        private void collect(Decision decision) {
            leader.asked().forEach(operation -> asked.add(new Asked(operation, leadership)));
            assertThat(decision).isSameAs(leader.last());
        }

        private static TopicPartition partition(int number) {
            return new TopicPartition("t", number);
        }

        private TopicPartition partition() {
            return partition(random.nextInt(2));
        }

        private String member() {
            return MEMBERS.get(random.nextInt(MEMBERS.size()));
        }
    }
}
