package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiMessageType;

/** A step that sends bytes of its own on a connection of its own, and sees what becomes of that connection. */
record RawStep(CaseConnections connections, Variables variables, Normaliser normaliser) {
    private static final int ANSWER_MILLIS = 3_000;
    private static final int CLOSE_MILLIS = 1_000;
    private static final int CORRELATION_ID = 7;

    void run(StepRecord record) throws IOException {
        JsonNode raw = record.step().path("raw");
        Target node =
                raw.has("group") ? connections.coordinator(variables.text(raw.get("group"))) : connections.bootstrap();
        try (KafkaConnection connection = new KafkaConnection(node)) {
            connection.sendBytes(bytes(raw));
            byte[] answer;
            try {
                answer = connection.readFrame(raw.path("timeoutMs").asInt(ANSWER_MILLIS));
            } catch (SocketTimeoutException e) {
                record.outcome("no-response");
                return;
            } catch (IOException e) {
                record.outcome("closed");
                return;
            }
            answered(record, raw, answer);
            afterwards(record.written(), raw, connection);
        }
    }

    private byte[] bytes(JsonNode raw) {
        byte[] payload = raw.has("api") ? request(raw) : RawBytes.of(raw.path("frame"), variables);
        byte[] whole = RawBytes.joined(payload, RawBytes.of(raw.path("append"), variables));
        return raw.path("unframed").asBoolean(false)
                ? whole
                : KafkaConnection.framed(raw.path("length").asInt(whole.length), whole);
    }

    private byte[] request(JsonNode raw) {
        KafkaConnection.Sent request = sent(raw);
        ObjectNode body = variables.object(raw.path("body"));
        byte[] content =
                JsonMessages.bytes(JsonMessages.request(request.api(), body, request.version()), request.version());
        byte[] whole = KafkaConnection.encode(request, CaseConnections.CLIENT_ID, content);
        return Arrays.copyOf(whole, whole.length - raw.path("truncate").asInt(0));
    }

    private static KafkaConnection.Sent sent(JsonNode raw) {
        ApiMessageType api = JsonMessages.api(raw.path("api").asText());
        int version = raw.path("v").asInt(api.highestSupportedVersion(true));
        return new KafkaConnection.Sent(api, (short) version, CORRELATION_ID);
    }

    private void answered(StepRecord record, JsonNode raw, byte[] answer) throws IOException {
        record.outcome("response");
        JsonNode described = raw.has("decodeAs") ? raw.get("decodeAs") : raw;
        if (!described.has("api")) {
            record.written().put("hex", HexFormat.of().formatHex(answer));
            return;
        }
        KafkaConnection.Sent as = sent(described);
        JsonNode response = JsonMessages.json(KafkaConnection.decode(as.api(), as.version(), answer), as.version());
        record.response(as.api(), as.version(), response, normaliser);
        record.written().put("correlationId", ByteBuffer.wrap(answer).getInt());
    }

    private static void afterwards(ObjectNode written, JsonNode raw, KafkaConnection connection) throws IOException {
        if (raw.path("thenClosed").asBoolean(false)) {
            written.put("thenClosed", connection.closedWithin(CLOSE_MILLIS));
        }
        if (raw.path("stillUsable").asBoolean(false)) {
            written.put("connection", isUsable(connection) ? "usable" : "broken");
        }
    }

    private static boolean isUsable(KafkaConnection connection) {
        ApiMessageType api = ApiMessageType.API_VERSIONS;
        try {
            KafkaConnection.Sent request = connection.send(api, (short) 0, CaseConnections.CLIENT_ID, api.newRequest());
            connection.receive(request, ANSWER_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
