package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;

/** One run of a case against one target, under names of its own. */
final class CaseRun {
    private static final Duration TRANSIENT_LIMIT = Duration.ofSeconds(20);
    private static final long RETRY_MILLIS = 100;
    private static final int SENT_MILLIS = 150;
    private static final int UNTIL_MILLIS = 15_000;
    private static final int UNTIL_INTERVAL_MILLIS = 200;
    private static final Set<Errors> TRANSIENT =
            Set.of(Errors.COORDINATOR_LOAD_IN_PROGRESS, Errors.COORDINATOR_NOT_AVAILABLE, Errors.NOT_COORDINATOR);

    private final ConformanceCase script;
    private final Normaliser normaliser;
    private final Variables variables;
    private final CaseConnections connections;
    private final CaseSetup setup;
    private final Map<String, Pending> pending = new HashMap<>();

    private CaseRun(ConformanceCase script, CaseConnections connections) {
        String suffix = suffix();
        this.script = script;
        this.normaliser = new Normaliser(suffix);
        this.variables = new Variables(suffix, normaliser);
        this.connections = connections;
        this.setup = new CaseSetup(connections, variables, normaliser);
    }

    /** A request whose answer another step waits for. */
    private record Pending(KafkaConnection connection, KafkaConnection.Sent request) {}

    /** What a step asks, as long as it lasts. */
    private record Call(ApiMessageType api, short version, JsonNode step) {}

    /**
     * Runs a case.
     *
     * @return the transcript, in the form of the expected one
     * @throws IOException if the target does not let itself be set up
     */
    static JsonNode transcript(ConformanceCase script, Target target) throws IOException {
        try (CaseConnections connections = new CaseConnections(target)) {
            return new CaseRun(script, connections).run();
        }
    }

    private JsonNode run() throws IOException {
        ObjectNode transcript = JsonNodeFactory.instance.objectNode();
        ArrayNode records = transcript.putArray("steps");
        setup.createTopics(script.topics());
        setup.setGroupConfigs(script.groupConfigs());
        for (int i = 0; i < script.steps().size(); i++) {
            JsonNode step = script.steps().get(i);
            StepRecord record = StepRecord.of(step.path("id").asText("step" + (i + 1)), step);
            watched(record);
            if (record.isKept()) {
                records.add(record.written());
            }
        }
        setup.deleteTopics();
        return transcript;
    }

    private void watched(StepRecord record) throws IOException {
        try {
            run(record);
        } catch (EOFException e) {
            record.outcome("closed");
            connections.close();
        } catch (SocketTimeoutException e) {
            record.outcome("no-response");
            connections.close();
        } catch (IOException e) {
            record.outcome("io-error");
            record.written().put("detail", String.valueOf(e.getMessage()));
            connections.close();
        } catch (IllegalArgumentException e) {
            record.outcome("cannot be sent, since an earlier answer lacks what it takes");
            record.written().put("detail", String.valueOf(e.getMessage()));
        }
    }

    private void run(StepRecord record) throws IOException {
        JsonNode step = record.step();
        Deadline.pass(step.path("sleepMs").asLong(0));
        setup.createTopics(step.path("createTopics"));
        setup.setGroupConfigs(step.path("groupConfigs"));
        connections.close(step.path("closeConn").asText(""));
        if (step.has("raw")) {
            new RawStep(connections, variables, normaliser).run(record);
        } else if (step.has("await")) {
            await(record);
        } else if (step.has("api")) {
            call(record);
        }
    }

    private void await(StepRecord record) throws IOException {
        String awaited = record.step().get("await").asText();
        Pending sent = pending.remove(awaited);
        if (sent == null) {
            throw new IllegalArgumentException(script.name() + ": nothing pending as " + awaited);
        }
        Call call = new Call(sent.request().api(), sent.request().version(), record.step());
        finish(record, call, receive(sent, call));
    }

    private void call(StepRecord record) throws IOException {
        JsonNode step = record.step();
        ApiMessageType api = JsonMessages.api(step.get("api").asText());
        short version = (short) step.path("v").asInt(api.highestSupportedVersion(true));
        Call call = new Call(api, version, step);
        if (step.path("async").asBoolean(false)) {
            pending.put(record.id(), send(call, "async-" + record.id()));
            Deadline.pass(step.path("settleMs").asInt(SENT_MILLIS));
            return;
        }
        int times = step.path("times").asInt(1);
        for (int i = 1; i < times; i++) {
            variables.set("i", IntNode.valueOf(i));
            receive(send(call, "a"), call);
        }
        variables.set("i", IntNode.valueOf(times));
        finish(record, call, answer(record, call));
    }

