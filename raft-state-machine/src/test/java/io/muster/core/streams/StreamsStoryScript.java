package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Endpoint;
import io.muster.core.GroupCommand;
import io.muster.core.GroupStory;
import io.muster.core.GroupType;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
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
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and plays a story: {@code > step} lines are played, and what followed is written under them.
 *
 * <p>{@code topology NAME EPOCH ID(TOPICS) ...} defines a topology; a topic is read by its bare name, written as {@code >topic},
 * a repartition source as {@code *topic} or {@code *topic=COUNT}, a changelog as {@code +topic}, and {@code ~a,b} are copartitioned.
 */
final class StreamsStoryScript {
    private final StreamsStory story = new StreamsStory();
    private final StreamsStoryText text = new StreamsStoryText();
    private final Map<String, Topology> topologies = new HashMap<>();

    /** The script again, with what followed each step. */
    static String play(String script) {
        StreamsStoryScript played = new StreamsStoryScript();
        StringBuilder out = new StringBuilder();
        for (String line : script.split("\n")) {
            if (line.startsWith("#") || line.isBlank()) {
                out.append(line).append('\n');
            } else if (line.startsWith("topology ")) {
                played.define(line);
                out.append(line).append('\n');
            } else if (line.startsWith("> ")) {
                out.append(line).append('\n');
                played.step(line.substring(2))
                        .forEach(shown -> out.append("  ").append(shown).append('\n'));
            }
        }
        return out.toString();
    }

    private void define(String line) {
        String[] words = line.split(" ", 4);
        List<Topology.Subtopology> subtopologies = new ArrayList<>();
        for (String part : words[3].split("\\) ?")) {
            String[] idAndTopics = part.split("\\(", 2);
            subtopologies.add(TopologyNotation.subtopology(idAndTopics[0], List.of(idAndTopics[1].split(" "))));
        }
        topologies.put(words[1], new Topology(Integer.parseInt(words[2]), subtopologies));
    }

    private List<String> step(String step) {
        List<String> words = List.of(step.split(" "));
        List<GroupStory.Scene> scenes = switch (words.get(0)) {
            case "time" -> story.pass(Long.parseLong(words.get(1)));
            case "new-leader" -> story.newLeader();
            case "wall-clock" -> {
                story.wallClockJumps(Long.parseLong(words.get(1)));
                yield List.of();
            }
            case "impatience" -> story.losePatience();
            case "compute-aside" -> {
                story.computeAside();
                yield List.of();
            }
            case "computed" -> story.compute();
            case "upstream" -> story.upstream(words.get(1));
            case "topics" -> topics(words);
            default -> story.decide(commands(step));
        };
        return scenes.stream().flatMap(scene -> text.lines(scene).stream()).toList();
    }

    /** {@code foo=2} exists, {@code foo=-} is absent, {@code foo=?} is unknown. */
    private List<GroupStory.Scene> topics(List<String> words) {
        for (String word : words.subList(1, words.size())) {
            String[] nameAndCount = word.split("=");
            switch (nameAndCount[1]) {
                case "-" -> story.absent(nameAndCount[0]);
                case "?" -> story.forgetTopic(nameAndCount[0]);
                default -> story.topic(nameAndCount[0], Integer.parseInt(nameAndCount[1]));
            }
        }
        return story.decide(List.of(new InternalCommand.TopicsChanged(GroupStory.GROUP)));
    }

    private List<Command> commands(String step) {
        List<Command> commands = new ArrayList<>();
        for (String one : step.split(" & ")) {
            commands.add(command(List.of(one.split(" "))));
        }
        return commands;
    }

    private Command command(List<String> words) {
        String group = GroupStory.GROUP;
        return switch (words.get(0)) {
            case "join", "beat", "leave", "away" -> heartbeat(words);
            case "describe" -> new GroupCommand.Describe(group, GroupType.STREAMS);
            case "config" -> config(words.get(1));
            case "remove" ->
                new GroupCommand.RemoveMembers(group, List.of(new GroupCommand.MemberKey(words.get(1), "")), true);
            case "inspect" -> new GroupCommand.Inspect(group);
            case "reset" -> new StreamsCommand.ResetTopology(group);
            case "describes" ->
                new StreamsCommand.UpdateTopologyDescription(
                        group,
                        words.get(1),
                        Integer.parseInt(words.get(2)),
                        Bytes.copyOf(words.get(3).getBytes(StandardCharsets.UTF_8)));
            case "shorten" -> new GroupCommand.ShortenSession(group, words.get(1));
            case "delete" -> new GroupCommand.Delete(group);
            case "commit" -> commit(words);
            case "settled" -> new CommitCommand.Settled(group, words.get(1), false);
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

    private static Command config(String setting) {
        String[] nameAndValue = setting.split("=");
        TreeMap<String, Optional<String>> changes = new TreeMap<>();
        changes.put(nameAndValue[0], Optional.of(nameAndValue[1]));
        return new GroupCommand.AlterConfigs(GroupStory.GROUP, changes, false);
    }

    /** {@code commit ID MEMBER EPOCH TOPIC PARTITION}. */
    private static Command commit(List<String> words) {
        return new CommitCommand.Admit(
                GroupStory.GROUP,
                words.get(1),
                words.get(2),
                words.get(2),
                "",
                Integer.parseInt(words.get(3)),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(new TopicPartition(words.get(4), Integer.parseInt(words.get(5)))));
    }

    private static Command reported(List<String> words) {
        TreeMap<String, String> failures = new TreeMap<>();
        words.stream().skip(1).map(word -> word.split("=")).forEach(failure -> failures.put(failure[0], failure[1]));
        return new StreamsCommand.InternalTopicsReported(GroupStory.GROUP, failures);
    }

    /** {@code join MEMBER TOPOLOGY PROCESS ...}, {@code beat|leave|away MEMBER ...}, with {@code name=value} for the rest. */
    private StreamsHeartbeat heartbeat(List<String> words) {
        String memberId = words.get(1);
        boolean joins = words.get(0).equals("join");
        Map<String, String> options = new HashMap<>();
        words.stream()
                .filter(word -> word.contains("="))
                .forEach(word ->
                        options.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1)));
        int epoch = switch (words.get(0)) {
            case "join" -> 0;
            case "leave" -> -1;
            case "away" -> -2;
            default -> options.containsKey("epoch") ? Integer.parseInt(options.get("epoch")) : text.epochOf(memberId);
        };
        return new StreamsHeartbeat(
                GroupStory.GROUP,
                memberId,
                epoch,
                Integer.parseInt(options.getOrDefault("endpoints", "0")),
                options.get("i"),
                options.get("rack"),
                options.containsKey("timeout") ? Integer.parseInt(options.get("timeout")) : joins ? 60_000 : -1,
                joins ? topologies.get(words.get(2)) : null,
                joins ? new OwnedTasks(Partitions.none(), Partitions.none(), Partitions.none()) : owned(options),
                joins ? words.get(3) : options.get("process"),
                endpoint(options.get("at")),
                joins ? tags(options.getOrDefault("tags", "")) : null,
                offsets(options.get("offsets")),
                offsets(options.get("ends")),
                words.contains("shutdown"),
                new ClientInfo("client", "/10.0.0.1"),
                1);
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
