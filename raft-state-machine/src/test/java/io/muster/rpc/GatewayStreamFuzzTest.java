package io.muster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.ValueCodec;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TopicInfo;
import io.muster.rpc.proto.Wire;
import io.muster.wire.ClaimCodec;
import io.muster.wire.CommandCodec;
import io.muster.wire.MutatedBytes;
import io.muster.wire.RandomValues;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.statistics.Statistics;

/**
 * Frames of any bytes on a gateway's stream: they are carried out or end the stream, and nothing escapes. The stream has the lease of
 * the shard's topics and was asked for a claim operation, so that reports of both are taken. {@code -Djqwik.tries.default=N} for
 * longer runs. A failure is made as small as it gets, printed with its seed, and tried first in the next run.
 */
class GatewayStreamFuzzTest {
    private static final List<Class<? extends Command>> COMMANDS =
            List.of(ConsumerHeartbeat.class, StreamsHeartbeat.class, GroupCommand.class, CommitCommand.class);
    private static final long FIRST = 1;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterProperty
    void stop() {
        timer.shutdownNow();
    }

    @Property
    void frames_validOrChanged_areCarriedOutOrEndTheirStream(@ForAll("frames") String frame) {
        Statistics.label("outcome").collect(outcome(HexFormat.of().parseHex(frame)));
        Statistics.label("outcome").coverage(seen -> {
            for (Outcome outcome : Outcome.values()) {
                seen.check(outcome).count(count -> count > 0);
            }
        });
    }

    @Provide
    Arbitrary<String> frames() {
        return MutatedBytes.of(
                Arbitraries.longs().map(seed -> frame(new Random(seed)).toByteArray()));
    }

    @Example
    void frames_ofTheCorpus_areCarriedOutOrEndTheirStream() throws IOException {
        List<byte[]> corpus = MutatedBytes.corpus("/fuzz/gateway-frames.hex");
        assertThat(corpus).isNotEmpty();
        corpus.forEach(this::outcome);
    }

    private enum Outcome {
        NO_FRAME,
        CARRIED_OUT,
        STREAM_ENDED
    }

    private Outcome outcome(byte[] bytes) {
        Wire.GatewayFrame frame;
        try {
            frame = Wire.GatewayFrame.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return Outcome.NO_FRAME;
        }
        ConnectedGateways gateways = new ConnectedGateways(new OneShard(), timer);
        GatewayStream stream =
                new GatewayStream(new RecordedFrames(), gateways, new OneShard(), OneShard.NODE, Runnable::run);
        stream.onNext(OneShard.hello("gateway"));
        gateways.topicWatch(0).watch(Set.of("topic"));
        gateways.upstreamClaims().start("group", new RandomValues(0).next(ClaimOperation.Fence.class), outcome -> {});

        stream.onNext(frame);

        boolean ended = gateways.count() == 0;
        stream.onCompleted();
        assertThat(gateways.count()).isZero();
        return ended ? Outcome.STREAM_ENDED : Outcome.CARRIED_OUT;
    }

    private static Wire.GatewayFrame frame(Random random) {
        RandomValues values = new RandomValues(random.nextLong());
        Wire.GatewayFrame.Builder frame = Wire.GatewayFrame.newBuilder();
        return switch (random.nextInt(10)) {
            case 0 ->
                frame.setClaimReport(Wire.ClaimReport.newBuilder()
                                .setOperationId(FIRST)
                                .setOutcome(ClaimCodec.encode(values.next(ClaimOutcome.class))))
                        .build();
            case 1 ->
                requests(frame, Wire.Request.newBuilder().setCorrelationId(1).setListShard(random.nextInt(3)));
            case 2 ->
                frame.setTopicReport(Wire.TopicReport.newBuilder()
                                .setLease(FIRST)
                                .addPresent(ValueCodec.encode(values.next(TopicInfo.class)))
                                .addAbsent("absent")
                                .addDeleted("absent"))
                        .build();
            case 3 ->
                frame.setTopicsTouched(Wire.TopicsTouched.newBuilder()
                                .addNames("topic")
                                .addDeleted("other"))
                        .build();
            case 4 ->
                frame.setTroubles(Wire.Troubles.newBuilder().addTroubles("a port is taken"))
                        .build();
            case 5 -> OneShard.hello("gateway");
            default ->
                requests(
                        frame,
                        Wire.Request.newBuilder()
                                .setCorrelationId(1)
                                .setCommand(CommandCodec.encode(values.next(COMMANDS.get(random.nextInt(4))))));
        };
    }

    private static Wire.GatewayFrame requests(Wire.GatewayFrame.Builder frame, Wire.Request.Builder request) {
        return frame.setRequests(Wire.Requests.newBuilder().addRequests(request).addRequests(request))
                .build();
    }
}
