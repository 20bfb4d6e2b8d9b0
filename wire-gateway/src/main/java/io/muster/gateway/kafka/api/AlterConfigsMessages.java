package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.api.GroupConfigChange.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request that alters configs, in one of Kafka's two forms, and the responses to it. */
interface AlterConfigsMessages {
    boolean validateOnly();

    /** What it names, in its order. */
    List<Resource> resources();

    /** What it wants of the groups among them. */
    List<GroupConfigChange> groupChanges();

    /**
     * The request for upstream, without the configs that Muster keeps: a group of which nothing is left goes along, so that upstream says
     * whether the client may change it.
     *
     * @param refusedGroups those that upstream is not to hear of
     * @return empty if no resource is left
     */
    Optional<ApiMessage> forUpstream(Set<String> refusedGroups);

    /** Reads upstream's response. */
    Results read(ApiMessage response);

    /** The client's response. */
    ApiMessage write(Results results);

    /** @param type as in {@link org.apache.kafka.common.config.ConfigResource.Type} */
    record Resource(byte type, String name) {}

    /** What a response says. */
    record Results(List<Outcome> outcomes, int throttleTimeMillis) {
        static final Results NONE = new Results(List.of(), 0);

        Optional<Outcome> of(Resource resource) {
            return outcomes.stream()
                    .filter(outcome -> outcome.resource().equals(resource))
                    .findFirst();
        }
    }

    /** What became of one resource: an error, or none. */
    record Outcome(Resource resource, Refusal result) {}
}
