package io.muster.gateway.kafka.api;

import io.muster.core.MemberHeartbeat;
import io.muster.core.Response;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** A heartbeat of a consumer or streams group as its API read it: what {@link HeartbeatPipeline} needs to know of it. */
interface GroupHeartbeat {
    /** What the coordinator decides. */
    MemberHeartbeat command();

    /** The topics that it names: the client has to be allowed to describe them. */
    Set<String> topics();

    /** The coordinator's answer to a member that has left. */
    Response left();

    /** The member that the coordinator's answer is about, if it is one that lives on. */
    Optional<String> liveMemberId(Response answer);

    /** Does what the coordinator's answer asks of the gateway; the answer says so if the client may not have it done. */
    CompletableFuture<Response> follow(Response answer);

    /** The client's answer. */
    ApiMessage answer(Response answer);

    /** The client's answer with an error and nothing more. */
    ApiMessage refusal(Errors error);
}
