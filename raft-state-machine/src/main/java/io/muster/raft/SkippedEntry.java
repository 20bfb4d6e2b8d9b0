package io.muster.raft;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An entry of a shard's log that an operator has named to be passed over, because no node can apply it. */
public record SkippedEntry(int shard, long term, long index) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,2}):(\\d{1,18}):(\\d{1,18})");

    /**
     * Reads {@code SHARD:TERM:INDEX}.
     *
     * @throws IllegalArgumentException if it is not of this form
     */
    public static SkippedEntry parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("an entry is named SHARD:TERM:INDEX, not '" + text + "'");
        }
        return new SkippedEntry(
                Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)));
    }

    @Override
    public String toString() {
        return shard + ":" + term + ":" + index;
    }
}
