package io.muster.cluster.claim;

import io.muster.cluster.kafka.KafkaVersion;

class ClaimOnKafka39Test extends ClaimContract {
    ClaimOnKafka39Test() {
        super(KafkaVersion.V3_9);
    }
}
