package io.muster.raft;

import io.muster.storage.AppliedIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;

/** One round of questions of a node that holds nothing of a shard, and what the product decides on the answers. */
public final class DrivenJoin {
    private final Set<String> others;
    private final Map<String, Standing> answers = new HashMap<>();

    /**
     * What to begin with.
     *
     * @param leader whose copy
     * @param atLeast the index up to which it has to reach
     * @param term in which the node's vote is given
     */
    public record Copy(int leader, long atLeast, long term) {}

    /** @param others all other members */
    public DrivenJoin(Set<Integer> others) {
        this.others = others.stream().map(String::valueOf).collect(Collectors.toSet());
    }

    /** A member that holds the shard has answered. */
    public void holds(int member, boolean leads, long term, long lastIndex) {
        answers.put(
                String.valueOf(member),
                new Standing(leads ? Standing.Kind.LEADS : Standing.Kind.FOLLOWS, term, lastIndex));
    }

    /** A member that holds nothing either has answered. */
    public void holdsNothing(int member) {
        answers.put(String.valueOf(member), Standing.NOTHING);
    }

    public boolean isComplete() {
        return answers.keySet().containsAll(others);
    }

    /** What to begin with; empty if the node has to ask again. */
    public Optional<Copy> decide() {
        JoinDecision decision = JoinDecision.of(others, answers);
        if (decision instanceof JoinDecision.Found) {
            throw new IllegalStateException("a shard that others hold would be founded again: " + answers);
        }
        return decision instanceof JoinDecision.Copy copy
                ? Optional.of(new Copy(Integer.parseInt(copy.leaderId()), copy.atLeast(), copy.term()))
                : Optional.empty();
    }

    /**
     * Makes a copy the snapshot that a node begins with.
     *
     * @param root the node's directory, which holds nothing
     */
    public static void begin(Path root, Path copied, AppliedIndex at) {
        SnapshotDirectory snapshots = new SnapshotDirectory(DrivenStateMachine.stateMachineDirectory(root));
        Path snapshot = snapshots.pathOf(TermIndex.valueOf(at.term(), at.index()));
        try (Stream<Path> files = Files.list(copied)) {
            Files.createDirectories(snapshot);
            for (Path file : files.toList()) {
                Files.copy(file, snapshot.resolve(file.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
