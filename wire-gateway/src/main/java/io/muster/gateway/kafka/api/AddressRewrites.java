package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.BrokerAddress;
import io.muster.gateway.kafka.LiveBrokers;
import io.muster.gateway.kafka.VirtualBrokers;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Responses that name brokers: clients are to meet them at the gateway. */
final class AddressRewrites {
    static final int FIRST_PRODUCE_WITH_ENDPOINTS = 10;
    private static final int FIRST_FETCH_WITH_ENDPOINTS = 16;
    private static final byte BROKERS = 1;

    private static final Named<MetadataResponseBroker> METADATA = new Named<>(
            MetadataResponseBroker::nodeId,
            MetadataResponseBroker::host,
            MetadataResponseBroker::port,
            (broker, at) -> broker.setHost(at.host()).setPort(at.port()));
    private static final Named<DescribeClusterBroker> CLUSTER = new Named<>(
            DescribeClusterBroker::brokerId,
            DescribeClusterBroker::host,
            DescribeClusterBroker::port,
            (broker, at) -> broker.setHost(at.host()).setPort(at.port()));
    private static final Named<FetchResponseData.NodeEndpoint> FETCH = new Named<>(
            FetchResponseData.NodeEndpoint::nodeId,
            FetchResponseData.NodeEndpoint::host,
            FetchResponseData.NodeEndpoint::port,
            (node, at) -> node.setHost(at.host()).setPort(at.port()));
    private static final Named<ShareFetchResponseData.NodeEndpoint> SHARE_FETCH = new Named<>(
            ShareFetchResponseData.NodeEndpoint::nodeId,
            ShareFetchResponseData.NodeEndpoint::host,
            ShareFetchResponseData.NodeEndpoint::port,
            (node, at) -> node.setHost(at.host()).setPort(at.port()));
    private static final Named<ShareAcknowledgeResponseData.NodeEndpoint> SHARE_ACKNOWLEDGE = new Named<>(
            ShareAcknowledgeResponseData.NodeEndpoint::nodeId,
            ShareAcknowledgeResponseData.NodeEndpoint::host,
            ShareAcknowledgeResponseData.NodeEndpoint::port,
            (node, at) -> node.setHost(at.host()).setPort(at.port()));
    private static final Named<ProduceResponseData.NodeEndpoint> PRODUCE = new Named<>(
            ProduceResponseData.NodeEndpoint::nodeId,
            ProduceResponseData.NodeEndpoint::host,
            ProduceResponseData.NodeEndpoint::port,
            (node, at) -> node.setHost(at.host()).setPort(at.port()));

    private AddressRewrites() {}

    static Api metadata(LiveBrokers live) {
        VirtualBrokers brokers = live.brokers();
        Rewriting rewriting = new Rewriting(ApiKeys.METADATA, 0, response -> {
            MetadataResponseData answer = (MetadataResponseData) response;
            METADATA.move(brokers, answer.brokers());
            answer.setControllerId(controller(answer.controllerId(), brokers));
            return true;
        });
        return SilentAnswers.metadata(rewriting, live);
    }

    /** Controllers, which version 1 can ask for, have no port at the gateway and stay as they are. */
    static Api describeCluster(VirtualBrokers brokers) {
        return new Rewriting(ApiKeys.DESCRIBE_CLUSTER, 0, response -> {
            DescribeClusterResponseData answer = (DescribeClusterResponseData) response;
            if (answer.endpointType() != BROKERS) {
                return false;
            }
            CLUSTER.move(brokers, answer.brokers());
            answer.setControllerId(controller(answer.controllerId(), brokers));
            return true;
        });
    }

    static Api fetch(VirtualBrokers brokers) {
        return SilentAnswers.fetch(new Rewriting(
                ApiKeys.FETCH,
                FIRST_FETCH_WITH_ENDPOINTS,
                response -> FETCH.move(brokers, ((FetchResponseData) response).nodeEndpoints())));
    }

    /** Where partitions begin and end. */
    static Api listOffsets() {
        return SilentAnswers.ofLeaders(ApiKeys.LIST_OFFSETS);
    }

    /** Where epochs of leaders end. */
    static Api leaderEpochs() {
        return SilentAnswers.ofLeaders(ApiKeys.OFFSET_FOR_LEADER_EPOCH);
    }

    static Api shareFetch(VirtualBrokers brokers) {
        return new Rewriting(
                ApiKeys.SHARE_FETCH,
                0,
                response -> SHARE_FETCH.move(brokers, ((ShareFetchResponseData) response).nodeEndpoints()));
    }

    static Api shareAcknowledge(VirtualBrokers brokers) {
        return new Rewriting(
                ApiKeys.SHARE_ACKNOWLEDGE,
                0,
                response -> SHARE_ACKNOWLEDGE.move(brokers, ((ShareAcknowledgeResponseData) response).nodeEndpoints()));
    }

    static boolean produce(VirtualBrokers brokers, ProduceResponseData answer) {
        return PRODUCE.move(brokers, answer.nodeEndpoints());
    }

    /** Any broker takes what is meant for the controller, so one that clients cannot reach is no obstacle. */
    private static int controller(int brokerId, VirtualBrokers brokers) {
        return brokerId < 0 || brokers.ids().contains(brokerId)
                ? brokerId
                : brokers.ids().first();
    }

    /** How one kind of response names brokers. */
    private record Named<N>(
            ToIntFunction<N> id, Function<N, String> host, ToIntFunction<N> port, BiConsumer<N, BrokerAddress> set) {
        /**
         * Moves the brokers that upstream named to where clients meet them. Those that clients cannot meet are taken out: upstream's
         * own address is never told instead.
         *
         * @return whether any was named
         */
        boolean move(VirtualBrokers brokers, Collection<N> named) {
            boolean any = !named.isEmpty();
            named.removeIf(one -> {
                brokers.learn(id.applyAsInt(one), host.apply(one), port.applyAsInt(one));
                Optional<BrokerAddress> here = brokers.shown(id.applyAsInt(one));
                here.ifPresent(at -> set.accept(one, at));
                return here.isEmpty();
            });
            return any;
        }
    }
}
