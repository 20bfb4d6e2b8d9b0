package io.muster.core.consumer;

import io.muster.core.ClientInfo;
import io.muster.core.Command;
import io.muster.core.ConsumerCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupStory;
import io.muster.core.GroupType;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.StoryScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Plays stories of consumer groups. {@code join|beat|leave|away MEMBER [topics=foo,bar] [owns=foo:0,1;bar:0] [i=INSTANCE]
 * [name=value ...]} is a heartbeat, with the epoch that the member was told last.
 */
final class ConsumerStoryScript extends StoryScript {
    ConsumerStoryScript() {
        super(GroupType.CONSUMER, new ConsumerStoryWords());
    }

    @Override
    protected Command ownCommand(List<String> words) {
        if (words.get(0).equals("matches")) {
            return matches(words);
        }
        throw new IllegalArgumentException("no such step: " + words);
    }

    /** {@code matches PATTERN foo,bar} is what a gateway found for a pattern. */
    private static Command matches(List<String> words) {
        TreeMap<String, SortedSet<String>> found = new TreeMap<>();
        found.put(
                words.get(1),
                new TreeSet<>(words.size() > 2 ? List.of(words.get(2).split(",")) : List.of()));
        return new ConsumerCommand.PatternsResolved(GroupStory.GROUP, found);
    }

    @Override
    protected Command heartbeat(List<String> words, Map<String, String> options, int memberEpoch) {
        String memberId = words.get(1);
        String topics = options.get("topics");
        boolean ownsNothing = words.get(0).equals("join") && !options.containsKey("owns");
        return new ConsumerHeartbeat(
                new Sender(
                        GroupStory.GROUP,
                        memberId.equals("-") ? "" : memberId,
                        memberEpoch,
                        options.get("i"),
                        options.get("rack"),
                        timeout(words, options),
                        new ClientInfo("client", "/10.0.0.1"),
                        options.containsKey("version") ? Integer.parseInt(options.get("version")) : 1),
                topics == null ? null : topics.equals("none") ? List.of() : List.of(topics.split(",")),
                options.get("regex"),
                options.get("assignor"),
                ownsNothing ? Partitions.none() : partitions(options.get("owns")));
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
