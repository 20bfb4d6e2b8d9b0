package io.muster.runtime;

import io.muster.core.GroupState;
import io.muster.core.GroupType;

/** One group in a list. */
public record GroupSummary(String groupId, GroupType type, GroupState state, int groupEpoch, int members) {}
