package io.muster.core.streams;

import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.TopicCreation;
import io.muster.core.StreamsCommand.InternalTopicsReported;
import io.muster.core.TimerKey;
import io.muster.core.Topology.InternalTopic;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Has missing internal topics created: one request in flight per group, and a back-off between tries. */
final class InternalTopics {
    /** How long a gateway may take to report, milliseconds. */
    private static final long REPORT_MILLIS = 30_000;

    private static final long FIRST_BACKOFF_MILLIS = 1_000;
    private static final long LONGEST_BACKOFF_MILLIS = 30_000;
    private static final TimerKey TIMER = new TimerKey(TimerKey.Kind.INTERNAL_TOPICS, "");

    private InternalTopics() {}

    /** The topics that the gateway of the member's heartbeat shall create now. */
    static List<InternalTopic> request(GroupDraft draft, TopologyStanding standing, StreamsMember member) {
        ConfiguredTopology configured = standing.heardBy(member.profile().topologyEpoch());
        TopicCreation creation = creation(draft);
        if (creation.inFlight()) {
            return List.of();
        }
        if (configured.missing().isEmpty()) {
            if (standing.newest().isReady() && !creation.equals(TopicCreation.IDLE)) {
                remember(draft, TopicCreation.IDLE);
            }
            return List.of();
        }
        if (draft.context().nowMillis() < creation.notBeforeMillis()) {
            return List.of();
        }
        int tries = creation.tries() + 1;
        remember(draft, new TopicCreation(true, creation.failures(), tries, creation.notBeforeMillis()));
        draft.arm(TIMER, REPORT_MILLIS, tries);
        return configured.missing();
    }

    /** Takes the outcome of a request. */
    static void reported(GroupDraft draft, SortedMap<String, String> failures) {
        draft.cancel(TIMER);
        backOff(draft, failures);
    }

    /** Gives a request up of which nothing was heard. */
    static void lapsed(GroupDraft draft, int tries) {
        if (creation(draft).inFlight() && creation(draft).tries() == tries) {
            backOff(draft, creation(draft).failures());
        }
    }

    /** Why the last request did not create these topics, in Kafka's words; empty if it did not fail. */
    static String failures(LeaderMemory memory, ConfiguredTopology configured) {
        TreeMap<String, String> failures =
                new TreeMap<>(memory.streams().creation().failures());
        failures.keySet()
                .retainAll(
                        configured.missing().stream().map(InternalTopic::name).toList());
        String denied = failures.entrySet().stream()
                .filter(failure -> failure.getValue().equals(InternalTopicsReported.UNAUTHORIZED))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        String failed = failures.entrySet().stream()
                .filter(failure -> !failure.getValue().equals(InternalTopicsReported.UNAUTHORIZED))
                .map(failure -> failure.getKey() + " (" + failure.getValue() + ")")
                .collect(Collectors.joining(", "));
        return (denied.isEmpty() ? "" : "; " + InternalTopicsReported.UNAUTHORIZED + " on topics " + denied + ".")
                + (failed.isEmpty() ? "" : "; Creation failed: " + failed + ".");
    }

    private static void backOff(GroupDraft draft, SortedMap<String, String> failures) {
        int tries = creation(draft).tries();
        int doublings = Math.min(Math.max(tries - 1, 0), 16);
        long wait = Math.min(FIRST_BACKOFF_MILLIS << doublings, LONGEST_BACKOFF_MILLIS);
        remember(
                draft, new TopicCreation(false, failures, tries, draft.context().nowMillis() + wait));
    }

    private static TopicCreation creation(GroupDraft draft) {
        return draft.memory().streams().creation();
    }

    private static void remember(GroupDraft draft, TopicCreation next) {
        draft.remember(draft.memory().withStreams(draft.memory().streams().withCreation(next)));
    }
}
