package io.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerCommand;
import io.muster.core.GroupCommand;
import io.muster.core.InternalCommand;
import io.muster.core.Response;
import io.muster.core.StreamsCommand;
import io.muster.rpc.proto.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {
    private static final int ROUNDS = 2_000;
    private static final List<Class<? extends Command>> TRAVELLING =
            List.of(ConsumerCommand.class, StreamsCommand.class, GroupCommand.class, CommitCommand.class);

    @Test
    void command_ofEveryKind_comesBackEqual() throws InvalidProtocolBufferException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Command command = new RandomValues(seed).next(TRAVELLING.get(seed % TRAVELLING.size()));

            byte[] bytes = CommandCodec.encode(command).toByteArray();

            assertThat(CommandCodec.decode(Wire.Command.parseFrom(bytes)))
                    .as("seed %s", seed)
                    .isEqualTo(command);
            assertThat(CommandCodec.encode(command).toByteArray()).isEqualTo(bytes);
        }
    }

    @Test
    void response_ofEveryKind_comesBackEqual() throws InvalidProtocolBufferException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Response response = new RandomValues(seed).next(Response.class);

            byte[] bytes = ResponseCodec.encode(response).toByteArray();

            assertThat(ResponseCodec.decode(Wire.Response.parseFrom(bytes)))
                    .as("seed %s", seed)
                    .isEqualTo(response);
        }
    }

    @Test
    void claim_ofEveryKind_comesBackEqual() {
        for (int seed = 0; seed < 200; seed++) {
            ClaimOperation operation = new RandomValues(seed).next(ClaimOperation.class);
            ClaimOutcome outcome = new RandomValues(seed).next(ClaimOutcome.class);

            assertThat(ClaimCodec.decode(ClaimCodec.encode(operation))).isEqualTo(operation);
            assertThat(ClaimCodec.decode(ClaimCodec.encode(outcome))).isEqualTo(outcome);
        }
    }

    @Test
    void decode_ofAnUnknownCommand_isRefused() {
        assertThatThrownBy(() -> CommandCodec.decode(Wire.Command.getDefaultInstance()))
                .isInstanceOf(InvalidFrameException.class);
    }

    @Test
    void encode_ofAnInternalCommand_isRefused() {
        assertThatThrownBy(() -> CommandCodec.encode(new InternalCommand.Loaded("g")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
