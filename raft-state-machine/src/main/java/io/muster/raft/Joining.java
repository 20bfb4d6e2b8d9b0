package io.muster.raft;

import io.muster.raft.JoinDecision.Copy;
import io.muster.raft.JoinDecision.Found;
import io.muster.raft.JoinDecision.GoOn;
import io.muster.raft.JoinDecision.Wait;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a node that holds nothing of a shard what it begins with: an empty log if nobody has one, else a copy of the leader's state.
 * And gives one that has lost its term and vote a term in which it cannot vote twice.
 */
final class Joining implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

    /** A node that starts later asks this one, and so wakes it; this is for those that were up and did not know. */
    private static final long PERIOD_MILLIS = 200;

    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "raft-join");
        thread.setDaemon(true);
        thread.start();
    };

    private final Map<String, JoinPeer> others = new TreeMap<>();
    /** Has a permit when another member may have something new to say. */
    private final Semaphore news = new Semaphore(0);

    private volatile Set<String> silent = Set.of();
    private String lastReason = "";

    /** @param members all members */
    Joining(String selfId, List<RaftMember> members) {
        for (RaftMember member : members) {
            if (!member.id().equals(selfId)) {
                others.put(member.id(), new JoinPeer(selfId, member.address()));
            }
        }
    }

    /** A member asked: if it did not answer before, it will now. */
    void asked(String id) {
        if (silent.contains(id)) {
            news.release();
        }
    }

    boolean isAlone() {
        return others.isEmpty();
    }

    /**
     * Formats the shard's place; returns when that is done, however long it takes.
     *
     * @throws IOException if the disk fails, or the thread is interrupted
     */
    void join(int shard, ShardPlace place) throws IOException {
        while (true) {
            JoinDecision decision = JoinDecision.of(others.keySet(), ask(place.group()));
            if (decision instanceof Found found) {
                place.noSnapshot();
                place.join(found.term());
                LOG.atInfo()
                        .addKeyValue("shard", shard)
                        .log("no node holds the shard: it begins here, with the others");
                return;
            }
            if (decision instanceof Copy copy && copied(shard, place, copy)) {
                return;
            }
            if (decision instanceof Wait wait) {
                say(shard, "this node holds nothing of the shard and waits", wait.reason());
            }
            await();
        }
    }

    /**
     * Writes the term in which a node goes on that has its log and no term; returns when that is done, however long it takes.
     *
     * @param lastTerm the highest term that its log knows
     * @throws IOException if the disk fails, or the thread is interrupted
     */
    void findTerm(int shard, ShardPlace place, long lastTerm) throws IOException {
        while (true) {
            JoinDecision decision = JoinDecision.ofLostVote(lastTerm, others.keySet(), ask(place.group()));
            if (decision instanceof GoOn goOn) {
                place.goOnIn(goOn.term());
                LOG.atWarn()
                        .addKeyValue("shard", shard)
                        .addKeyValue("lastTerm", lastTerm)
                        .addKeyValue("term", goOn.term())
                        .log(
                                "this node had lost its term and vote, as when the disk is full; it goes on with its log and"
                                        + " votes in later terms only");
                return;
            }
            if (decision instanceof Wait wait) {
                say(shard, "this node has lost its term and vote, and waits to find a term to go on in", wait.reason());
            }
            await();
        }
    }

    /**
     * Asks a leader whether it has an entry that this node has applied.
     *
     * @throws IOException if it does not answer within a second
     */
    Agreement compare(String leaderId, UUID group, TermIndex applied, long currentTerm) throws IOException {
        return peer(leaderId).compare(group, applied, currentTerm);
    }

    private JoinPeer peer(String id) {
        JoinPeer peer = others.get(id);
        if (peer == null) {
            throw new IllegalStateException("no peer " + id);
        }
        return peer;
    }

    private Map<String, Standing> ask(UUID group) {
        Map<String, Standing> answers = new ConcurrentSkipListMap<>();
        CompletableFuture.allOf(others.entrySet().stream()
                        .map(other -> CompletableFuture.runAsync(
                                () -> ask(other.getKey(), other.getValue(), group, answers), THREADS))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        Set<String> missing = new TreeSet<>(others.keySet());
        missing.removeAll(answers.keySet());
        silent = missing;
        return answers;
    }

    private static void ask(String id, JoinPeer peer, UUID group, Map<String, Standing> answers) {
        try {
            answers.put(id, peer.standing(group));
        } catch (IOException e) {
            LOG.debug("{} does not say where it stands", id, e);
        }
    }

    private boolean copied(int shard, ShardPlace place, Copy decision) throws IOException {
        Optional<TermIndex> copied = copy(place, decision);
        if (copied.isEmpty()) {
            return false;
        }
        place.join(decision.term());
        LOG.atInfo()
                .addKeyValue("shard", shard)
                .addKeyValue("leaderId", decision.leaderId())
                .addKeyValue("upTo", copied.get())
                .log("this node held nothing of the shard and has copied the leader's state");
        return true;
    }

    private Optional<TermIndex> copy(ShardPlace place, Copy decision) throws IOException {
        try {
            return peer(decision.leaderId()).copy(decision.atLeast(), place);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("leaderId", decision.leaderId())
                    .setCause(e)
                    .log("no copy yet");
            return Optional.empty();
        }
    }

    /** Once for each reason: this may last. */
    private void say(int shard, String message, String reason) {
        if (!reason.equals(lastReason)) {
            lastReason = reason;
            LOG.atWarn()
                    .addKeyValue("shard", shard)
                    .addKeyValue("reason", reason)
                    .log(message);
        }
    }

    private void await() throws IOException {
        try {
            if (news.tryAcquire(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the node waited to join", e);
        }
    }

    @Override
    public void close() {
        others.values().forEach(JoinPeer::close);
    }
}
