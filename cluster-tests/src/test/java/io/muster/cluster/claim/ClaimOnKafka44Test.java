package io.muster.cluster.claim;

import io.muster.cluster.kafka.KafkaVersion;

class ClaimOnKafka44Test extends ClaimContract {
    ClaimOnKafka44Test() {
        super(KafkaVersion.V4_4);
    }
}
