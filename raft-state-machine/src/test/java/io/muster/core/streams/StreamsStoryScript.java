package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.Endpoint;
import io.muster.core.GroupStory;
import io.muster.core.GroupType;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.StoryScript;
import io.muster.core.StreamsCommand;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.TaskOffset;
import io.muster.core.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays stories of Streams groups.
 *
 * <p>{@code topology NAME EPOCH ID(TOPICS) ...} defines a topology; a topic is read by its bare name, written as {@code >topic},
 * a repartition source as {@code *topic} or {@code *topic=COUNT}, a changelog as {@code +topic}, and {@code ~a,b} are copartitioned.
 */
final class StreamsStoryScript extends StoryScript {
    private final Map<String, Topology> topologies = new HashMap<>();

    StreamsStoryScript() {
        super(GroupType.STREAMS, new StreamsStoryWords());
    }

    @Override
    protected boolean define(String line) {
        if (!line.startsWith("topology ")) {
            return false;
        }
        String[] words = line.split(" ", 4);
        List<Topology.Subtopology> subtopologies = new ArrayList<>();
        for (String part : words[3].split("\\) ?")) {
            String[] idAndTopics = part.split("\\(", 2);
            subtopologies.add(TopologyNotation.subtopology(idAndTopics[0], List.of(idAndTopics[1].split(" "))));
        }
        topologies.put(words[1], new Topology(Integer.parseInt(words[2]), subtopologies));
        return true;
    }

    @Override
    protected Command ownCommand(List<String> words) {
        return switch (words.get(0)) {
            case "reset" -> new StreamsCommand.ResetTopology(GroupStory.GROUP);
            case "describes" ->
                new StreamsCommand.UpdateTopologyDescription(
                        GroupStory.GROUP,
                        words.get(1),
                        Integer.parseInt(words.get(2)),
                        Bytes.copyOf(words.get(3).getBytes(StandardCharsets.UTF_8)));
            case "reported" -> reported(words);
            case "ends" -> ends(words);
            default -> throw new IllegalArgumentException("no such step: " + words);
        };
    }

    /** {@code ends log:0:500,log:1:700} is what a gateway read; {@code ends none} if it could read nothing. */
    private static Command ends(List<String> words) {
        List<StreamsCommand.PartitionEnd> ends = new ArrayList<>();
        for (String word :
                words.get(1).equals("none") ? new String[0] : words.get(1).split(",")) {
            String[] parts = word.split(":");
            ends.add(new StreamsCommand.PartitionEnd(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
        }
        return new StreamsCommand.EndOffsetsRead(GroupStory.GROUP, ends);
    }

    private static Command reported(List<String> words) {
        TreeMap<String, String> failures = new TreeMap<>();
        words.stream().skip(1).map(word -> word.split("=")).forEach(failure -> failures.put(failure[0], failure[1]));
        return new StreamsCommand.InternalTopicsReported(GroupStory.GROUP, failures);
    }

    /** {@code join MEMBER TOPOLOGY PROCESS ...}, {@code beat|leave|away MEMBER ...}, with {@code name=value} for the rest. */
    @Override
    protected Command heartbeat(List<String> words, Map<String, String> options, int memberEpoch) {
        boolean joins = memberEpoch == StreamsHeartbeat.JOIN_EPOCH;
        return new StreamsHeartbeat(
                new Sender(
                        GroupStory.GROUP,
                        words.get(1),
                        memberEpoch,
                        options.get("i"),
                        options.get("rack"),
                        timeout(words, options),
                        new ClientInfo("client", "/10.0.0.1"),
                        1),
                Integer.parseInt(options.getOrDefault("endpoints", "0")),
                joins ? topologies.get(words.get(2)) : null,
                joins ? new OwnedTasks(Partitions.none(), Partitions.none(), Partitions.none()) : owned(options),
                new StreamsHeartbeat.ProcessDetails(
                        joins ? words.get(3) : options.get("process"),
                        endpoint(options.get("at")),
                        joins ? tags(options.getOrDefault("tags", "")) : null),
                new StreamsHeartbeat.OffsetReport(offsets(options.get("offsets")), offsets(options.get("ends"))),
                words.contains("shutdown"));
    }

    private static OwnedTasks owned(Map<String, String> options) {
        boolean said = options.containsKey("owns") || options.containsKey("keeps") || options.containsKey("warms");
        return said
                ? new OwnedTasks(tasks(options.get("owns")), tasks(options.get("keeps")), tasks(options.get("warms")))
                : OwnedTasks.UNCHANGED;
    }

    /** {@code 0:0,1;1:0} are tasks 0 and 1 of subtopology 0 and task 0 of subtopology 1. */
    private static Partitions<String> tasks(@Nullable String words) {
        if (words == null || words.isEmpty() || words.equals("none")) {
            return Partitions.none();
        }
        TreeMap<String, List<Integer>> tasks = new TreeMap<>();
        for (String part : words.split(";")) {
            String[] idAndNumbers = part.split(":");
            tasks.put(
                    idAndNumbers[0],
                    List.of(idAndNumbers[1].split(",")).stream()
                            .map(Integer::valueOf)
                            .toList());
        }
        return Partitions.copyOf(tasks);
    }

    private static @Nullable Endpoint endpoint(@Nullable String words) {
        if (words == null) {
            return null;
        }
        String[] hostAndPort = words.split(":");
        return new Endpoint(hostAndPort[0], Integer.parseInt(hostAndPort[1]));
    }

    /** {@code zone:a,rack:1} are two client tags. */
    private static SortedMap<String, String> tags(String words) {
        TreeMap<String, String> tags = new TreeMap<>();
        for (String tag : words.split(",")) {
            if (!tag.isEmpty()) {
                tags.put(tag.split(":")[0], tag.split(":")[1]);
            }
        }
        return tags;
    }

    /** {@code 0:1:50,0:2:60} are the sums 50 and 60 of tasks 1 and 2 of subtopology 0; {@code none} is an empty report. */
    private static @Nullable List<TaskOffset> offsets(@Nullable String words) {
        if (words == null) {
            return null;
        }
        List<TaskOffset> offsets = new ArrayList<>();
        for (String word : words.equals("none") ? List.<String>of() : List.of(words.split(","))) {
            String[] parts = word.split(":");
            offsets.add(new TaskOffset(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
        }
        return offsets;
    }
}
