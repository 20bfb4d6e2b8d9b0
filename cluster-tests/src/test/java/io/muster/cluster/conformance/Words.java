package io.muster.cluster.conformance;

/**
 * An answer in words that are the same for every target that answers alike.
 *
 * @param errors its error codes
 * @param told how much of what the member shall have, or that nothing changed
 * @param rest what else it says
 */
record Words(String errors, String told, String rest) {
    static final String AS_BEFORE = "as before";
    static final Words NOTHING = new Words("", "nothing to do");

    Words(String errors, String rest) {
        this(errors, AS_BEFORE, rest);
    }
}
