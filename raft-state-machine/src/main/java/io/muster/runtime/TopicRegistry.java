package io.muster.runtime;

import io.muster.core.PartitionRacks;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicCatalogue.Absent;
import io.muster.core.TopicCatalogue.Former;
import io.muster.core.TopicCatalogue.Knowledge;
import io.muster.core.TopicCatalogue.Present;
import io.muster.core.TopicInfo;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Turns reports into a catalogue. Answers of different brokers have no order, so a known topic is gone only after two agreeing
 * answers or an observed DeleteTopics, a smaller partition count under the same id is ignored. An id that gave way to another
 * comes back only by two agreeing answers: a broker that lags behind must not bring it back. Replicas are in other racks only
 * after two agreeing answers, too. Confined to the shard's thread.
 */
final class TopicRegistry {
    /** Two answers that a topic is gone count as two if they are this far apart. */
    private static final long AGREEMENT_GAP_MILLIS = 2_000;

    /** How many ids that gave way to others are remembered: a broker lags by few of them. */
    static final int PAST_IDS_KEPT = 1_000;

    /** Known topics that answers call absent, since when. */
    private final Map<String, Long> absentSinceMillis = new HashMap<>();
    /** Former ids that answers name again. */
    private final Map<String, Return> returns = new HashMap<>();

    /** Ids that gave way to others, oldest first. */
    private final Set<UUID> pastIds = new LinkedHashSet<>();

    private final Map<String, Movement> movements = new HashMap<>();
    private TopicCatalogue catalogue = TopicCatalogue.EMPTY;

    /** A former id, since when answers name it again. */
    private record Return(UUID id, long sinceMillis) {}

    /** Other racks than those that are believed in, since when answers name them. */
    private record Movement(PartitionRacks racks, long sinceMillis) {}

    TopicCatalogue catalogue() {
        return catalogue;
    }

    /** Applies a report; returns the names of which something else is known now. */
    SortedSet<String> apply(TopicReport report, long nowMillis) {
        Map<String, Knowledge> changes = new TreeMap<>();
        for (TopicInfo topic : report.present()) {
            if (!isBelievable(topic, nowMillis)) {
                continue;
            }
            absentSinceMillis.remove(topic.name());
            returns.remove(topic.name());
            if (supersedes(topic, nowMillis)) {
                catalogue
                        .find(topic.name())
                        .filter(known -> !known.id().equals(topic.id()))
                        .ifPresent(this::retire);
                changes.put(topic.name(), new Present(withRacks(topic)));
            }
        }
        for (String name : report.absent()) {
            if (isGone(name, report.deleted(), nowMillis)) {
                absentSinceMillis.remove(name);
                if (report.deleted().contains(name)) {
                    catalogue.find(name).ifPresent(this::retire);
                }
                changes.put(name, new Absent());
            }
        }
        catalogue = catalogue.with(changes);
        return new TreeSet<>(changes.keySet());
    }

    /** Forgets what was reported of other topics than these: from now on, nobody hears what becomes of them. */
    void watchOnly(Set<String> names) {
        catalogue = catalogue.watching(names);
        absentSinceMillis.keySet().retainAll(names);
        returns.keySet().retainAll(names);
        movements.keySet().retainAll(names);
    }

    private boolean isBelievable(TopicInfo topic, long nowMillis) {
        if (!pastIds.contains(topic.id())) {
            return true;
        }
        // Whoever names an id does not call the topic absent.
        absentSinceMillis.remove(topic.name());
        Return seen = returns.get(topic.name());
        if (seen == null || !seen.id().equals(topic.id())) {
            returns.put(topic.name(), new Return(topic.id(), nowMillis));
            return false;
        }
        return nowMillis - seen.sinceMillis() >= AGREEMENT_GAP_MILLIS && pastIds.remove(topic.id());
    }

    /** Whether an earlier answer, some time ago, called it absent too, and none since said otherwise. */
    private boolean isAbsentLong(String name, long nowMillis) {
        returns.remove(name);
        Long since = absentSinceMillis.putIfAbsent(name, nowMillis);
        return since != null && nowMillis - since >= AGREEMENT_GAP_MILLIS;
    }

    private void retire(TopicInfo topic) {
        pastIds.add(topic.id());
        if (pastIds.size() > PAST_IDS_KEPT) {
            pastIds.remove(pastIds.iterator().next());
        }
    }

    private boolean supersedes(TopicInfo topic, long nowMillis) {
        return catalogue
                .find(topic.name())
                .map(known -> !known.id().equals(topic.id())
                        || topic.partitions() > known.partitions()
                        || (topic.partitions() == known.partitions() && hasMoved(topic, known, nowMillis)))
                .orElse(true);
    }

    /** Whether replicas are in other racks than was known, and an earlier answer, some time ago, said so too. */
    private boolean hasMoved(TopicInfo topic, TopicInfo known, long nowMillis) {
        if (!topic.racks().isKnown() || topic.racks().equals(known.racks())) {
            movements.remove(topic.name());
            return false;
        }
        Movement seen = movements.get(topic.name());
        if (seen == null || !seen.racks().equals(topic.racks())) {
            movements.put(topic.name(), new Movement(topic.racks(), nowMillis));
            return !known.racks().isKnown();
        }
        return nowMillis - seen.sinceMillis() >= AGREEMENT_GAP_MILLIS;
    }

    private TopicInfo withRacks(TopicInfo topic) {
        movements.remove(topic.name());
        return catalogue.find(topic.name()).map(topic::orRacksOf).orElse(topic);
    }

    private boolean isGone(String name, Set<String> deleted, long nowMillis) {
        Knowledge known = catalogue.topics().get(name);
        if (known == null || known instanceof Former) {
            return true;
        }
        if (known instanceof Absent) {
            return false;
        }
        return deleted.contains(name) || isAbsentLong(name, nowMillis);
    }

    void clear() {
        absentSinceMillis.clear();
        returns.clear();
        pastIds.clear();
        movements.clear();
        catalogue = TopicCatalogue.EMPTY;
    }
}
