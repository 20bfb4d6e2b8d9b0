package io.muster.simulation;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The upstream group coordinator: keeps Muster's one static member a group, and takes commits under its identity only. */
final class SimulatedUpstream {
    private final VirtualTime time;
    private final Map<String, ClaimIdentity> claims = new HashMap<>();
    private int lastMember;

    SimulatedUpstream(VirtualTime time) {
        this.time = time;
    }

    void start(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        if (time.chance(5)) {
            time.after(50, () -> report.accept(new ClaimOutcome.Unavailable("not reached")));
            return;
        }
        boolean answerLost = time.chance(5);
        time.after(1 + time.pick(20), () -> {
            ClaimOutcome outcome = execute(groupId, operation);
            time.after(
                    1 + time.pick(20),
                    () -> report.accept(answerLost ? new ClaimOutcome.Unavailable("answer lost") : outcome));
        });
    }

    private ClaimOutcome execute(String groupId, ClaimOperation operation) {
        if (operation instanceof ClaimOperation.Join join) {
            return new ClaimOutcome.Joined(renew(groupId), join.sessionTimeoutMillis());
        }
        if (operation instanceof ClaimOperation.Fence) {
            return new ClaimOutcome.Fenced(renew(groupId));
        }
        if (operation instanceof ClaimOperation.Leave leave) {
            claims.remove(groupId, leave.identity());
            return new ClaimOutcome.Left();
        }
        if (operation instanceof ClaimOperation.Look) {
            return new ClaimOutcome.Absent();
        }
        ClaimIdentity identity = ((ClaimOperation.Heartbeat) operation).identity();
        return identity.equals(claims.get(groupId))
                ? new ClaimOutcome.HeartbeatOk()
                : new ClaimOutcome.Lost("another member");
    }

    private ClaimIdentity renew(String groupId) {
        ClaimIdentity identity = new ClaimIdentity("claim-" + ++lastMember, 1);
        claims.put(groupId, identity);
        return identity;
    }

    /** Whether the broker takes a commit with this identity now. */
    boolean takes(String groupId, ClaimIdentity identity) {
        return identity.equals(claims.get(groupId));
    }
}
