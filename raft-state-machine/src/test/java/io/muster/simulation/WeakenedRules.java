package io.muster.simulation;

/**
 * Rules that can be taken away to see that the simulation finds what they are for.
 *
 * @param wipedNodesVote whether a node with an empty disk votes before it has caught up
 * @param leftConnectionsAskNewLeaders whether a gateway still asks for a commit by a connection that its client has left when the
 *     leader that knew of the newer connection is gone; known to let a late commit through
 */
record WeakenedRules(boolean wipedNodesVote, boolean leftConnectionsAskNewLeaders) {
    static final WeakenedRules NONE = new WeakenedRules(false, false);
}
