package io.muster.core;

/**
 * Who Muster's member is upstream at the moment: what a commit must carry to be taken.
 *
 * @param generation the classic group's generation
 */
public record ClaimIdentity(String memberId, int generation) {}
