package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.permissions.GroupAccess;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Whether a client may delete groups and their offsets. */
final class GroupDeletions {
    private GroupDeletions() {}

    /**
     * Why the client may not delete, if it may not: nothing is deleted in Muster, and no claim steps aside, for what is then not
     * deleted upstream.
     *
     * @param access what the broker said about the group; null if nothing
     */
    static Optional<Errors> withheld(@Nullable GroupAccess access) {
        if (access == null || (access.error() != Errors.NONE && access.mayDescribe())) {
            return Optional.of(access == null ? Errors.COORDINATOR_NOT_AVAILABLE : access.error());
        }
        return access.may(AclOperation.DELETE) ? Optional.empty() : Optional.of(Errors.GROUP_AUTHORIZATION_FAILED);
    }
}
