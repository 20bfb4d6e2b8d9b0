package io.muster.gateway.kafka.api;

import io.muster.core.GroupState;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.order.Concern;
import io.muster.runtime.GroupSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * ListGroups: upstream's groups without the twins that Muster's claims leave there, and Muster's own, each at the port of the broker
 * that coordinates it upstream.
 */
final class ListGroupsApi implements Api {
    private static final short FIRST_WITH_TYPES = 5;
    private static final short FIRST_WITH_STATES = 4;

    private final Coordinator coordinator;
    private final VirtualBrokers brokers;

    ListGroupsApi(Coordinator coordinator, VirtualBrokers brokers) {
        this.coordinator = coordinator;
        this.brokers = brokers;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_GROUPS;
    }

    @Override
    public Concern concern(KafkaRequest request) {
        return Concern.ofAllGroups(Concern.Kind.READ, false);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ListGroupsRequestData asked = request.body(ListGroupsRequestData.class);
        CompletableFuture<ListGroupsResponseData> upstream = upstream(asked, request.version(), session.upstream());
        CompletableFuture<Optional<List<GroupSummary>>> own = coordinator
                .listGroups()
                .thenCompose(listed -> listed.complete()
                        ? here(asked, listed.groups(), session).thenApply(Optional::of)
                        : CompletableFuture.completedFuture(Optional.empty()));
        return Route.Answer.of(upstream.thenCombine(
                own, (theirs, ours) -> ours.isEmpty() ? incomplete(theirs) : merged(theirs, ours.get())));
    }

    /** A list that lacks the groups of a shard is no list: clients ask again. */
    private static ApiMessage incomplete(ListGroupsResponseData upstream) {
        return upstream.errorCode() == Errors.NONE.code()
                ? new ListGroupsResponseData().setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())
                : upstream;
    }

    /** An older upstream knows no types: all of its groups are classic ones then. */
    private CompletableFuture<ListGroupsResponseData> upstream(
            ListGroupsRequestData asked, short version, ClientUpstream upstream) {
        short lowered = (short) Math.min(version, upstream.maxVersion(key()));
        ListGroupsRequestData some = asked.duplicate();
        if (lowered < FIRST_WITH_TYPES) {
            some.setTypesFilter(List.of());
        }
        if (lowered < FIRST_WITH_STATES) {
            some.setStatesFilter(List.of());
        }
        boolean noClassic = lowered < FIRST_WITH_TYPES
                && !asked.typesFilter().isEmpty()
                && asked.typesFilter().stream().noneMatch("classic"::equalsIgnoreCase);
        return upstream.call(key(), lowered, some).thenApply(answer -> {
            ListGroupsResponseData data = (ListGroupsResponseData) answer;
            if (lowered < FIRST_WITH_TYPES && version >= FIRST_WITH_TYPES) {
                data.groups().forEach(group -> group.setGroupType("classic"));
            }
            return noClassic ? data.setGroups(new ArrayList<>()) : data;
        });
    }

    private CompletableFuture<List<GroupSummary>> here(
            ListGroupsRequestData asked, List<GroupSummary> all, ClientSession session) {
        List<GroupSummary> groups =
                all.stream().filter(group -> fits(group, asked)).toList();
        List<String> ids = groups.stream().map(GroupSummary::groupId).toList();
        return UpstreamCoordinators.of(ids, session.upstream()).thenCompose(found -> {
            boolean anyWithheld =
                    found.values().stream().anyMatch(place -> place.error() == Errors.GROUP_AUTHORIZATION_FAILED);
            CompletableFuture<Boolean> seesAll = anyWithheld
                    ? session.permissions().mayOnCluster(AclOperation.DESCRIBE)
                    : CompletableFuture.completedFuture(false);
            return seesAll.thenApply(sees -> groups.stream()
                    .filter(group -> isHere(found.get(group.groupId()), session.brokerId(), sees))
                    .toList());
        });
    }

    /** What upstream names no coordinator of, or one that clients cannot reach, is listed at one port all the same, to those who may see it. */
    private boolean isHere(UpstreamCoordinators.@Nullable Place place, int brokerId, boolean seesAll) {
        if (place == null
                || place.error() == Errors.COORDINATOR_NOT_AVAILABLE
                || (place.error() == Errors.NONE
                        && brokers.shown(place.brokerId()).isEmpty())
                || (seesAll && place.error() == Errors.GROUP_AUTHORIZATION_FAILED)) {
            return brokerId == brokers.ids().first();
        }
        return place.error() == Errors.NONE && place.brokerId() == brokerId;
    }

    private ApiMessage merged(ListGroupsResponseData upstream, List<GroupSummary> own) {
        if (upstream.errorCode() != Errors.NONE.code()
                && upstream.errorCode() != Errors.COORDINATOR_NOT_AVAILABLE.code()) {
            return upstream;
        }
        Set<String> ownIds = own.stream().map(GroupSummary::groupId).collect(Collectors.toSet());
        List<ListedGroup> all = new ArrayList<>();
        upstream.groups().stream()
                .filter(group -> !ownIds.contains(group.groupId()) && !coordinator.owns(group.groupId()))
                .forEach(all::add);
        own.forEach(group -> all.add(listed(group)));
        return upstream.setErrorCode(Errors.NONE.code()).setGroups(all);
    }

    private static ListedGroup listed(GroupSummary group) {
        String type = group.type().word();
        return new ListedGroup()
                .setGroupId(group.groupId())
                .setProtocolType(type)
                .setGroupState(group.state().kafkaName())
                .setGroupType(type);
    }

    private static boolean fits(GroupSummary group, ListGroupsRequestData asked) {
        return (asked.typesFilter().isEmpty()
                        || asked.typesFilter().stream().anyMatch(group.type().word()::equalsIgnoreCase))
                && (asked.statesFilter().isEmpty()
                        || asked.statesFilter().stream()
                                .map(state -> state.toLowerCase(Locale.ROOT).trim())
                                .anyMatch(filterNameOf(group.state())::equals));
    }

    /** Kafka filters by its constants' names, {@code NOT_READY}, and shows {@code NotReady}. */
    private static String filterNameOf(GroupState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
