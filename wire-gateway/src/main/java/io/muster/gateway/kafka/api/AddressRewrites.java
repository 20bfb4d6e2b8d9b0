package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.BrokerAddress;
import io.muster.gateway.kafka.VirtualBrokers;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Responses that name brokers: clients are to meet them at the gateway. */
public final class AddressRewrites {
    static final int FIRST_PRODUCE_WITH_ENDPOINTS = 10;
    private static final int FIRST_FETCH_WITH_ENDPOINTS = 16;
    private static final byte BROKERS = 1;

    private AddressRewrites() {}

    public static Api metadata(VirtualBrokers brokers) {
        return SilentAnswers.metadata(new Rewriting(ApiKeys.METADATA, 0, response -> {
            MetadataResponseData answer = (MetadataResponseData) response;
            answer.brokers()
                    .removeIf(broker -> isOut(
                            brokers,
                            broker.nodeId(),
                            broker.host(),
                            broker.port(),
                            at -> broker.setHost(at.host()).setPort(at.port())));
            answer.setControllerId(controller(answer.controllerId(), brokers));
            return true;
        }));
    }

    /** Controllers, which version 1 can ask for, have no port at the gateway and stay as they are. */
    public static Api describeCluster(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.DESCRIBE_CLUSTER, 0, response -> {
            DescribeClusterResponseData answer = (DescribeClusterResponseData) response;
            if (answer.endpointType() != BROKERS) {
                return false;
            }
            answer.brokers()
                    .removeIf(broker -> isOut(
                            brokers,
                            broker.brokerId(),
                            broker.host(),
                            broker.port(),
                            at -> broker.setHost(at.host()).setPort(at.port())));
            answer.setControllerId(controller(answer.controllerId(), brokers));
            return true;
        });
    }

    public static Api fetch(VirtualBrokers brokers) {
        return SilentAnswers.fetch(new Rewriting(ApiKeys.FETCH, FIRST_FETCH_WITH_ENDPOINTS, response -> {
            FetchResponseData answer = (FetchResponseData) response;
            boolean any = !answer.nodeEndpoints().isEmpty();
            answer.nodeEndpoints()
                    .removeIf(node -> isOut(
                            brokers,
                            node.nodeId(),
                            node.host(),
                            node.port(),
                            at -> node.setHost(at.host()).setPort(at.port())));
            return any;
        }));
    }

    /** Where partitions begin and end. */
    public static Api listOffsets() {
        return SilentAnswers.ofLeaders(ApiKeys.LIST_OFFSETS);
    }

    /** Where epochs of leaders end. */
    public static Api leaderEpochs() {
        return SilentAnswers.ofLeaders(ApiKeys.OFFSET_FOR_LEADER_EPOCH);
    }

    public static Api shareFetch(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.SHARE_FETCH, 0, response -> {
            ShareFetchResponseData answer = (ShareFetchResponseData) response;
            boolean any = !answer.nodeEndpoints().isEmpty();
            answer.nodeEndpoints()
                    .removeIf(node -> isOut(
                            brokers,
                            node.nodeId(),
                            node.host(),
                            node.port(),
                            at -> node.setHost(at.host()).setPort(at.port())));
            return any;
        });
    }

    public static Api shareAcknowledge(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.SHARE_ACKNOWLEDGE, 0, response -> {
            ShareAcknowledgeResponseData answer = (ShareAcknowledgeResponseData) response;
            boolean any = !answer.nodeEndpoints().isEmpty();
            answer.nodeEndpoints()
                    .removeIf(node -> isOut(
                            brokers,
                            node.nodeId(),
                            node.host(),
                            node.port(),
                            at -> node.setHost(at.host()).setPort(at.port())));
            return any;
        });
    }

    static boolean produce(VirtualBrokers brokers, ProduceResponseData answer) {
        boolean any = !answer.nodeEndpoints().isEmpty();
        answer.nodeEndpoints()
                .removeIf(node -> isOut(
                        brokers,
                        node.nodeId(),
                        node.host(),
                        node.port(),
                        at -> node.setHost(at.host()).setPort(at.port())));
        return any;
    }

    /** Moves a broker that upstream named to where clients meet it; true if they cannot: upstream's own address is never told instead. */
    private static boolean isOut(
            VirtualBrokers brokers, int brokerId, String host, int port, Consumer<BrokerAddress> move) {
        brokers.learn(brokerId, host, port);
        Optional<BrokerAddress> here = brokers.shown(brokerId);
        here.ifPresent(move);
        return here.isEmpty();
    }

    /** Any broker takes what is meant for the controller, so one that clients cannot reach is no obstacle. */
    private static int controller(int brokerId, VirtualBrokers brokers) {
        return brokerId < 0 || brokers.ids().contains(brokerId)
                ? brokerId
                : brokers.ids().first();
    }
}
