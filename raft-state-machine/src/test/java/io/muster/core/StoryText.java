package io.muster.core;

import io.muster.core.GroupStory.Scene;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes down what a decision did, briefly; remembers the epochs that members were told. */
public final class StoryText {
    /** How what only groups of one type have is written. */
    public interface Words {
        /** Empty for a record that is written as it is. */
        Optional<String> record(GroupRecord record);

        /** Empty for a response of another type. */
        Optional<String> response(Response response, Command command);
    }

    private final Map<String, Integer> epochs = new HashMap<>();
    private final Words words;

    public StoryText(Words words) {
        this.words = words;
    }

    /** The epoch that a member was told last; 1 if none was. */
    public int epochOf(String memberId) {
        return epochs.getOrDefault(memberId, 1);
    }

    public List<String> lines(Scene scene) {
        Decision decision = scene.decision();
        List<String> lines = new ArrayList<>();
        decision.records().forEach(record -> lines.add("+ " + record(record)));
        decision.timers().stream()
                .filter(change -> isShown(change.key().kind()))
                .forEach(change -> lines.add("@ " + timer(change)));
        decision.effects().forEach(effect -> lines.add("! " + effect(effect)));
        for (Decision.Reply reply : decision.replies()) {
            Command command = scene.arrivals().get(reply.arrival()).command();
            if (!(command instanceof InternalCommand)) {
                lines.add(sender(command) + ": " + response(reply.response(), command));
            }
        }
        decision.waiting()
                .forEach(index -> lines.add(sender(scene.arrivals().get(index).command()) + " waits"));
        if (!scene.arrivals().isEmpty() && lines.isEmpty()) {
            lines.add("-");
        }
        if (!decision.topicsNeeded().isEmpty()) {
            lines.add("needs " + decision.topicsNeeded());
        }
        return lines;
    }

    private static boolean isShown(TimerKey.Kind kind) {
        return kind != TimerKey.Kind.SESSION && !kind.name().startsWith("CLAIM");
    }

    private static String timer(TimerChange change) {
        String what = (change.key().kind() + " " + change.key().subject()).strip();
        return change instanceof TimerChange.Arm arm ? what + " in " + arm.delayMillis() : what + " cancelled";
    }

    private static String effect(Effect effect) {
        return effect instanceof Effect.ClaimUpstream claim
                ? claim.operation().getClass().getSimpleName()
                : effect.getClass().getSimpleName();
    }

    private static String sender(Command command) {
        if (command instanceof MemberHeartbeat heartbeat) {
            return heartbeat.memberId();
        }
        if (command instanceof CommitCommand.Admit admit) {
            return "commit " + admit.admissionId();
        }
        return command.getClass().getSimpleName();
    }

    private String record(GroupRecord record) {
        if (record instanceof GroupRecord.OfRemoval removed) {
            return "gone: " + removed.memberId();
        } else if (record instanceof CommonRecord.HistoryAppended appended) {
            HistoryEntry entry = appended.entry();
            String told = entry.groupEpoch() + " " + entry.reason() + " " + entry.memberId() + " " + entry.detail();
            return "history: " + told.strip();
        } else if (record instanceof CommonRecord.ClaimSet set) {
            return "claim: " + set.claim().getClass().getSimpleName();
        } else if (record instanceof CommonRecord.CommitConnectionSet set) {
            return "commits: " + set.memberId() + " by " + set.connection().id();
        } else if (record instanceof CommonRecord.TopicBasisSet set) {
            return "basis: "
                    + set.topics().values().stream()
                            .map(topic -> topic.name() + "=" + topic.partitions()
                                    + (topic.racks().isKnown() ? " in " + topic.racks() : ""))
                            .toList();
        }
        return words.record(record).orElseGet(record::toString);
    }

    private String response(Response response, Command command) {
        if (response instanceof Response.Refused refused) {
            return refused.error() + " " + refused.message();
        } else if (response instanceof Response.CommitAdmitted admitted) {
            return "admitted as " + admitted.identity().memberId();
        } else if (response instanceof Response.CommitRefused refused) {
            return refused.error().toString();
        } else if (response instanceof Response.MembersRemoved removed) {
            return removed.results().stream()
                    .map(result ->
                            result.error() == null ? "removed" : result.error().toString())
                    .toList()
                    .toString();
        } else if (response instanceof Response.ConsumerHeartbeatAnswer answer) {
            epochs.put(answer.memberId(), answer.memberEpoch());
        } else if (response instanceof Response.StreamsHeartbeatAnswer answer) {
            epochs.put(answer.memberId(), answer.memberEpoch());
        }
        return words.response(response, command).orElse("done");
    }
}
