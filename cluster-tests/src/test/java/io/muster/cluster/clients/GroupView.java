package io.muster.cluster.clients;

import io.muster.cluster.nodes.MusterNode;
import io.muster.rpc.proto.AdminWire.GroupRequest;
import io.muster.rpc.proto.Wire.ConsumerDescription;
import io.muster.rpc.proto.Wire.Inspection;
import io.muster.rpc.proto.Wire.StreamsDescription;
import java.util.Set;
import java.util.stream.Collectors;

/** What must stay as it is when nodes fail: who is in the group, and its epoch. */
public record GroupView(String state, int epoch, Set<String> memberIds) {
    /** The group as the node describes it. */
    public static GroupView of(MusterNode asked, String group) {
        Inspection inspection = asked.admin()
                .inspectGroup(GroupRequest.newBuilder().setGroupId(group).build());
        return inspection.hasConsumer() ? of(inspection.getConsumer()) : of(inspection.getStreams());
    }

    private static GroupView of(ConsumerDescription group) {
        return new GroupView(
                group.getState(),
                group.getGroupEpoch(),
                group.getMembersList().stream()
                        .map(ConsumerDescription.Member::getMemberId)
                        .collect(Collectors.toSet()));
    }

    private static GroupView of(StreamsDescription group) {
        return new GroupView(
                group.getState(),
                group.getGroupEpoch(),
                group.getMembersList().stream()
                        .map(StreamsDescription.Member::getMemberId)
                        .collect(Collectors.toSet()));
    }
}