    /** The last answer: the one that the step waits for, or the one that came when the time was over. */
    private JsonNode answer(StepRecord record, Call call) throws IOException {
        JsonNode until = call.step().path("repeatUntil");
        Deadline deadline = Deadline.inMillis(until.path("timeoutMs").asInt(UNTIL_MILLIS));
        Conditions conditions = new Conditions(variables, normaliser);
        while (true) {
            JsonNode response = settled(call);
            if (until.isMissingNode()) {
                return response;
            }
            capture(call, response);
            if (conditions.hold(until, response)) {
                return response;
            }
            if (deadline.isPast()) {
                record.written().put("timedOut", true);
                return response;
            }
            Deadline.pass(until.path("intervalMs").asInt(UNTIL_INTERVAL_MILLIS));
        }
    }

    /** An answer that is not about a coordinator on the move, as a client would have it. */
    private JsonNode settled(Call call) throws IOException {
        Deadline deadline = Deadline.in(TRANSIENT_LIMIT);
        boolean retried = CaseConnections.isOfGroups(call.api())
                && !call.step().path("noRetry").asBoolean(false);
        JsonNode response = receive(send(call, "a"), call);
        while (retried && isTransient(response) && !deadline.isPast()) {
            connections.forgetCoordinators();
            Deadline.pass(RETRY_MILLIS);
            response = receive(send(call, "a"), call);
        }
        return response;
    }

    private Pending send(Call call, String defaultConnection) throws IOException {
        JsonNode step = call.step();
        ObjectNode body = variables.object(step.path("body"));
        KafkaConnection connection = connection(call, body, step.path("conn").asText(defaultConnection));
        String clientId = step.has("clientId") ? variables.text(step.get("clientId")) : CaseConnections.CLIENT_ID;
        return new Pending(
                connection,
                connection.send(
                        call.api(), call.version(), clientId, JsonMessages.request(call.api(), body, call.version())));
    }

    private KafkaConnection connection(Call call, ObjectNode body, String name) throws IOException {
        if (call.step().has("group")) {
            return connections.to(
                    name, connections.coordinator(variables.text(call.step().get("group"))));
        }
        return call.step().path("bootstrap").asBoolean(false)
                ? connections.to(name, connections.bootstrap())
                : connections.coordinating(name, call.api(), body);
    }

    private static JsonNode receive(Pending sent, Call call) throws IOException {
        int timeoutMillis = call.step().path("timeoutMs").asInt(CaseConnections.ANSWER_MILLIS);
        return JsonMessages.json(sent.connection().receive(sent.request(), timeoutMillis), call.version());
    }

    private void finish(StepRecord record, Call call, JsonNode response) {
        capture(call, response);
        record.response(call.api(), call.version(), response, normaliser);
        if (record.step().path("strictMessages").asBoolean(script.strictMessages())) {
            record.written().put("strictMessages", true);
        }
    }

    private void capture(Call call, JsonNode response) {
        boolean failed = response.path("errorCode").asInt(0) != 0;
        if (failed && !call.step().path("captureOnError").asBoolean(false)) {
            return;
        }
        call.step().path("capture").properties().forEach(each -> {
            JsonNode value = response.at(each.getValue().asText());
            if (!value.isMissingNode() && !value.isNull()) {
                variables.set(each.getKey(), value);
            }
        });
    }

    /** Whether an answer is about a coordinator on the move. */
    static boolean isTransient(JsonNode response) {
        JsonNode group = response.path("groups").path(0);
        return isTransient(response.path("errorCode").asInt(0))
                || isTransient(group.path("errorCode").asInt(0));
    }

    private static boolean isTransient(int errorCode) {
        return TRANSIENT.contains(Errors.forCode((short) errorCode));
    }

    private static String suffix() {
        return ThreadLocalRandom.current()
                .ints(8, 'a', 'z' + 1)
                .collect(() -> new StringBuilder("z"), StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
