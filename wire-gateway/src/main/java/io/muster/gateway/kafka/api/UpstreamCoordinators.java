package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Which upstream broker coordinates which group, as the client may see it. */
final class UpstreamCoordinators {
    private static final short FIRST_WITH_KEYS = 4;

    private UpstreamCoordinators() {}

    /** A group's coordinator, or why there is none. */
    record Place(int brokerId, Errors error) {}

    /** One place for each group. */
    static CompletableFuture<Map<String, Place>> of(List<String> groupIds, ClientUpstream upstream) {
        if (groupIds.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        short version = upstream.maxVersion(ApiKeys.FIND_COORDINATOR);
        return version < FIRST_WITH_KEYS
                ? oneByOne(groupIds, upstream, version)
                : together(groupIds, upstream, version);
    }

    private static CompletableFuture<Map<String, Place>> together(
            List<String> groupIds, ClientUpstream upstream, short version) {
        FindCoordinatorRequestData request = new FindCoordinatorRequestData().setCoordinatorKeys(groupIds);
        return upstream.call(ApiKeys.FIND_COORDINATOR, version, request).thenApply(answer -> {
            Map<String, Place> places = new HashMap<>();
            groupIds.forEach(id -> places.put(id, new Place(-1, Errors.COORDINATOR_NOT_AVAILABLE)));
            ((FindCoordinatorResponseData) answer)
                    .coordinators()
                    .forEach(one -> places.put(one.key(), new Place(one.nodeId(), Errors.forCode(one.errorCode()))));
            return places;
        });
    }

    private static CompletableFuture<Map<String, Place>> oneByOne(
            List<String> groupIds, ClientUpstream upstream, short version) {
        List<CompletableFuture<Place>> found = groupIds.stream()
                .map(id -> upstream.call(ApiKeys.FIND_COORDINATOR, version, new FindCoordinatorRequestData().setKey(id))
                        .thenApply(answer -> {
                            FindCoordinatorResponseData one = (FindCoordinatorResponseData) answer;
                            return new Place(one.nodeId(), Errors.forCode(one.errorCode()));
                        }))
                .toList();
        return Answers.all(found).thenApply(all -> {
            Map<String, Place> places = new HashMap<>();
            for (int i = 0; i < groupIds.size(); i++) {
                places.put(groupIds.get(i), all.get(i));
            }
            return places;
        });
    }
}
