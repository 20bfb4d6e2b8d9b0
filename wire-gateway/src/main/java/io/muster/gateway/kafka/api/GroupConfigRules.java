package io.muster.gateway.kafka.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;

/** What Kafka says about a change of group configs before it looks at any value. */
final class GroupConfigRules {
    private GroupConfigRules() {}

    /** Why a change of these configs is no sound request, or empty. */
    static Optional<GroupConfigChange> refusal(String groupId, List<String> names, List<String> withoutValue) {
        Set<String> seen = new HashSet<>();
        if (!names.stream().allMatch(seen::add)) {
            return refused(groupId, "Error due to duplicate config keys");
        }
        if (!withoutValue.isEmpty()) {
            return refused(groupId, "Null value not supported for : " + String.join(",", withoutValue));
        }
        return groupId.isEmpty() ? refused(groupId, "Default group resources are not allowed.") : Optional.empty();
    }

    /** A list with the entries of another that it does not have. */
    static String appended(String list, String more) {
        List<String> entries = new ArrayList<>(entries(list));
        entries(more).stream().filter(entry -> !entries.contains(entry)).forEach(entries::add);
        return String.join(",", entries);
    }

    /** A list without the entries of another. */
    static String subtracted(String list, String fewer) {
        List<String> gone = entries(fewer);
        return String.join(
                ",",
                entries(list).stream().filter(entry -> !gone.contains(entry)).toList());
    }

    private static List<String> entries(String list) {
        return Stream.of(list.split(","))
                .map(String::trim)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    private static Optional<GroupConfigChange> refused(String groupId, String message) {
        return Optional.of(GroupConfigChange.refused(groupId, Errors.INVALID_REQUEST.code(), message));
    }
}
