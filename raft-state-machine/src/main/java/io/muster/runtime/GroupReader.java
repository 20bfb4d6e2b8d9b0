package io.muster.runtime;

import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads applied groups; whole scans run aside, since they must not hold up the heartbeats. */
final class GroupReader {
    private static final Logger LOG = LoggerFactory.getLogger(GroupReader.class);

    private final int shard;
    private final GroupEngine engine;
    private final AppliedGroups groups;
    private final TimerService service;
    private final Clock clock;
    private long leadsSinceMillis;

    GroupReader(int shard, GroupEngine engine, ShardPorts ports) {
        this.shard = shard;
        this.engine = engine;
        this.groups = ports.groups();
        this.service = ports.timers();
        this.clock = ports.clock();
    }

    /** A leadership begins. */
    void begin() {
        leadsSinceMillis = clock.monotonicMillis();
    }

    /** Loads a group into its mailbox. */
    void load(GroupMailbox mailbox) {
        AppliedGroups.StoredGroup stored = groups.load(mailbox.groupId());
        mailbox.load(
                fold(mailbox.groupId(), stored.records()), stored.token(), leadsSinceMillis, clock.monotonicMillis());
    }

    private Group fold(String groupId, List<GroupRecord> records) {
        Group group = Group.absent(groupId);
        for (GroupRecord record : records) {
            group = engine.evolve(group, record);
        }
        return group;
    }

    /** Gives the ids of all groups that exist to {@code then}, or calls {@code failed}, on some other thread. */
    void readIds(Consumer<SortedSet<String>> then, Runnable failed) {
        service.executeAside(() -> {
            SortedSet<String> ids = new TreeSet<>();
            try {
                groups.forEachId(ids::add);
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue("shard", shard).setCause(e).log("the shard's groups cannot be read");
                failed.run();
                return;
            }
            then.accept(ids);
        });
    }

    /**
     * What a sweep over groups that do not exist found.
     *
     * @param claimed those that a claim is recorded for
     * @param outlived those whose history is over its time
     */
    record Remnants(List<String> claimed, List<String> outlived) {}

    /**
     * Gives what is left of groups that do not exist to {@code then}, or calls {@code failed}, on some other thread.
     *
     * @param outlivedAtMillis histories that end then or before are over their time, milliseconds since 1970
     * @param most how many of these to look for at the most
     */
    void readRemnants(long outlivedAtMillis, int most, Consumer<Remnants> then, Runnable failed) {
        service.executeAside(() -> {
            Remnants found = new Remnants(new ArrayList<>(), new ArrayList<>());
            try {
                groups.forEachRemnant(remnant -> {
                    if (remnant.claimed()) {
                        found.claimed().add(remnant.groupId());
                    } else if (found.outlived().size() < most
                            && remnant.historyEndsAtMillis().orElse(Long.MAX_VALUE) <= outlivedAtMillis) {
                        found.outlived().add(remnant.groupId());
                    }
                });
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue("shard", shard).setCause(e).log("what is left of groups cannot be read");
                failed.run();
                return;
            }
            then.accept(found);
        });
    }

    /**
     * Gives a summary of every group to {@code then}, or none if they cannot be read, on some other thread.
     *
     * @param known groups that need not be read; handed over
     */
    void summarize(SortedMap<String, Group> known, Consumer<List<GroupSummary>> then) {
        service.executeAside(() -> {
            List<GroupSummary> summaries;
            try {
                groups.forEachId(id -> known.computeIfAbsent(
                        id, missing -> fold(id, groups.load(id).records())));
                summaries = GroupSummary.of(known.values());
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue("shard", shard).setCause(e).log("the shard's groups cannot be listed");
                summaries = List.of();
            }
            then.accept(summaries);
        });
    }
}
