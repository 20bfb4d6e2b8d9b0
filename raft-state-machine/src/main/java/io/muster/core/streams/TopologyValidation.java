package io.muster.core.streams;

import io.muster.core.GroupError;
import io.muster.core.Response.Refused;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is wrong with a topology itself, whatever topics exist. */
final class TopologyValidation {
    private static final int LONGEST_TOPIC_NAME = 249;
    private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]+");
    private static final List<String> KAFKA_INTERNAL_TOPICS =
            List.of("__consumer_offsets", "__transaction_state", "__share_group_state");

    private TopologyValidation() {}

    /** Complains of topic names that Kafka does not take. */
    static Optional<Refused> namesRefusal(Topology topology) {
        List<String> internal = namesThat(topology, KAFKA_INTERNAL_TOPICS::contains);
        if (!internal.isEmpty()) {
            return invalid("Use of Kafka internal topics " + String.join(",", internal)
                    + " in a Kafka Streams topology is prohibited.");
        }
        List<String> bad = namesThat(topology, name -> !isTopicName(name));
        if (!bad.isEmpty()) {
            return invalid("Topic names " + String.join(",", bad) + " are not valid topic names.");
        }
        return Optional.empty();
    }

    /** Complains of changelog topics whose partition count is given, and of repartition topics with a negative one. */
    static Optional<Refused> countRefusal(Topology topology) {
        return topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.stateChangelogTopics().stream())
                .filter(topic -> topic.partitions() != 0)
                .findFirst()
                .flatMap(topic -> invalid("Changelog topic " + topic.name()
                        + " must have an undefined partition count, but it is set to " + topic.partitions() + "."))
                .or(() -> topology.subtopologies().stream()
                        .flatMap(subtopology -> subtopology.repartitionSourceTopics().stream())
                        .filter(topic -> topic.partitions() < 0)
                        .findFirst()
                        .flatMap(topic -> invalid("Repartition topic " + topic.name()
                                + " must have a partition count of 0 or more, but it is set to " + topic.partitions()
                                + ".")));
    }

    /** Complains of a topology in which names or indices lead nowhere or to two things. */
    static Optional<Refused> ambiguityRefusal(Topology topology) {
        if (topology.epoch() < 0) {
            return Optional.of(new Refused(
                    GroupError.INVALID_REQUEST, "Topology epoch must be 0 or more, but is " + topology.epoch() + "."));
        }
        TreeSet<String> ids = new TreeSet<>();
        for (Subtopology subtopology : topology.subtopologies()) {
            if (!ids.add(subtopology.id())) {
                return invalid("Subtopology " + subtopology.id() + " is given twice.");
            }
            Optional<Refused> twice = twice("Changelog topic ", subtopology.stateChangelogTopics())
                    .or(() -> twice("Repartition topic ", subtopology.repartitionSourceTopics()));
            if (twice.isPresent()) {
                return twice;
            }
            if (!subtopology.copartitionGroups().stream().allMatch(group -> fits(group, subtopology))) {
                return invalid("A copartition group of subtopology " + subtopology.id()
                        + " has an index beyond the subtopology's topics.");
            }
        }
        return Optional.empty();
    }

    /** Complains of a topology that can never be configured. */
    static Refused unsound(String flaw) {
        return new Refused(GroupError.STREAMS_INVALID_TOPOLOGY, flaw);
    }

    /** Why a topology can never be configured, if all its external source topics exist and fit; empty if it can. */
    static Optional<String> structureFlaw(Topology topology) {
        if (!loopsEnd(topology)) {
            return Optional.of("Failed to compute number of partitions for all repartition topics. "
                    + "There may be loops in the topology that cannot be resolved.");
        }
        Set<String> counted = counted(topology);
        boolean written = topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.repartitionSourceTopics().stream())
                .allMatch(topic -> counted.contains(topic.name()));
        if (!written) {
            return Optional.of("Failed to compute number of partitions for all repartition topics, because "
                    + "a repartition source topic is never used as a sink topic.");
        }
        return topology.subtopologies().stream()
                .filter(subtopology -> subtopology.allSources().isEmpty())
                .findFirst()
                .map(subtopology -> "No source topics found for subtopology " + subtopology.id());
    }

    private static Optional<Refused> twice(String kind, List<InternalTopic> topics) {
        TreeSet<String> names = new TreeSet<>();
        return topics.stream()
                .map(InternalTopic::name)
                .filter(name -> !names.add(name))
                .findFirst()
                .flatMap(name -> invalid(kind + name + " is given twice."));
    }

    /** Indices of patterns count for nothing, as in Kafka, since there are no patterns. */
    private static boolean fits(CopartitionGroup group, Subtopology subtopology) {
        return fit(group.sourceTopics(), subtopology.sourceTopics().size())
                && fit(
                        group.repartitionSourceTopics(),
                        subtopology.repartitionSourceTopics().size());
    }

    private static boolean fit(List<Integer> indices, int size) {
        return indices.stream().allMatch(index -> index >= 0 && index < size);
    }

    private static boolean loopsEnd(Topology topology) {
        Set<String> counted = counted(topology);
        return topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.repartitionSinkTopics().stream())
                .allMatch(counted::contains);
    }

    /** The repartition topics whose partition count follows from the topology if all external source topics exist. */
    private static Set<String> counted(Topology topology) {
        TreeSet<String> counted = topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.repartitionSourceTopics().stream())
                .filter(topic -> topic.partitions() != 0)
                .map(InternalTopic::name)
                .collect(Collectors.toCollection(TreeSet::new));
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Subtopology subtopology : topology.subtopologies()) {
                boolean known = !subtopology.sourceTopics().isEmpty()
                        || subtopology.repartitionSourceTopics().stream()
                                .anyMatch(topic -> counted.contains(topic.name()));
                progress |= known && counted.addAll(subtopology.repartitionSinkTopics());
            }
        }
        return counted;
    }

    private static List<String> namesThat(Topology topology, Predicate<String> matches) {
        return topology.subtopologies().stream()
                .flatMap(subtopology -> Stream.of(
                                subtopology.allSources().stream(),
                                subtopology.repartitionSinkTopics().stream(),
                                subtopology.stateChangelogTopics().stream().map(InternalTopic::name))
                        .flatMap(names -> names))
                .distinct()
                .filter(matches)
                .toList();
    }

    private static boolean isTopicName(String name) {
        return name.length() <= LONGEST_TOPIC_NAME
                && !name.equals(".")
                && !name.equals("..")
                && TOPIC_NAME.matcher(name).matches();
    }

    private static Optional<Refused> invalid(String message) {
        return Optional.of(new Refused(GroupError.STREAMS_INVALID_TOPOLOGY, message));
    }
}
