package io.muster.gateway.kafka.offsets;

import io.muster.core.GroupError;
import org.apache.kafka.common.protocol.Errors;

/** The Kafka error of each refusal; the domain's errors carry Kafka's names. */
final class OffsetErrors {
    private OffsetErrors() {}

    static Errors of(GroupError error) {
        return Errors.valueOf(error.name());
    }
}
