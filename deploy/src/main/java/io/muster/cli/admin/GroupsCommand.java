package io.muster.cli.admin;

import io.muster.cli.admin.AdminOptions.Shown;
import io.muster.core.GroupInspection;
import io.muster.core.HistoryEntry;
import io.muster.rpc.proto.AdminServiceGrpc.AdminServiceBlockingStub;
import io.muster.rpc.proto.AdminWire;
import io.muster.runtime.GroupSummary;
import io.muster.wire.DescriptionCodec;
import io.muster.wire.ListingCodec;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code muster groups}. */
@Command(name = "groups", description = "Shows groups, and takes them away.")
public final class GroupsCommand {
    @Command(name = "list", description = "All groups that Muster owns.")
    int list(@Mixin AdminOptions options) {
        return options.look(stub -> show(stub.listGroups(AdminWire.ListGroupsRequest.getDefaultInstance())));
    }

    @Command(
            name = "describe",
            description =
                    "Members, epochs, current and target assignments side by side, the claim, what is waited for.")
    int describe(@Mixin AdminOptions options, @Parameters(paramLabel = "GROUP") String groupId) {
        return options.look(stub -> {
            GroupInspection group = inspect(stub, groupId);
            return new Shown(GroupText.describe(group), Json.write(GroupJson.describe(group)));
        });
    }

    @Command(
            name = "history",
            description = "Why and when the group rebalanced, the newest first; also of a group that is gone.")
    int history(@Mixin AdminOptions options, @Parameters(paramLabel = "GROUP") String groupId) {
        return options.look(stub -> {
            List<HistoryEntry> entries =
                    DescriptionCodec.decode(stub.groupHistory(request(groupId))).entries();
            return new Shown(GroupText.history(groupId, entries), Json.write(GroupJson.history(entries)));
        });
    }

    @Command(name = "delete", description = "Deletes an empty group from Muster. Its offsets stay on the brokers.")
    int delete(@Mixin AdminOptions options, @Parameters(paramLabel = "GROUP") String groupId) {
        return options.ask(stub -> {
            var unused = stub.deleteGroup(request(groupId));
            return done("Group " + groupId + " is deleted.", "deleted", groupId);
        });
    }

    @Command(name = "release", description = "Gives a group without members back to the brokers, offsets and all.")
    int release(@Mixin AdminOptions options, @Parameters(paramLabel = "GROUP") String groupId) {
        return options.ask(stub -> {
            var unused = stub.releaseGroup(request(groupId));
            return done("Group " + groupId + " is the brokers' again.", "released", groupId);
        });
    }

    @Command(
            name = "reset-topology",
            description =
                    "Lets the next member of a Streams group without members bring another topology. The offsets stay.")
    int resetTopology(@Mixin AdminOptions options, @Parameters(paramLabel = "GROUP") String groupId) {
        return options.ask(stub -> {
            var unused = stub.resetTopology(request(groupId));
            return done("The topology of group " + groupId + " is reset.", "reset", groupId);
        });
    }

    private static AdminWire.GroupRequest request(String groupId) {
        return AdminWire.GroupRequest.newBuilder().setGroupId(groupId).build();
    }

    private static Shown done(String text, String what, String groupId) {
        return new Shown(text, Json.write(Map.of(what, groupId)));
    }

    private static GroupInspection inspect(AdminServiceBlockingStub stub, String groupId) {
        return DescriptionCodec.decode(stub.inspectGroup(
                AdminWire.GroupRequest.newBuilder().setGroupId(groupId).build()));
    }

    private static Shown show(AdminWire.ListGroupsResponse response) {
        List<GroupSummary> groups = ListingCodec.decode(response.getGroupsList()).stream()
                .sorted(Comparator.comparing(GroupSummary::groupId))
                .toList();
        Table table = new Table("GROUP", "TYPE", "STATE", "EPOCH", "MEMBERS");
        groups.forEach(group -> table.row(
                group.groupId(),
                GroupText.name(group.type()),
                group.state().kafkaName(),
                group.groupEpoch(),
                group.members()));
        String text = table.toString();
        if (response.getMissingShardsCount() > 0) {
            text += System.lineSeparator() + "Not shown: the groups of shard(s) " + response.getMissingShardsList()
                    + ", which have no leader at the moment.";
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "groups",
                groups.stream()
                        .map(group -> Map.of(
                                "groupId", group.groupId(),
                                "type", GroupText.name(group.type()),
                                "state", group.state().kafkaName(),
                                "groupEpoch", group.groupEpoch(),
                                "members", group.members()))
                        .toList());
        json.put("missingShards", response.getMissingShardsList());
        return new Shown(text, Json.write(json));
    }
}
