package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupConfigs;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ErrorMapper;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;

/** Changes of group configs that Muster keeps. */
final class GroupConfigChanges {
    static final byte GROUP = ConfigResource.Type.GROUP.id();

    private GroupConfigChanges() {}

    /** Whether upstream keeps the config: those of share groups, and those it knows but Muster does not honour. */
    static boolean isUpstreams(String name) {
        return !GroupConfigs.NAMES.contains(name);
    }

    static CompletableFuture<AlterConfigsResourceResponse> submit(
            Coordinator coordinator,
            String groupId,
            SortedMap<String, Optional<String>> changes,
            boolean validateOnly) {
        return Answers.bounded(coordinator.submit(new GroupCommand.AlterConfigs(groupId, changes, validateOnly)))
                .thenApply(response -> response instanceof Response.Done
                        ? result(groupId, Errors.NONE.code(), Optional.empty())
                        : refused(groupId, Answers.refusal(response)));
    }

    private static AlterConfigsResourceResponse refused(String groupId, Response.Refused refused) {
        return result(groupId, ErrorMapper.codeOf(refused.error()), Optional.of(refused.message()));
    }

    static AlterConfigsResourceResponse result(String groupId, short errorCode, Optional<String> message) {
        return new AlterConfigsResourceResponse()
                .setResourceType(GROUP)
                .setResourceName(groupId)
                .setErrorCode(errorCode)
                .setErrorMessage(message.orElse(null));
    }
}
