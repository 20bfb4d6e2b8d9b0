package io.muster.raft;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.UnknownRecordException;
import io.muster.runtime.LogEntry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What may enter a shard's log, and what in it is passed over. An entry that is committed and that no node can apply would stop them
 * all, at each start again: so only what this process's own leader proposes is appended, and only after it was read once.
 */
final class EntryAdmission {
    /** Changes nothing, whoever appends it: a node that needs an entry to be caught up with asks the leader for one. */
    static final ByteString NOTHING =
            UnsafeByteOperations.unsafeWrap(LogEntryCodec.encode(new LogEntry(0, 0, List.of())));

    private final int shard;
    private final ClientId self;
    private final Set<SkippedEntry> skipped;

    /** @param self who proposes for this process's leader */
    EntryAdmission(int shard, ClientId self, Set<SkippedEntry> skipped) {
        this.shard = shard;
        this.self = self;
        this.skipped = Set.copyOf(skipped);
    }

    /** Why a request is not appended; empty if it is. */
    Optional<String> refusal(RaftClientRequest request) {
        ByteString content = request.getMessage().getContent();
        if (content.equals(NOTHING)) {
            return Optional.empty();
        }
        if (!request.getClientId().equals(self)) {
            return Optional.of("only the leader itself appends to shard " + shard);
        }
        return unreadable(content.toByteArray());
    }

    private static Optional<String> unreadable(byte[] bytes) {
        try {
            LogEntryCodec.requireReadable(bytes);
            return Optional.empty();
        } catch (UnknownRecordException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    boolean isSkipped(long term, long index) {
        return skipped.contains(new SkippedEntry(shard, term, index));
    }

    /** Tells an operator what to do about an entry that cannot be applied. */
    String cannotBeApplied(long term, long index) {
        SkippedEntry named = new SkippedEntry(shard, term, index);
        return "entry " + index + " of term " + term + " in the log of shard " + shard + " cannot be applied. If every"
                + " node stops on it, what it changes can be given up: start every node with 'muster server --skip-entry "
                + named + "'";
    }
}
