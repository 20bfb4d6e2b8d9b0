package io.muster.cluster.conformance;

import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;

/** The kinds of groups that are driven at random. */
enum RandomKind {
    CONSUMER {
        @Override
        Map<RandomAction, Integer> weights() {
            return RandomConsumers.WEIGHTS;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomConsumers(target);
        }
    },
    STREAMS {
        @Override
        Map<RandomAction, Integer> weights() {
            return RandomStreams.WEIGHTS;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomStreams(target, RandomTopology.of(seed));
        }
    },
    PIPELINED_CONSUMER {
        @Override
        Map<RandomAction, Integer> weights() {
            return PIPELINED;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            PipelinedRequests requests = new PipelinedRequests(
                    target,
                    "consumer",
                    ApiMessageType.CONSUMER_GROUP_HEARTBEAT,
                    ApiMessageType.CONSUMER_GROUP_DESCRIBE);
            return new PipelinedGroup<>(target, new RandomConsumers(target), requests, seed);
        }
    },
    PIPELINED_STREAMS {
        @Override
        Map<RandomAction, Integer> weights() {
            return PIPELINED;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            PipelinedRequests requests = new PipelinedRequests(
                    target, "streams", ApiMessageType.STREAMS_GROUP_HEARTBEAT, ApiMessageType.STREAMS_GROUP_DESCRIBE);
            return new PipelinedGroup<>(target, new RandomStreams(target, RandomTopology.STATELESS), requests, seed);
        }
    };

    private static final Map<RandomAction, Integer> PIPELINED =
            Map.of(RandomAction.PIPELINE, 3, RandomAction.DISCONNECT, 1);

    /** How often each action is taken. */
    abstract Map<RandomAction, Integer> weights();

    /** A group of this kind, as its seed wants it. */
    abstract RandomGroup open(RandomTarget target, long seed) throws IOException;
}
