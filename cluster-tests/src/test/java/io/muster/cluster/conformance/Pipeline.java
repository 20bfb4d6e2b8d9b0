package io.muster.cluster.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Requests that are sent in one write on one connection.
 *
 * @param number of the pipeline in its sequence, from 1
 * @param begin what happens before
 * @param end what happens to the connection
 */
record Pipeline(int number, Begin begin, List<Item> items, End end) {
    private static final int LONGEST = 5;
    private static final int OFFSETS = 100;
    private static final List<PipelinedAction> WEIGHTED = Arrays.stream(PipelinedAction.values())
            .flatMap(action -> Collections.nCopies(action.weight(), action).stream())
            .toList();

    Pipeline {
        items = List.copyOf(items);
    }

    /**
     * One request.
     *
     * @param member which member sends it, from 0
     */
    record Item(PipelinedAction action, int member) {}

    /**
     * What happens before the requests are sent.
     *
     * @param settle whether all members hear first of what they have
     * @param topic whether a topic is created that no commit has named before
     * @param connect whether the connection is a new one
     */
    record Begin(boolean settle, boolean topic, boolean connect) {}

    /** What becomes of the connection. */
    enum End {
        /** All answers are read. */
        ANSWERED,
        /** The client says that nothing more will come, and reads no answer. */
        SHUT_DOWN,
        /** The client is gone. */
        CLOSED
    }

    /**
     * Draws a pipeline of at least two requests, most of them of the same member.
     *
     * @param disconnects whether the client does not wait for the answers
     */
    static Pipeline draw(Random random, int number, boolean disconnects) {
        End end = !disconnects ? End.ANSWERED : random.nextBoolean() ? End.SHUT_DOWN : End.CLOSED;
        // A broker stops once it cannot answer any more: which request is the first one after that is a matter of
        // chance.
        int length = end == End.CLOSED ? 1 : 2 + random.nextInt(LONGEST - 1);
        int usual = random.nextInt(RandomMembers.MEMBERS);
        List<Item> items = new ArrayList<>();
        while (items.size() < length) {
            PipelinedAction action = WEIGHTED.get(random.nextInt(WEIGHTED.size()));
            int member = random.nextInt(4) > 0 ? usual : random.nextInt(RandomMembers.MEMBERS);
            if (!disconnects || action != PipelinedAction.COMMIT_IN_TRANSACTION) {
                items.add(new Item(action, member));
            }
        }
        Begin begin = new Begin(random.nextInt(3) == 0, random.nextInt(4) == 0, random.nextInt(3) == 0);
        return new Pipeline(number, begin, items, end);
    }

    /** A lower bound of all offsets that it commits, and above those of the pipelines before it. */
    long firstOffset() {
        return (long) number * OFFSETS;
    }

    /** What a request commits that comes there, from 0. */
    long offset(int position) {
        return firstOffset() + position + 1;
    }

    boolean has(PipelinedAction action) {
        return items.stream().anyMatch(item -> item.action() == action);
    }
}
