package io.muster.simulation;

/**
 * Rules that can be taken away to see that the simulation finds what they are for.
 *
 * @param wipedNodesVote whether a node that has lost its disk begins with an empty log, and votes
 */
record WeakenedRules(boolean wipedNodesVote) {
    static final WeakenedRules NONE = new WeakenedRules(false);
}
