package io.muster.core;

import java.util.List;

/**
 * Answers {@link GroupCommand.Inspect}: what an operator sees of a group.
 *
 * @param claim in words, for example {@code held as m1, generation 3}
 * @param waiting what the group waits for, for example a hand-over that needs a fence; empty if nothing
 */
public record GroupInspection(
        GroupDescription description, String claim, List<String> waiting, List<HistoryEntry> history)
        implements Response {}
