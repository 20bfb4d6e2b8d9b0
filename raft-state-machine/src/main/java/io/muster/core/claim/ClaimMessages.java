package io.muster.core.claim;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome.Occupants;
import io.muster.core.Command;
import io.muster.core.Group;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.ClaimProgress;
import io.muster.core.StreamsHeartbeat;

/** The claim in words for people. */
final class ClaimMessages {
    private ClaimMessages() {}

    /** Why a member may not join a group that others live in upstream: in Kafka's words where Kafka refuses it too. */
    static String elsewhere(GroupDraft draft, Command join) {
        String id = draft.group().id();
        if (join instanceof StreamsHeartbeat) {
            return "Group " + id + " is not a streams group.";
        }
        LeaderMemory.ClaimTrouble trouble = Progress.of(draft).trouble();
        return switch (trouble.occupants().orElse(Occupants.CONSUMERS)) {
            case CONSUMERS ->
                "Group " + id + " is in use on the brokers and cannot be coordinated here: " + trouble.detail();
            case OTHER_CLASSIC_MEMBERS ->
                "Cannot upgrade classic group " + id
                        + " to consumer group because the group does not use the consumer embedded protocol.";
            case OTHER_TYPE -> "Group " + id + " is not a consumer group.";
        };
    }

    static String notYet(GroupDraft draft) {
        String trouble = Progress.of(draft).trouble().detail();
        return "The group is not claimed on the brokers yet" + (trouble.isEmpty() ? "." : ": " + trouble);
    }

    static String describe(Group group, LeaderMemory memory) {
        StringBuilder words = new StringBuilder(standing(group.claim(), memory.claim()));
        memory.claim().operation().ifPresent(operation -> words.append("; ").append(underWay(operation)));
        int inFlight = memory.commits().inFlight().size();
        if (inFlight > 0) {
            words.append("; ")
                    .append(inFlight)
                    .append(inFlight == 1 ? " commit" : " commits")
                    .append(" in flight");
        }
        if (group.claim() instanceof Claim.Held && !memory.commits().known()) {
            words.append("; hand-overs need a fence first");
        }
        LeaderMemory.ClaimTrouble trouble = memory.claim().trouble();
        if (trouble.failures() > 0) {
            words.append("; failed ")
                    .append(trouble.failures())
                    .append(" times in a row: ")
                    .append(trouble.detail());
        }
        return words.toString();
    }

    private static String standing(Claim claim, ClaimProgress progress) {
        if (claim instanceof Claim.Held held) {
            ClaimIdentity identity = held.identity();
            return "held as " + identity.memberId() + ", generation " + identity.generation();
        }
        if (claim instanceof Claim.Lost lost) {
            return "lost: " + lost.detail() + (lost.open() ? "; members give up what they have" : "");
        }
        return progress.locked() ? "locked, not durable yet" : "none";
    }

    private static String underWay(ClaimOperation operation) {
        if (operation instanceof ClaimOperation.Join) {
            return "being taken";
        }
        if (operation instanceof ClaimOperation.Fence) {
            return "fence under way";
        }
        if (operation instanceof ClaimOperation.Look) {
            return "looking whether the brokers have anything left of it";
        }
        return operation instanceof ClaimOperation.Leave ? "being given up" : "heartbeat under way";
    }
}
