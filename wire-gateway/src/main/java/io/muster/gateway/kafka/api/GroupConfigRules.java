package io.muster.gateway.kafka.api;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    private static Optional<GroupConfigChange> refused(String groupId, String message) {
        return Optional.of(GroupConfigChange.refused(groupId, Errors.INVALID_REQUEST.code(), message));
    }
}
