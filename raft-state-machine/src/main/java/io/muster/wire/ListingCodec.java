package io.muster.wire;

import io.muster.rpc.proto.Wire;
import io.muster.runtime.GroupSummary;
import java.util.List;

/** Translates lists of groups. */
public final class ListingCodec {
    private ListingCodec() {}

    /** The message of some groups. */
    public static Wire.GroupListings encode(List<GroupSummary> groups) {
        Wire.GroupListings.Builder message = Wire.GroupListings.newBuilder();
        groups.forEach(group -> message.addGroups(Wire.GroupListing.newBuilder()
                .setGroupId(group.groupId())
                .setType(NameCodec.encode(group.type()))
                .setState(group.state().name())
                .setGroupEpoch(group.groupEpoch())
                .setMembers(group.members())));
        return message.build();
    }

    /** The groups of a message; {@link InvalidFrameException} if it holds what this version does not know. */
    public static List<GroupSummary> decode(List<Wire.GroupListing> messages) {
        return messages.stream()
                .map(message -> new GroupSummary(
                        message.getGroupId(),
                        NameCodec.decode(message.getType()),
                        NameCodec.decodeState(message.getState()),
                        message.getGroupEpoch(),
                        message.getMembers()))
                .toList();
    }
}
