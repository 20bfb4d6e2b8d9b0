package io.muster.gateway.kafka.permissions;

import io.muster.core.ClientInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Members that clients without a name of their own hold: who held which when it was answered last. A broker that does not ask who a
 * client is knows nothing of it but its address. What was not heard of for some minutes is forgotten. Any thread.
 */
public final class RememberedMembers {
    private final int maxMembers;
    private final long turnNanos;
    private final LongSupplier nanoClock;
    private volatile Turns turns;

    private record Member(String groupId, String memberId) {}

    /** Members heard of since the last turn, and in the one before. */
    private record Turns(Map<Member, ClientInfo> current, Map<Member, ClientInfo> before, long sinceNanos) {}

    /**
     * @param maxMembers no more than these are remembered of each turn
     * @param turnNanos a member is remembered for this long at least, for twice as long at most
     */
    public RememberedMembers(int maxMembers, long turnNanos, LongSupplier nanoClock) {
        this.maxMembers = maxMembers;
        this.turnNanos = turnNanos;
        this.nanoClock = nanoClock;
        this.turns = new Turns(new ConcurrentHashMap<>(), Map.of(), nanoClock.getAsLong());
    }

    public void add(String groupId, String memberId, ClientInfo client) {
        Map<Member, ClientInfo> current = turns().current();
        Member member = new Member(groupId, memberId);
        if (!client.equals(current.get(member)) && (current.size() < maxMembers || current.containsKey(member))) {
            current.put(member, client);
        }
    }

    public void remove(String groupId, String memberId) {
        Member member = new Member(groupId, memberId);
        Turns both = turns();
        both.current().remove(member);
        if (both.before().containsKey(member)) {
            both.before().remove(member);
        }
    }

    /** Whether a client of this id and host held the member when it was answered last. */
    public boolean contains(String groupId, String memberId, ClientInfo client) {
        Member member = new Member(groupId, memberId);
        Turns both = turns();
        ClientInfo holder = both.current().get(member);
        return client.equals(holder == null ? both.before().get(member) : holder);
    }

    private Turns turns() {
        Turns now = turns;
        return nanoClock.getAsLong() - now.sinceNanos() < turnNanos ? now : turned();
    }

    private synchronized Turns turned() {
        long now = nanoClock.getAsLong();
        long age = now - turns.sinceNanos();
        if (age >= turnNanos) {
            Map<Member, ClientInfo> before = age < 2 * turnNanos ? turns.current() : Map.of();
            turns = new Turns(new ConcurrentHashMap<>(), before, now);
        }
        return turns;
    }
}
