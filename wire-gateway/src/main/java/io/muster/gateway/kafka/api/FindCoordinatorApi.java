package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.BrokerAddress;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.LiveBrokers;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.VirtualBrokers;
import java.util.Optional;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * FindCoordinator: upstream's answer at the gateway's addresses. A group that upstream has no coordinator for, or cannot be asked
 * about, is found at the port where the client is: its heartbeats are answered at each. One whose coordinator is silent is found at
 * the port of a broker that is not, if there is one.
 */
final class FindCoordinatorApi implements Api {
    private static final byte GROUP = 0;
    private static final short FIRST_WITH_KEYS = 4;

    private final VirtualBrokers brokers;
    private final LiveBrokers live;

    FindCoordinatorApi(LiveBrokers live) {
        this.brokers = live.brokers();
        this.live = live;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        FindCoordinatorRequestData asked = request.body(FindCoordinatorRequestData.class);
        boolean group = asked.keyType() == GROUP;
        Route.Pass pass = Route.Pass.rewritten(Rewriting.rewrite(
                key(), request.version(), answer -> rewrite((FindCoordinatorResponseData) answer, group, session)));
        return group ? pass.orWhenAway(() -> here(asked, request.version(), session)) : pass;
    }

    private boolean rewrite(FindCoordinatorResponseData answer, boolean group, ClientSession session) {
        answer.coordinators().forEach(one -> rewrite(one, group, session));
        if (answer.coordinators().isEmpty()) {
            Coordinator one = new Coordinator()
                    .setErrorCode(answer.errorCode())
                    .setErrorMessage(answer.errorMessage())
                    .setNodeId(answer.nodeId())
                    .setHost(answer.host())
                    .setPort(answer.port());
            rewrite(one, group, session);
            answer.setErrorCode(one.errorCode())
                    .setErrorMessage(one.errorMessage())
                    .setNodeId(one.nodeId())
                    .setHost(one.host())
                    .setPort(one.port());
        }
        return true;
    }

    private void rewrite(Coordinator one, boolean group, ClientSession session) {
        if (one.errorCode() == Errors.NONE.code() && !one.host().isEmpty()) {
            brokers.learn(one.nodeId(), one.host(), one.port());
            int shown = group && live.silent(one.nodeId()) ? alive(session) : one.nodeId();
            one.setNodeId(shown);
            show(one, shown);
        }
        if (group && one.errorCode() == Errors.COORDINATOR_NOT_AVAILABLE.code()) {
            one.setErrorCode(Errors.NONE.code()).setErrorMessage("").setNodeId(alive(session));
            show(one, alive(session));
        }
    }

    /** A coordinator that clients cannot reach here is none. */
    private void show(Coordinator one, int brokerId) {
        Optional<BrokerAddress> here = brokers.shown(brokerId);
        if (here.isPresent()) {
            one.setHost(here.get().host()).setPort(here.get().port());
        } else {
            one.setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())
                    .setErrorMessage(Errors.COORDINATOR_NOT_AVAILABLE.message())
                    .setNodeId(-1)
                    .setHost("")
                    .setPort(-1);
        }
    }

    /** The broker at whose port the client is, or another one if that is silent and not all are. */
    private int alive(ClientSession session) {
        return live.orAnother(session.brokerId());
    }

    private ApiMessage here(FindCoordinatorRequestData asked, short version, ClientSession session) {
        FindCoordinatorResponseData answer = new FindCoordinatorResponseData();
        if (version < FIRST_WITH_KEYS) {
            Coordinator one = new Coordinator().setNodeId(alive(session));
            show(one, alive(session));
            return answer.setErrorCode(one.errorCode())
                    .setErrorMessage("")
                    .setNodeId(one.nodeId())
                    .setHost(one.host())
                    .setPort(one.port());
        }
        asked.coordinatorKeys().forEach(id -> {
            Coordinator one = new Coordinator().setKey(id).setErrorMessage("").setNodeId(alive(session));
            show(one, alive(session));
            answer.coordinators().add(one);
        });
        return answer;
    }
}
