package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.VirtualBrokers;
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
        return new Rewriting(ApiKeys.METADATA, 0, response -> {
            ((MetadataResponseData) response).brokers().forEach(broker -> {
                brokers.learn(broker.nodeId(), broker.host(), broker.port());
                broker.setHost(brokers.host()).setPort(brokers.port(broker.nodeId()));
            });
            return true;
        });
    }

    /** Controllers, which version 1 can ask for, have no port at the gateway and stay as they are. */
    public static Api describeCluster(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.DESCRIBE_CLUSTER, 0, response -> {
            DescribeClusterResponseData answer = (DescribeClusterResponseData) response;
            if (answer.endpointType() != BROKERS) {
                return false;
            }
            answer.brokers().forEach(broker -> {
                brokers.learn(broker.brokerId(), broker.host(), broker.port());
                broker.setHost(brokers.host()).setPort(brokers.port(broker.brokerId()));
            });
            return true;
        });
    }

    public static Api fetch(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.FETCH, FIRST_FETCH_WITH_ENDPOINTS, response -> {
            FetchResponseData answer = (FetchResponseData) response;
            answer.nodeEndpoints().forEach(node -> {
                brokers.learn(node.nodeId(), node.host(), node.port());
                node.setHost(brokers.host()).setPort(brokers.port(node.nodeId()));
            });
            return !answer.nodeEndpoints().isEmpty();
        });
    }

    public static Api shareFetch(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.SHARE_FETCH, 0, response -> {
            ShareFetchResponseData answer = (ShareFetchResponseData) response;
            answer.nodeEndpoints().forEach(node -> {
                brokers.learn(node.nodeId(), node.host(), node.port());
                node.setHost(brokers.host()).setPort(brokers.port(node.nodeId()));
            });
            return !answer.nodeEndpoints().isEmpty();
        });
    }

    public static Api shareAcknowledge(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.SHARE_ACKNOWLEDGE, 0, response -> {
            ShareAcknowledgeResponseData answer = (ShareAcknowledgeResponseData) response;
            answer.nodeEndpoints().forEach(node -> {
                brokers.learn(node.nodeId(), node.host(), node.port());
                node.setHost(brokers.host()).setPort(brokers.port(node.nodeId()));
            });
            return !answer.nodeEndpoints().isEmpty();
        });
    }

    static boolean produce(VirtualBrokers brokers, ProduceResponseData answer) {
        answer.nodeEndpoints().forEach(node -> {
            brokers.learn(node.nodeId(), node.host(), node.port());
            node.setHost(brokers.host()).setPort(brokers.port(node.nodeId()));
        });
        return !answer.nodeEndpoints().isEmpty();
    }
}
