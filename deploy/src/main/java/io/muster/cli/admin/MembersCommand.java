package io.muster.cli.admin;

import io.muster.cli.admin.AdminOptions.Shown;
import io.muster.rpc.proto.AdminWire;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code muster members}. */
@Command(name = "members", description = "Takes members out of groups.")
public final class MembersCommand {
    @Command(name = "remove", description = "Removes a member; a client that is alive joins again.")
    int remove(
            @Mixin AdminOptions options,
            @Parameters(paramLabel = "GROUP") String groupId,
            @Parameters(paramLabel = "MEMBER", defaultValue = "", description = "Member id.") String memberId,
            @Option(names = "--instance", defaultValue = "", description = "Instance id of a static member.")
                    String instanceId) {
        if (memberId.isEmpty() && instanceId.isEmpty()) {
            throw options.wrongUsage("say which member: MEMBER or --instance");
        }
        return options.ask(stub -> {
            var unused = stub.removeMember(AdminWire.RemoveMemberRequest.newBuilder()
                    .setGroupId(groupId)
                    .setMemberId(memberId)
                    .setInstanceId(instanceId)
                    .build());
            String member = memberId.isEmpty() ? instanceId : memberId;
            return new Shown(
                    "Member " + member + " is removed from group " + groupId + ".",
                    Json.write(Map.of("groupId", groupId, "removed", member)));
        });
    }
}
