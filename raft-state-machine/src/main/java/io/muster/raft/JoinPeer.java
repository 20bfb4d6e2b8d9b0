package io.muster.raft;

import com.google.protobuf.MessageLite;
import io.muster.raft.proto.JoinWire.CompareReply;
import io.muster.raft.proto.JoinWire.CompareRequest;
import io.muster.raft.proto.JoinWire.CopiedFile;
import io.muster.raft.proto.JoinWire.CopyReply;
import io.muster.raft.proto.JoinWire.CopyRequest;
import io.muster.raft.proto.JoinWire.EndRequest;
import io.muster.raft.proto.JoinWire.ReadReply;
import io.muster.raft.proto.JoinWire.ReadRequest;
import io.muster.raft.proto.JoinWire.StandingReply;
import io.muster.raft.proto.JoinWire.StandingRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Another member, asked by a node that lacks something or doubts what it has. Blocks; every call fails with an {@link IOException}. */
final class JoinPeer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JoinPeer.class);
    private static final long STANDING_MILLIS = 1_000;
    private static final long COPY_MILLIS = 60_000;

    private final String selfId;
    private final ManagedChannel channel;

    /** @param address host and port of its Raft server */
    JoinPeer(String selfId, String address) {
        this.selfId = selfId;
        this.channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    }

    /** Where it stands with this shard now; within a second. */
    Standing standing(UUID group) throws IOException {
        channel.resetConnectBackoff();
        StandingReply reply = StandingReply.parseFrom(call(
                JoinCalls.STANDING,
                StandingRequest.newBuilder()
                        .setGroup(group.toString())
                        .setAsker(selfId)
                        .build(),
                STANDING_MILLIS));
        return new Standing(kind(reply), reply.getTerm(), reply.getLastIndex());
    }

    /**
     * Whether its log holds an entry that this node has applied; within a second.
     *
     * @param currentTerm this node's
     */
    Agreement compare(UUID group, TermIndex applied, long currentTerm) throws IOException {
        CompareReply reply = CompareReply.parseFrom(call(
                JoinCalls.COMPARE,
                CompareRequest.newBuilder()
                        .setGroup(group.toString())
                        .setTerm(applied.getTerm())
                        .setIndex(applied.getIndex())
                        .setCurrentTerm(currentTerm)
                        .build(),
                STANDING_MILLIS));
        return switch (reply.getAgreement()) {
            case AGREES -> Agreement.AGREES;
            case CONTRADICTS -> Agreement.CONTRADICTS;
            case UNKNOWN, UNRECOGNIZED -> Agreement.UNKNOWN;
        };
    }

    private static Standing.Kind kind(StandingReply reply) throws IOException {
        return switch (reply.getKind()) {
            case NOTHING -> Standing.Kind.NOTHING;
            case FOLLOWS -> Standing.Kind.FOLLOWS;
            case LEADS -> Standing.Kind.LEADS;
            case LOST -> Standing.Kind.LOST;
            case VOTE_LOST -> Standing.Kind.VOTE_LOST;
            case UNRECOGNIZED -> throw new IOException("an unknown standing");
        };
    }

    /** Copies what it has applied of a shard to this node's place for it; empty if that is less than {@code atLeast}. */
    Optional<TermIndex> copy(long atLeast, ShardPlace place) throws IOException {
        CopyReply copy = CopyReply.parseFrom(call(
                JoinCalls.COPY,
                CopyRequest.newBuilder()
                        .setGroup(place.group().toString())
                        .setAtLeast(atLeast)
                        .setAsker(selfId)
                        .build(),
                COPY_MILLIS));
        if (copy.getCopyId().isEmpty()) {
            return Optional.empty();
        }
        TermIndex index = TermIndex.valueOf(copy.getTerm(), copy.getIndex());
        Path snapshot = place.newSnapshot(index);
        for (CopiedFile file : copy.getFilesList()) {
            read(
                    copy.getCopyId(),
                    file,
                    snapshot.resolve(Path.of(file.getName()).getFileName()));
        }
        end(copy.getCopyId());
        return Optional.of(index);
    }

    /** The copy is complete: whether the other member knows that it may delete its own is no matter here. */
    private void end(String copyId) {
        try {
            call(JoinCalls.END, EndRequest.newBuilder().setCopyId(copyId).build(), COPY_MILLIS);
        } catch (IOException e) {
            LOG.debug("copy {} is not ended", copyId, e);
        }
    }

    private void read(String copyId, CopiedFile file, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            long offset = 0;
            while (offset < file.getBytes()) {
                byte[] chunk = ReadReply.parseFrom(call(
                                JoinCalls.READ,
                                ReadRequest.newBuilder()
                                        .setCopyId(copyId)
                                        .setFile(file.getName())
                                        .setOffset(offset)
                                        .build(),
                                COPY_MILLIS))
                        .getData()
                        .toByteArray();
                if (chunk.length == 0) {
                    throw new IOException(file.getName() + " ends after " + offset + " bytes");
                }
                out.write(chunk);
                offset += chunk.length;
            }
        }
    }

    private byte[] call(MethodDescriptor<byte[], byte[]> method, MessageLite request, long timeoutMillis)
            throws IOException {
        try {
            return ClientCalls.blockingUnaryCall(
                    channel,
                    method,
                    CallOptions.DEFAULT.withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS),
                    request.toByteArray());
        } catch (StatusRuntimeException e) {
            throw new IOException(e.getStatus().toString(), e);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
