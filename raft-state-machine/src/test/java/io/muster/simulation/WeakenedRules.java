package io.muster.simulation;

/**
 * Rules that can be taken away to see that the simulation finds what they are for.
 *
 * @param wipedNodesVote whether a node with an empty disk votes before it has caught up
 */
record WeakenedRules(boolean wipedNodesVote) {
    static final WeakenedRules NONE = new WeakenedRules(false);
}
