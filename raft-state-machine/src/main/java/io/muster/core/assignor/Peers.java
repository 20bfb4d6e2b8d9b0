package io.muster.core.assignor;

import java.util.TreeSet;

/** Members with equal subscriptions in one rack, the least loaded first. Peers with less loaded members come first. */
final class Peers implements Comparable<Peers> {
    private final TreeSet<Reader> members = new TreeSet<>(Reader.BY_LOAD);
    private Reader least;

    Peers(Reader first) {
        this.least = first;
        members.add(first);
    }

    /** The least loaded of them. */
    Reader least() {
        return least;
    }

    int size() {
        return members.size();
    }

    void add(Reader reader) {
        members.add(reader);
        least = members.first();
    }

    /** Changes the load of a member. */
    void change(Reader reader, Runnable change) {
        members.remove(reader);
        change.run();
        add(reader);
    }

    @Override
    public int compareTo(Peers other) {
        return Reader.BY_LOAD.compare(least, other.least);
    }
}
