package io.muster.gateway.kafka.permissions;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;

/**
 * What the client may do with a group.
 *
 * @param error GROUP_AUTHORIZATION_FAILED if it may not describe it, NOT_COORDINATOR and the like if the broker did not say what
 *     else it may do
 * @param operations one bit an operation; {@link #UNKNOWN} unless there is no error
 */
public record GroupAccess(Errors error, int operations) {
    /** Kafka's word for operations that were not asked for. */
    public static final int UNKNOWN = Integer.MIN_VALUE;

    public boolean mayDescribe() {
        return error != Errors.GROUP_AUTHORIZATION_FAILED;
    }

    public boolean may(AclOperation operation) {
        return operations != UNKNOWN && (operations & (1 << operation.code())) != 0;
    }
}
