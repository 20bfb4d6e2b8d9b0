package io.muster.raft;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.muster.raft.proto.JoinWire.CompareReply;
import io.muster.raft.proto.JoinWire.CompareRequest;
import io.muster.raft.proto.JoinWire.CopiedFile;
import io.muster.raft.proto.JoinWire.CopyReply;
import io.muster.raft.proto.JoinWire.CopyRequest;
import io.muster.raft.proto.JoinWire.EndReply;
import io.muster.raft.proto.JoinWire.EndRequest;
import io.muster.raft.proto.JoinWire.ReadReply;
import io.muster.raft.proto.JoinWire.ReadRequest;
import io.muster.raft.proto.JoinWire.StandingReply;
import io.muster.raft.proto.JoinWire.StandingRequest;
import io.muster.storage.AppliedIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;

/** Tells other members where this one stands, gives copies of a shard to those that hold nothing, and compares entries. */
final class JoinService {
    private static final int CHUNK_BYTES = 1 << 20;

    /** What this node says of itself. */
    interface Shards {
        /** @throws IOException if it cannot say at the moment */
        Standing standing(UUID group) throws IOException;

        /** Copies a shard into a directory that does not exist yet; empty if less than {@code atLeast} is applied. */
        Optional<AppliedIndex> copy(UUID group, long atLeast, Path target) throws IOException;

        /**
         * Whether the entry that a member has applied is this node's, if this node leads in the member's term or a later one.
         *
         * @throws IOException if it cannot say at the moment
         */
        Agreement compare(UUID group, TermIndex applied, long currentTerm) throws IOException;

        /** A member asked, so it is up now. */
        void asked(String id);
    }

    private interface Handler {
        MessageLite answer(byte[] request) throws IOException;
    }

    private final Shards shards;
    private final Path copies;
    /** The last copy that each member asked for, by its id. */
    private final Map<String, String> copyOf = new ConcurrentHashMap<>();

    /** @param copies a directory for nothing else, which is emptied */
    JoinService(Shards shards, Path copies) throws IOException {
        this.shards = shards;
        this.copies = copies;
        FileTrees.delete(copies);
    }

    ServerServiceDefinition definition() {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(JoinCalls.SERVICE);
        add(service, JoinCalls.STANDING, this::standing);
        add(service, JoinCalls.COPY, this::copy);
        add(service, JoinCalls.READ, this::read);
        add(service, JoinCalls.END, this::end);
        add(service, JoinCalls.COMPARE, this::compare);
        return service.build();
    }

    private static void add(
            ServerServiceDefinition.Builder service, MethodDescriptor<byte[], byte[]> method, Handler handler) {
        service.addMethod(method, ServerCalls.asyncUnaryCall((request, reply) -> {
            try {
                reply.onNext(handler.answer(request).toByteArray());
                reply.onCompleted();
            } catch (IOException | RuntimeException e) {
                reply.onError(Status.UNAVAILABLE
                        .withDescription(String.valueOf(e.getMessage()))
                        .asRuntimeException());
            }
        }));
    }

    private StandingReply standing(byte[] bytes) throws IOException {
        StandingRequest request = StandingRequest.parseFrom(bytes);
        Standing standing = shards.standing(uuid(request.getGroup()));
        shards.asked(request.getAsker());
        return StandingReply.newBuilder()
                .setKind(kind(standing))
                .setTerm(standing.term())
                .setLastIndex(standing.lastIndex())
                .build();
    }

    private static StandingReply.Kind kind(Standing standing) {
        return switch (standing.kind()) {
            case NOTHING -> StandingReply.Kind.NOTHING;
            case FOLLOWS -> StandingReply.Kind.FOLLOWS;
            case LEADS -> StandingReply.Kind.LEADS;
            case LOST -> StandingReply.Kind.LOST;
            case VOTE_LOST -> StandingReply.Kind.VOTE_LOST;
        };
    }

    private CopyReply copy(byte[] bytes) throws IOException {
        CopyRequest request = CopyRequest.parseFrom(bytes);
        String id = UUID.randomUUID().toString();
        endFormer(request.getAsker(), id);
        Files.createDirectories(copies);
        Optional<AppliedIndex> at = shards.copy(uuid(request.getGroup()), request.getAtLeast(), copies.resolve(id));
        CopyReply.Builder reply = CopyReply.newBuilder();
        if (at.isPresent()) {
            reply.setCopyId(id).setTerm(at.get().term()).setIndex(at.get().index());
            for (Path file : FileTrees.list(copies.resolve(id))) {
                reply.addFiles(CopiedFile.newBuilder()
                        .setName(file.getFileName().toString())
                        .setBytes(Files.size(file)));
            }
        }
        return reply.build();
    }

    /** A member reads one copy at a time, so one of its former ones was abandoned: it died, or its last call did not come through. */
    private void endFormer(String asker, String id) throws IOException {
        String former = copyOf.put(asker, id);
        if (former != null) {
            FileTrees.delete(copies.resolve(former));
        }
    }

    private ReadReply read(byte[] bytes) throws IOException {
        ReadRequest request = ReadRequest.parseFrom(bytes);
        Path file = copies.resolve(uuid(request.getCopyId()).toString())
                .resolve(Path.of(request.getFile()).getFileName());
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(file)) {
            int read = 0;
            while (read >= 0 && chunk.hasRemaining()) {
                read = channel.read(chunk, request.getOffset() + chunk.position());
            }
        }
        return ReadReply.newBuilder().setData(ByteString.copyFrom(chunk.flip())).build();
    }

    private EndReply end(byte[] bytes) throws IOException {
        FileTrees.delete(
                copies.resolve(uuid(EndRequest.parseFrom(bytes).getCopyId()).toString()));
        return EndReply.getDefaultInstance();
    }

    private CompareReply compare(byte[] bytes) throws IOException {
        CompareRequest request = CompareRequest.parseFrom(bytes);
        TermIndex applied = TermIndex.valueOf(request.getTerm(), request.getIndex());
        Agreement agreement = shards.compare(uuid(request.getGroup()), applied, request.getCurrentTerm());
        return CompareReply.newBuilder()
                .setAgreement(
                        switch (agreement) {
                            case UNKNOWN -> CompareReply.Agreement.UNKNOWN;
                            case AGREES -> CompareReply.Agreement.AGREES;
                            case CONTRADICTS -> CompareReply.Agreement.CONTRADICTS;
                        })
                .build();
    }

    private static UUID uuid(String text) throws IOException {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidProtocolBufferException("no UUID");
        }
    }
}
