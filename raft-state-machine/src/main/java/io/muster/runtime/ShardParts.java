package io.muster.runtime;

import io.muster.core.GroupEngine;
import io.muster.core.InternalCommand;
import java.util.concurrent.CompletableFuture;

/** What the parts of a shard's leader share. Confined to the shard's thread, but for the ports and the counters. */
record ShardParts(
        int shard,
        ShardPorts ports,
        ShardInbox inbox,
        GroupReader reader,
        GroupMailboxes mailboxes,
        GroupTimers timers,
        ShardTopics topics,
        AdmissionClock admissions,
        ShardCounters counters) {

    /** @param afterTasks what the shard does once the tasks that came together are run */
    static ShardParts of(int shard, GroupEngine engine, ShardPorts ports, Runnable afterTasks) {
        ShardCounters counters = new ShardCounters();
        ShardInbox inbox = new ShardInbox(shard, ports.timers(), counters, afterTasks);
        return new ShardParts(
                shard,
                ports,
                inbox,
                new GroupReader(shard, engine, ports),
                new GroupMailboxes(),
                new GroupTimers(ports.clock(), ports.timers(), inbox::wakeUp),
                new ShardTopics(ports.topics()),
                new AdmissionClock(shard, ports.announcements()::connectionRecorded),
                counters);
    }

    /** Puts a command of the leader's own into its group's mailbox. */
    void deliver(InternalCommand command) {
        GroupMailbox mailbox = mailboxes.of(command.groupId());
        mailbox.add(pending(command));
        mailboxes.touch(mailbox);
    }

    /** A command of the leader's own, which nobody waits for. */
    PendingCommand pending(InternalCommand command) {
        long now = ports.clock().monotonicMillis();
        return new PendingCommand(command, now, now, "", new CompletableFuture<>());
    }
}
