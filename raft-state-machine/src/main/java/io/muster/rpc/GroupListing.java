package io.muster.rpc;

import io.muster.core.GroupState;
import io.muster.core.GroupType;

/**
 * A group in a list.
 *
 * @param members number of members
 */
public record GroupListing(String groupId, GroupType type, GroupState state, int groupEpoch, int members) {}
