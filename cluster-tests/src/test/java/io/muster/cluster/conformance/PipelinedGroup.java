package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The members of one group on one target, who send several requests before they read an answer, or read none.
 *
 * @param <M> the members of this kind of group
 */
final class PipelinedGroup<M extends RandomMember> implements RandomGroup {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 10;

    private final RandomTarget target;
    private final RandomMembers<M> members;
    private final PipelinedRequests requests;
    private final Random random;
    private int pipelines;
    private @Nullable Pipeline unanswered;

    /** @param seed what the pipelines are drawn from */
    PipelinedGroup(RandomTarget target, RandomMembers<M> members, PipelinedRequests requests, long seed) {
        this.target = target;
        this.members = members;
        this.requests = requests;
        this.random = new Random(seed);
    }

    @Override
    public RandomReply play(RandomStep step) throws IOException {
        return switch (step.action()) {
            case PIPELINE, DISCONNECT -> {
                pipelines++;
                yield play(Pipeline.draw(random, pipelines, step.action() == RandomAction.DISCONNECT));
            }
            default -> members.play(step);
        };
    }

    @Override
    public Optional<RandomReply> lookAgain() throws IOException {
        return unanswered == null ? Optional.empty() : Optional.of(seen(unanswered));
    }

    private RandomReply play(Pipeline pipeline) throws IOException {
        if (pipeline.begin().settle()) {
            members.settle();
        }
        if (pipeline.begin().topic()) {
            target.createTopic(PipelinedRequests.newTopic(pipeline), 1);
        }
        unanswered = pipeline.end() == Pipeline.End.ANSWERED ? null : pipeline;
        return unanswered == null ? answered(pipeline) : unanswered(unanswered);
    }

    private RandomReply answered(Pipeline pipeline) throws IOException {
        PipelinedTransaction transaction = PipelinedTransaction.before(pipeline, target);
        List<PipelinedRequest> sent = requests.of(pipeline, members.members(), transaction);
        List<JsonNode> answers = target.pipelined(sent, pipeline.begin().connect());
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).api() == requests.heartbeat()) {
                members.members().get(pipeline.items().get(i).member()).take(answers.get(i));
            }
        }
        transaction.commit();
        Words words = new PipelinedAnswers(requests, pipeline).of(sent, answers, offsets(pipeline));
        return new RandomReply(words, members.picture());
    }

    /** The offsets of both groups, once no transaction is pending. */
    private String offsets(Pipeline pipeline) throws IOException {
        return offsets(PipelinedRequests.GROUP, pipeline) + offsets(PipelinedRequests.OTHERS, pipeline);
    }

    private String offsets(String group, Pipeline pipeline) throws IOException {
        Deadline deadline = Deadline.in(LIMIT);
        while (true) {
            PipelinedRequest fetch = requests.fetch(group, pipeline, true);
            JsonNode answer = target.call(fetch.api(), fetch.version(), fetch.body());
            boolean pending = answer.findValues("errorCode").stream()
                    .anyMatch(code -> code.asInt() == Errors.UNSTABLE_OFFSET_COMMIT.code());
            if (!pending || deadline.isPast()) {
                return PipelinedAnswers.offsets(answer, pipeline);
            }
            Deadline.pass(LOOK_MILLIS);
        }
    }

    /** Nobody hears of what became of the requests. */
    private RandomReply unanswered(Pipeline pipeline) throws IOException {
        List<PipelinedRequest> sent =
                requests.of(pipeline, members.members(), PipelinedTransaction.before(pipeline, target));
        target.sendAndEnd(sent, requests.mark(pipeline), pipeline);
        Deadline deadline = Deadline.in(LIMIT);
        while (!requests.isMarked(pipeline) && !deadline.isPast()) {
            Deadline.pass(LOOK_MILLIS);
        }
        target.disconnect();
        return seen(pipeline);
    }

    private RandomReply seen(Pipeline pipeline) throws IOException {
        String marked = requests.isMarked(pipeline) ? "all carried out" : "the last request was not carried out";
        return new RandomReply(new Words(marked, pipeline.items() + offsets(pipeline)), members.picture());
    }

    @Override
    public GroupPicture settle() throws IOException {
        return members.settle();
    }

    @Override
    public GroupPicture leave() throws IOException {
        return members.leave();
    }

    @Override
    public void close() throws IOException {
        members.close();
    }
}
