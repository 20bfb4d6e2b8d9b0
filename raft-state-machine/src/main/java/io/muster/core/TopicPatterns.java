package io.muster.core;

import com.google.re2j.Pattern;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Subscriptions by pattern (KIP-848): RE2 expressions that match whole names. */
public final class TopicPatterns {
    private TopicPatterns() {}

    /**
     * Checks that a pattern can be compiled.
     *
     * @throws com.google.re2j.PatternSyntaxException if it cannot
     */
    public static void check(String pattern) {
        Pattern.compile(pattern);
    }

    /** The names that each of the patterns matches. */
    public static SortedMap<String, SortedSet<String>> match(Collection<String> patterns, Collection<String> names) {
        TreeMap<String, SortedSet<String>> matches = new TreeMap<>();
        for (String expression : patterns) {
            Pattern pattern = Pattern.compile(expression);
            TreeSet<String> matched = new TreeSet<>(names);
            matched.removeIf(name -> !pattern.matches(name));
            matches.put(expression, matched);
        }
        return matches;
    }
}
