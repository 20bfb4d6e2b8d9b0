package io.muster.gateway.kafka.api;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a request wants of one group's configs, once Muster has looked at it.
 *
 * @param own changes of configs that Muster keeps: the new value, or empty to remove the config
 * @param hasUpstreams whether the request also names configs that the upstream brokers keep
 * @param refusal why nothing of it may be done; empty if Muster has nothing against it
 */
record GroupConfigChange(
        String groupId, SortedMap<String, Optional<String>> own, boolean hasUpstreams, Optional<Refusal> refusal) {
    /** An error as Kafka answers it. */
    record Refusal(short errorCode, Optional<String> message) {}

    static GroupConfigChange refused(String groupId, short errorCode, String message) {
        return refused(groupId, new Refusal(errorCode, Optional.of(message)));
    }

    static GroupConfigChange refused(String groupId, short errorCode) {
        return refused(groupId, new Refusal(errorCode, Optional.empty()));
    }

    private static GroupConfigChange refused(String groupId, Refusal refusal) {
        return new GroupConfigChange(groupId, new TreeMap<>(), false, Optional.of(refusal));
    }

    GroupConfigChange withRefusal(Optional<Refusal> next) {
        return new GroupConfigChange(groupId, own, hasUpstreams, next);
    }
}
