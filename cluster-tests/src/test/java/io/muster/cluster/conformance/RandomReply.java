package io.muster.cluster.conformance;

/** What a target answered to a random step, and what became of its group. */
record RandomReply(Words words, GroupPicture picture) {}
