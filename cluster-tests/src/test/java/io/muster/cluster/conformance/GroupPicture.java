package io.muster.cluster.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A described group, in what is the same whichever partitions of a topic, or tasks of a subtopology, a member has.
 *
 * @param facts what no assignment changes: error, group and assignment epoch, and what each member told about itself
 * @param state of the group
 * @param epochs of the members
 * @param mixed whether members subscribe to different topics
 * @param balanced whether nothing could go to another member that may have it and has two less
 * @param shares how much the members have as target, the lowest number first
 * @param moves for each topic how many partitions go from which member to which
 * @param doubles partitions that two members may use: none
 */
record GroupPicture(
        String facts,
        String state,
        SortedMap<String, Integer> epochs,
        boolean mixed,
        boolean balanced,
        List<Integer> shares,
        SortedMap<String, Integer> moves,
        List<String> doubles) {
    private static final String TO_NOBODY = " to nobody";
    private static final Pattern GROUP_EPOCH = Pattern.compile("group epoch (\\d+)");

    /** Whether a member has not reached the group's epoch. */
    boolean hasMemberBehind() {
        Matcher groupEpoch = GROUP_EPOCH.matcher(facts);
        return groupEpoch.find()
                && epochs.values().stream().anyMatch(epoch -> epoch < Integer.parseInt(groupEpoch.group(1)));
    }

    /** The picture as long as the broker does not show how many partitions internal topics have. */
    GroupPicture withoutCounts() {
        String uncounted = facts.replaceAll("\"partitions\":\\d+", "\"partitions\":0");
        return new GroupPicture(uncounted, state, epochs, mixed, balanced, shares, moves, doubles);
    }

    /** Whether both groups are alike but for who has how much. */
    boolean agreesWith(GroupPicture other) {
        return facts.equals(other.facts)
                && state.equals(other.state)
                && epochs.equals(other.epochs)
                && doubles.equals(other.doubles);
    }

    /**
     * Whether the same is shared out: alike, more evenly, or evenly in another way if members may have different things, since
     * then there are several.
     */
    boolean isSharedLike(GroupPicture other) {
        boolean even = mixed ? balanced : unevenness() < other.unevenness();
        return shares.equals(other.shares) || (inAll() == other.inAll() && even);
    }

    private int unevenness() {
        return shares.stream().mapToInt(share -> share * share).sum() + ofWhoLeft() * ofWhoLeft();
    }

    private int inAll() {
        return shares.stream().mapToInt(share -> share).sum() + ofWhoLeft();
    }

    /** How much is nobody's as long as no target was made without the member that had it and left. */
    private int ofWhoLeft() {
        return state.equals("Assigning")
                ? moves.entrySet().stream()
                        .filter(move -> move.getKey().endsWith(TO_NOBODY))
                        .mapToInt(Map.Entry::getValue)
                        .sum()
                : 0;
    }

    /** Takes the members of a group in, one by one. */
    static final class Painter {
        private final SortedMap<String, Integer> epochs = new TreeMap<>();
        private final SortedMap<String, String> owners = new TreeMap<>();
        private final SortedMap<String, String> targets = new TreeMap<>();
        private final Map<String, Integer> shares = new HashMap<>();
        private final Map<String, Set<String>> subscriptions = new HashMap<>();
        private final List<String> doubles = new ArrayList<>();
        private final SortedMap<String, Integer> notes = new TreeMap<>();

        /** @param topics that the member may have something of */
        void subscribe(String member, Set<String> topics) {
            subscriptions.put(member, topics);
        }

        /**
         * @param owned each ends with a slash and the number of the partition
         * @param target likewise
         */
        void add(String member, int epoch, List<String> owned, List<String> target) {
            epochs.put(member, epoch);
            for (String partition : owned) {
                if (owners.put(partition, member) != null) {
                    doubles.add(partition);
                }
            }
            target.forEach(partition -> targets.put(partition, member));
            shares.put(member, target.size());
        }

        /** A number of which the assignor may choose who has it. */
        void note(String what, int number) {
            notes.put(what, number);
        }

        /** Something that must not be. */
        void complain(String what) {
            doubles.add(what);
        }

        GroupPicture paint(String facts, String state) {
            boolean mixed = new HashSet<>(subscriptions.values()).size() > 1;
            List<Integer> sorted = shares.values().stream().sorted().toList();
            return new GroupPicture(facts, state, epochs, mixed, isBalanced(), sorted, moves(), doubles);
        }

        private boolean isBalanced() {
            return targets.entrySet().stream()
                    .noneMatch(target -> subscriptions.entrySet().stream()
                            .anyMatch(other -> other.getValue().contains(topicOf(target.getKey()))
                                    && shares.get(target.getValue()) - shares.get(other.getKey()) > 1));
        }

        private static String topicOf(String partition) {
            return partition.substring(0, partition.lastIndexOf('/'));
        }

        private SortedMap<String, Integer> moves() {
            Map<String, String> all = new HashMap<>(owners);
            all.putAll(targets);
            SortedMap<String, Integer> moves = new TreeMap<>(notes);
            for (String partition : all.keySet()) {
                String target = targets.containsKey(partition) ? " to " + targets.get(partition) : TO_NOBODY;
                String move = topicOf(partition) + ": " + owners.getOrDefault(partition, "nobody") + target;
                moves.merge(move, 1, Integer::sum);
            }
            return moves;
        }
    }
}
