package io.muster.core.consumer;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.ConsumerCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.GroupStory;
import io.muster.core.GroupType;
import io.muster.core.InternalCommand;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and plays a story: {@code > step} lines are played, and what followed is written under them.
 *
 * <p>{@code join|beat|leave|away MEMBER [topics=foo,bar] [owns=foo:0,1;bar:0] [i=INSTANCE] [name=value ...]} is a heartbeat, with
 * the epoch that the member was told last; {@code &} joins commands that are decided together.
 */
final class ConsumerStoryScript {
    private final ConsumerStory story = new ConsumerStory();
    private final ConsumerStoryText text = new ConsumerStoryText();

    /** The script again, with what followed each step. */
    static String play(String script) {
        ConsumerStoryScript played = new ConsumerStoryScript();
        StringBuilder out = new StringBuilder();
        for (String line : script.split("\n")) {
            if (line.startsWith("#") || line.isBlank()) {
                out.append(line).append('\n');
            } else if (line.startsWith("> ")) {
                out.append(line).append('\n');
                played.step(line.substring(2))
                        .forEach(shown -> out.append("  ").append(shown).append('\n'));
            }
        }
        return out.toString();
    }

    private List<String> step(String step) {
        List<String> words = List.of(step.split(" "));
        List<GroupStory.Scene> scenes = switch (words.get(0)) {
            case "time" -> story.pass(Long.parseLong(words.get(1)));
            case "new-leader" -> story.newLeader();
            case "topics-created" -> {
                story.topicsAreCreated();
                yield List.of();
            }
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
            default ->
                story.decide(Stream.of(step.split(" & "))
                        .map(one -> command(List.of(one.split(" "))))
                        .toList());
        };
        return scenes.stream().flatMap(scene -> text.lines(scene).stream()).toList();
    }

    /** {@code foo=2} exists, {@code foo=2@a,b+c} with a rack or more for each partition; {@code foo=-} is absent, {@code foo=?} unknown. */
    private List<GroupStory.Scene> topics(List<String> words) {
        for (String word : words.subList(1, words.size())) {
            String[] nameAndCount = word.split("=");
            switch (nameAndCount[1]) {
                case "-" -> story.absent(nameAndCount[0]);
                case "?" -> story.forgetTopic(nameAndCount[0]);
                default -> present(nameAndCount[0], nameAndCount[1].split("@"));
            }
        }
        return story.decide(List.of(new InternalCommand.TopicsChanged(GroupStory.GROUP)));
    }

    private void present(String name, String[] countAndRacks) {
        PartitionRacks racks = countAndRacks.length < 2
                ? PartitionRacks.UNKNOWN
                : PartitionRacks.of(Stream.of(countAndRacks[1].split(","))
                        .map(partition -> List.of(partition.split("\\+")))
                        .toList());
        story.topic(name, Integer.parseInt(countAndRacks[0]), racks);
    }

    private Command command(List<String> words) {
        String group = GroupStory.GROUP;
        Map<String, String> options = options(words);
        return switch (words.get(0)) {
            case "join", "beat", "leave", "away" -> heartbeat(words, options);
            case "describe" -> new GroupCommand.Describe(group, GroupType.CONSUMER);
            case "config" -> config(words.get(1));
            case "remove" ->
                new GroupCommand.RemoveMembers(
                        group,
                        List.of(new GroupCommand.MemberKey(
                                words.get(1).equals("-") ? "" : words.get(1), options.getOrDefault("i", ""))),
                        true);
            case "shorten" -> new GroupCommand.ShortenSession(group, words.get(1));
            case "delete" -> new GroupCommand.Delete(group);
            case "matches" -> matches(words);
            case "commit" -> commit(words);
            case "fetch" -> new CommitCommand.AdmitFetch(group, words.get(1), Integer.parseInt(words.get(2)));
            case "settled" -> new CommitCommand.Settled(group, words.get(1), false);
            default -> throw new IllegalArgumentException("no such step: " + words);
        };
    }

    /** {@code matches PATTERN foo,bar} is what a gateway found for a pattern. */
    private static Command matches(List<String> words) {
        TreeMap<String, SortedSet<String>> found = new TreeMap<>();
        found.put(
                words.get(1),
                new TreeSet<>(words.size() > 2 ? List.of(words.get(2).split(",")) : List.of()));
        return new ConsumerCommand.PatternsResolved(ConsumerStory.GROUP, found);
    }

    private static Map<String, String> options(List<String> words) {
        Map<String, String> options = new HashMap<>();
        words.stream()
                .filter(word -> word.contains("="))
                .forEach(word ->
                        options.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1)));
        return options;
    }

    private static Command config(String setting) {
        String[] nameAndValue = setting.split("=");
        TreeMap<String, Optional<String>> changes = new TreeMap<>();
        changes.put(nameAndValue[0], Optional.of(nameAndValue[1]));
        return new GroupCommand.AlterConfigs(GroupStory.GROUP, changes, false);
    }

    /** {@code commit ID MEMBER EPOCH TOPIC PARTITION [via=CONNECTION]}. */
    private static Command commit(List<String> words) {
        return new CommitCommand.Admit(
                GroupStory.GROUP,
                words.get(1),
                options(words).getOrDefault("via", words.get(2)),
                words.get(2),
                "",
                Integer.parseInt(words.get(3)),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(new TopicPartition(words.get(4), Integer.parseInt(words.get(5)))));
    }

    private ConsumerHeartbeat heartbeat(List<String> words, Map<String, String> options) {
        String memberId = words.get(1);
        boolean joins = words.get(0).equals("join");
        int epoch = switch (words.get(0)) {
            case "join" -> 0;
            case "leave" -> -1;
            case "away" -> -2;
            default -> options.containsKey("epoch") ? Integer.parseInt(options.get("epoch")) : text.epochOf(memberId);
        };
        String topics = options.get("topics");
        String timeout = options.get("timeout");
        return new ConsumerHeartbeat(
                GroupStory.GROUP,
                memberId.equals("-") ? "" : memberId,
                epoch,
                options.get("i"),
                options.get("rack"),
                timeout != null ? Integer.parseInt(timeout) : joins ? 60_000 : -1,
                topics == null ? null : topics.equals("none") ? List.of() : List.of(topics.split(",")),
                options.get("regex"),
                options.get("assignor"),
                joins && !options.containsKey("owns") ? Partitions.none() : partitions(options.get("owns")),
                new ClientInfo("client", "/10.0.0.1"),
                options.containsKey("version") ? Integer.parseInt(options.get("version")) : 1);
    }

    private static @Nullable Partitions<UUID> partitions(@Nullable String words) {
        if (words == null) {
            return null;
        }
        TreeMap<UUID, List<Integer>> partitions = new TreeMap<>();
        for (String part : words.equals("none") ? new String[0] : words.split(";")) {
            String[] topicAndNumbers = part.split(":");
            List<Integer> numbers = new ArrayList<>();
            for (String number : topicAndNumbers[1].split(",")) {
                numbers.add(Integer.valueOf(number));
            }
            partitions.put(GroupStory.idOf(topicAndNumbers[0]), numbers);
        }
        return Partitions.copyOf(partitions);
    }
}
