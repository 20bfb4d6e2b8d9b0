package io.muster.simulation;

import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Now and then throws everybody out of a group and deletes it; the members find it gone and found it again. */
final class SimulatedOperator {
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final String groupId;
    private final List<MemberKey> members;

    SimulatedOperator(SimulatedCluster cluster, String groupId, List<String> memberIds) {
        this.time = cluster.time();
        this.cluster = cluster;
        this.groupId = groupId;
        this.members = memberIds.stream().map(id -> new MemberKey(id, "")).toList();
        time.after(5_000 + time.pick(20_000), this::act);
    }

    private void act() {
        if (time.chance(50)) {
            CompletableFuture<Response> unused = cluster.submit(new GroupCommand.RemoveMembers(groupId, members, true));
            CompletableFuture<Response> unusedToo = cluster.submit(new GroupCommand.Delete(groupId));
        }
        time.after(5_000 + time.pick(30_000), this::act);
    }
}
