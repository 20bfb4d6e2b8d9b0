package io.muster.core;

import java.util.List;

/**
 * How a cluster tells its own claims upstream from those of another cluster of the same name: of one that was founded anew, cloned,
 * or restored from a backup. Each leadership of a shard puts a mark of its own into the log before it claims anything, and its
 * claims carry that mark. A mark that the log does not know was made by somebody else.
 *
 * @param current goes into the claims that are made now; empty while the shard has none, and then nothing is told apart
 * @param known the marks of this leadership and of those before it, oldest first
 * @param takesOver whether an operator lets this cluster take claims away from another one of its name
 */
public record ClaimMarks(String current, List<String> known, boolean takesOver) {
    /** Tells nothing apart. */
    public static final ClaimMarks NONE = new ClaimMarks("", List.of(), false);

    public ClaimMarks {
        known = List.copyOf(known);
    }

    /**
     * Whether a claim with this mark is another cluster's, and has to be left alone.
     *
     * @param found empty if the claim carries none
     */
    public boolean forbid(String found) {
        return !takesOver && !current.isEmpty() && !found.isEmpty() && !known.contains(found);
    }
}
