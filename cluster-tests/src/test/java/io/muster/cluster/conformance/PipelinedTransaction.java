package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * The transaction in which a pipeline commits.
 *
 * @param producer its name and ids, as requests say them; empty if the pipeline commits nothing in a transaction
 */
record PipelinedTransaction(RandomTarget target, ObjectNode producer) {
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Begins one that takes the group's offsets, if the pipeline has a use for it. */
    static PipelinedTransaction before(Pipeline pipeline, RandomTarget target) throws IOException {
        ObjectNode producer = RandomTarget.NODES.objectNode();
        PipelinedTransaction transaction = new PipelinedTransaction(target, producer);
        if (pipeline.has(PipelinedAction.COMMIT_IN_TRANSACTION)) {
            producer.put("transactionalId", target.unique("t" + pipeline.number()));
            JsonNode begun = target.call(
                    ApiMessageType.INIT_PRODUCER_ID,
                    4,
                    producer.deepCopy().put("transactionTimeoutMs", TIMEOUT_MILLIS));
            producer.set("producerId", begun.path("producerId"));
            producer.set("producerEpoch", begun.path("producerEpoch"));
            transaction.require(ApiMessageType.ADD_OFFSETS_TO_TXN, transaction.naming(target.groupBody()));
        }
        return transaction;
    }

    /** Adds who the producer is. */
    ObjectNode naming(ObjectNode body) {
        return body.setAll(producer);
    }

    void commit() throws IOException {
        if (!producer.isEmpty()) {
            require(ApiMessageType.END_TXN, producer.deepCopy().put("committed", true));
        }
    }

    private void require(ApiMessageType api, ObjectNode body) throws IOException {
        JsonNode answer = target.call(api, 3, body);
        if (answer.path("errorCode").asInt() != 0) {
            throw new IOException(api + ": " + answer);
        }
    }
}
