package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.StreamsHeartbeat;
import io.muster.rpc.proto.Wire;
import io.muster.wire.ClaimCodec;
import io.muster.wire.CommandCodec;
import io.muster.wire.MutatedBytes;
import io.muster.wire.RandomValues;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames of any bytes on a gateway's stream: they are carried out or end the stream, and nothing escapes. */
class GatewayStreamFuzzTest {
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 5_000);
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 0);
    private static final List<Class<? extends Command>> COMMANDS =
            List.of(ConsumerHeartbeat.class, StreamsHeartbeat.class, GroupCommand.class, CommitCommand.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final OneShard shard = new OneShard();
    private final ConnectedGateways gateways = new ConnectedGateways(shard, timer);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void frames_thatAreMutated_areCarriedOutOrEndTheirStream() {
        int carriedOut = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = MutatedBytes.of(frame(random).toByteArray(), random);
            Wire.GatewayFrame frame;
            try {
                frame = Wire.GatewayFrame.parseFrom(bytes);
            } catch (InvalidProtocolBufferException e) {
                continue;
            }
            GatewayStream stream = welcomed();
            try {
                stream.onNext(frame);
                carriedOut++;
            } catch (RuntimeException | Error e) {
                fail("seed " + seed + ": " + HexFormat.of().formatHex(bytes), e);
            }
            stream.onCompleted();
        }
        assertThat(carriedOut).isPositive();
        assertThat(gateways.count()).isZero();
    }

    private GatewayStream welcomed() {
        GatewayStream stream = new GatewayStream(new RecordedFrames(), gateways, shard, OneShard.NODE);
        stream.onNext(OneShard.hello("gateway"));
        return stream;
    }

    private static Wire.GatewayFrame frame(Random random) {
        RandomValues values = new RandomValues(random.nextLong());
        Wire.GatewayFrame.Builder frame = Wire.GatewayFrame.newBuilder();
        return switch (random.nextInt(6)) {
            case 0 ->
                frame.setClaimReport(Wire.ClaimReport.newBuilder()
                                .setOperationId(1)
                                .setOutcome(ClaimCodec.encode(values.next(ClaimOutcome.class))))
                        .build();
            case 1 ->
                frame.setRequest(Wire.Request.newBuilder().setCorrelationId(1).setListShard(random.nextInt(3)))
                        .build();
            default ->
                frame.setRequest(Wire.Request.newBuilder()
                                .setCorrelationId(1)
                                .setCommand(CommandCodec.encode(values.next(COMMANDS.get(random.nextInt(4))))))
                        .build();
        };
    }
}
