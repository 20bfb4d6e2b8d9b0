package io.muster.core;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupStory.Scene;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads and plays a story: {@code > step} lines are played, and what followed is written under them; {@code &} joins commands that
 * are decided together.
 */
public abstract class StoryScript {
    private final GroupStory story = new GroupStory();
    private final StoryText text;
    private final GroupType type;

    protected StoryScript(GroupType type, StoryText.Words words) {
        this.type = type;
        this.text = new StoryText(words);
    }

    /** A heartbeat as {@code join|beat|leave|away MEMBER} begins, at this epoch. */
    protected abstract Command heartbeat(List<String> words, Map<String, String> options, int memberEpoch);

    /** A command that only groups of this type are given; {@link IllegalArgumentException} if there is none. */
    protected abstract Command ownCommand(List<String> words);

    /** Reads a line that defines something for the steps after it; returns whether it is one. */
    protected boolean define(String line) {
        return false;
    }

    /** The script again, with what followed each step. */
    public final String play(String script) {
        StringBuilder out = new StringBuilder();
        for (String line : script.split("\n")) {
            if (line.startsWith("> ")) {
                out.append(line).append('\n');
                step(line.substring(2))
                        .forEach(scene -> text.lines(scene)
                                .forEach(shown -> out.append("  ").append(shown).append('\n')));
            } else if (line.startsWith("#") || line.isBlank() || define(line)) {
                out.append(line).append('\n');
            }
        }
        return out.toString();
    }

    private List<Scene> step(String step) {
        List<String> words = List.of(step.split(" "));
        return switch (words.get(0)) {
            case "time" -> story.pass(Long.parseLong(words.get(1)));
            case "new-leader" -> story.newLeader();
            case "topics-created" -> done(story::topicsAreCreated);
            case "wall-clock" -> done(() -> story.wallClockJumps(Long.parseLong(words.get(1))));
            case "impatience" -> story.losePatience();
            case "compute-aside" -> done(story::computeAside);
            case "computed" -> story.compute();
            case "upstream" -> story.upstream(words.get(1));
            case "topics" -> topics(words);
            default ->
                story.decide(Stream.of(step.split(" & "))
                        .map(one -> command(List.of(one.split(" "))))
                        .toList());
        };
    }

    private static List<Scene> done(Runnable step) {
        step.run();
        return List.of();
    }

    /** {@code foo=2} exists, {@code foo=2@a,b+c} with a rack or more for each partition; {@code foo=-} is absent, {@code foo=?} unknown. */
    private List<Scene> topics(List<String> words) {
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
            case "join", "beat", "leave", "away" -> heartbeat(words, options, epoch(words, options));
            case "describe" -> new GroupCommand.Describe(group, type);
            case "inspect" -> new GroupCommand.Inspect(group);
            case "config" -> config(words.get(1));
            case "remove" ->
                new GroupCommand.RemoveMembers(
                        group,
                        List.of(new GroupCommand.MemberKey(
                                words.get(1).equals("-") ? "" : words.get(1), options.getOrDefault("i", ""))),
                        true);
            case "shorten" -> new GroupCommand.ShortenSession(group, words.get(1));
            case "delete" -> new GroupCommand.Delete(group);
            case "commit" -> commit(words, options);
            case "fetch" -> new CommitCommand.AdmitFetch(group, words.get(1), Integer.parseInt(words.get(2)));
            case "settled" -> new CommitCommand.Settled(group, words.get(1), false);
            default -> ownCommand(words);
        };
    }

    /** The epoch that the member was told last, unless the step says another. */
    private int epoch(List<String> words, Map<String, String> options) {
        return switch (words.get(0)) {
            case "join" -> MemberHeartbeat.JOIN_EPOCH;
            case "leave" -> MemberHeartbeat.LEAVE_EPOCH;
            case "away" -> MemberHeartbeat.TEMPORARY_LEAVE_EPOCH;
            default ->
                options.containsKey("epoch") ? Integer.parseInt(options.get("epoch")) : text.epochOf(words.get(1));
        };
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
    private static Command commit(List<String> words, Map<String, String> options) {
        return new CommitCommand.Admit(
                GroupStory.GROUP,
                words.get(1),
                CommitCommand.Connection.justOpened(options.getOrDefault("via", words.get(2))),
                new CommitCommand.Committer(words.get(2), "", Integer.parseInt(words.get(3))),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(new TopicPartition(words.get(4), Integer.parseInt(words.get(5)))));
    }

    /** The rebalance timeout of a heartbeat, milliseconds; -1 if it says none. */
    protected static int timeout(List<String> words, Map<String, String> options) {
        String timeout = options.get("timeout");
        if (timeout != null) {
            return Integer.parseInt(timeout);
        }
        return words.get(0).equals("join") ? 60_000 : -1;
    }
}
