package io.muster.cluster.clients;

import io.muster.cluster.nodes.MusterNode;
import io.muster.codec.proto.Values.HistoryEntry;
import io.muster.rpc.proto.AdminWire.GroupRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a group's history step by step, as {@code muster groups history} shows it. */
final class GroupHistoryView {
    /** The client adds the number of its thread to the instance's name. */
    private static final Pattern INSTANCE = Pattern.compile("instance ([^:,]*)-1([:,].*)?");

    private final MusterNode asked;
    private final String group;
    private long readTo;

    GroupHistoryView(MusterNode asked, String group) {
        this.asked = asked;
        this.group = group;
    }

    /**
     * What happened since the last call.
     *
     * @param causes reasons in their order, each with the instance it names; those of tasks that caught up stand apart
     * @param caughtUp the instances whose copies caught up
     */
    record News(List<String> causes, Set<String> caughtUp) {}

    News next() {
        List<String> causes = new ArrayList<>();
        Set<String> caughtUp = new TreeSet<>();
        List<HistoryEntry> entries = asked.admin()
                .groupHistory(GroupRequest.newBuilder().setGroupId(group).build())
                .getEntriesList();
        for (HistoryEntry entry : entries) {
            if (entry.getSequence() > readTo) {
                readTo = entry.getSequence();
                String instance = instanceOf(entry);
                if (entry.getReason().equals("TASKS_CAUGHT_UP")
                        && entry.getDetail().contains("tasks 0_")) {
                    caughtUp.add(instance);
                } else {
                    causes.add((entry.getReason() + " " + instance).strip());
                }
            }
        }
        return new News(causes, caughtUp);
    }

    private static String instanceOf(HistoryEntry entry) {
        Matcher matcher = INSTANCE.matcher(entry.getDetail());
        return matcher.matches() && !entry.getMemberId().isEmpty() ? matcher.group(1) : "";
    }
}
