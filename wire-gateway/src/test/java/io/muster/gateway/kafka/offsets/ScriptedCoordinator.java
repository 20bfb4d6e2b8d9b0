package io.muster.gateway.kafka.offsets;

import io.muster.core.ClaimIdentity;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Holds admissions back until the test answers them. */
final class ScriptedCoordinator implements GroupCoordinator {
    private record Asked(CommitCommand.Admit admit, CompletableFuture<Response> answer) {}

    final List<CommitCommand.Settled> settled = new ArrayList<>();
    final List<String> admissions = new ArrayList<>();
    final List<Long> agesMillis = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();

    int unanswered() {
        return asked.size();
    }

    void admitOne(ClaimIdentity identity) {
        asked.remove(0).answer().complete(new Response.CommitAdmitted(identity));
    }

    void admitLast(ClaimIdentity identity) {
        asked.remove(asked.size() - 1).answer().complete(new Response.CommitAdmitted(identity));
    }

    void admitAll(ClaimIdentity identity) {
        while (!asked.isEmpty()) {
            admitOne(identity);
        }
    }

    void refuseOne(GroupError error, boolean claimed) {
        asked.remove(0).answer().complete(new Response.CommitRefused(error, claimed));
    }

    /** The refusal of a coordinator that does not even know the group. */
    void refuse(GroupError error) {
        asked.remove(0).answer().complete(new Response.Refused(error, "not now"));
    }

    Set<CommitCommand.TopicPartition> partitionsOfLast() {
        return asked.get(asked.size() - 1).admit().partitions();
    }

    @Override
    public CompletableFuture<Response> ask(Command command) {
        if (command instanceof CommitCommand.Settled done) {
            settled.add(done);
            return CompletableFuture.completedFuture(new Response.Done());
        }
        Asked next = new Asked((CommitCommand.Admit) command, new CompletableFuture<>());
        admissions.add(next.admit().admissionId());
        agesMillis.add(next.admit().connection().ageMillis());
        asked.add(next);
        return next.answer();
    }
}
