package io.muster.raft;

import io.muster.codec.LogEntryCodec;
import io.muster.core.Limits;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.TooLarge;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.ReplicatedLog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/** The log of one shard, written from within the leader's own process: in order, and without a client's window. */
final class RatisReplicatedLog implements ReplicatedLog {
    private final ClientId clientId;
    private final RaftPeerId selfId;
    private final RaftServer.Division division;

    /** @param clientId from whom {@link EntryAdmission} takes entries */
    RatisReplicatedLog(RaftServer.Division division, ClientId clientId) {
        this.clientId = clientId;
        this.division = division;
        this.selfId = division.getId();
    }

    @Override
    public CompletableFuture<ProposalOutcome> propose(LogEntry entry) {
        byte[] bytes = LogEntryCodec.encode(entry);
        if (bytes.length > Limits.DEFAULT.entryBytes()) {
            return CompletableFuture.completedFuture(new TooLarge(bytes.length, Limits.DEFAULT.entryBytes()));
        }
        Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes));
        return submit(message, RaftClientRequest.writeRequestType())
                .handle((reply, failure) -> outcome(entry, reply, failure));
    }

    private static ProposalOutcome outcome(
            LogEntry entry, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        if (reply == null || failure != null) {
            return new Unknown(String.valueOf(failure));
        }
        if (!reply.isSuccess()) {
            return new Unknown(String.valueOf(reply.getException()));
        }
        List<Verdict> verdicts = VerdictCodec.decode(reply.getMessage().getContent());
        return verdicts.size() == entry.batches().size() ? new Judged(verdicts) : new Unknown("not applied here");
    }

    @Override
    public CompletableFuture<Boolean> confirmLeadership(long term) {
        return submit(Message.EMPTY, RaftClientRequest.readRequestType())
                .handle((reply, failure) -> failure == null
                        && reply != null
                        && reply.isSuccess()
                        && division.getInfo().getCurrentTerm() == term);
    }

    private CompletableFuture<RaftClientReply> submit(Message message, RaftClientRequest.Type type) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(selfId)
                .setGroupId(division.getGroup().getGroupId())
                .setCallId(CallId.getAndIncrement())
                .setMessage(message)
                .setType(type)
                .build();
        try {
            return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
