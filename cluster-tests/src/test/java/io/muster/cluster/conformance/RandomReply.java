package io.muster.cluster.conformance;

/**
 * What a target answered to a random step, and what became of its group.
 *
 * @param errors the error codes of the answer
 * @param answer what else it said that does not depend on which partitions of a topic a member has
 */
record RandomReply(String errors, String answer, GroupPicture picture) {}
