package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold of bold writers: each change names the change that it was made on, so the applied ones form one chain, and a
 * change that was overwritten unseen breaks it.
 */
final class ChainChecks {
    private final Map<Long, List<Verdict>> verdictsByIndex = new HashMap<>();
    private final Map<String, Long> lastStamps = new HashMap<>();
    private final Set<String> appliedTokens = new HashSet<>();
    private int applied;
    private int deletions;

    int applied() {
        return applied;
    }

    int deletions() {
        return deletions;
    }

    void applied(GuardCluster.Logged logged, List<Verdict> verdicts) {
        List<Verdict> others = verdictsByIndex.putIfAbsent(logged.at().index(), verdicts);
        if (others != null) {
            assertThat(verdicts).as("verdicts on every node").isEqualTo(others);
            return;
        }
        for (int i = 0; i < verdicts.size(); i++) {
            if (verdicts.get(i) == Verdict.APPLIED) {
                RecordBatch batch = logged.entry().batches().get(i);
                assertThat(appliedTokens.add(logged.entry().token() + "/" + i))
                        .as("applied once")
                        .isTrue();
                batch.records().forEach(record -> follow(batch.groupId(), record));
            }
        }
    }

    private void follow(String groupId, GroupRecord record) {
        applied++;
        if (record instanceof CommonRecord.GroupDeleted) {
            deletions++;
            lastStamps.remove(groupId);
        } else if (record instanceof ConsumerGroupRecord.GroupSet set) {
            assertThat((long) set.assignmentEpoch())
                    .as(
                            "the change that change %d of group %s was made on (lost update)",
                            set.assignedAtMillis(), groupId)
                    .isEqualTo(lastStamps.getOrDefault(groupId, 0L));
            lastStamps.put(groupId, set.assignedAtMillis());
        }
    }

    void equalStores(List<String> digests) {
        assertThat(digests.stream().distinct().toList())
                .as("stores are equal byte for byte")
                .hasSize(1);
    }
}
