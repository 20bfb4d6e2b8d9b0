package io.muster.gateway.kafka;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * One change that a bug or a stranger makes to valid bytes.
 *
 * @param at where, and {@code from} a second place; taken modulo the number of bytes
 */
record ByteEdit(Kind kind, int at, int from, byte value) {
    /** What is done at a place. */
    enum Kind {
        FLIP_A_BIT,
        REPLACE,
        CUT_OFF,
        /** What stands at another place, and all behind it, follows. */
        MOVE
    }

    /** Any change; simpler ones first when a failure is made smaller. */
    static Arbitrary<ByteEdit> any() {
        Arbitrary<Integer> places = Arbitraries.integers().between(0, 10_000);
        Arbitrary<Byte> values = Arbitraries.oneOf(
                Arbitraries.bytes(), Arbitraries.of((byte) 0, (byte) 1, (byte) -1, Byte.MAX_VALUE, Byte.MIN_VALUE));
        return Combinators.combine(Arbitraries.of(Kind.class), places, places, values)
                .as(ByteEdit::new);
    }

    /** A changed copy; empty bytes stay as they are. */
    byte[] of(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        int place = at % bytes.length;
        return switch (kind) {
            case FLIP_A_BIT -> with(bytes, place, (byte) (bytes[place] ^ 1 << (value & 7)));
            case REPLACE -> with(bytes, place, value);
            case CUT_OFF -> Arrays.copyOf(bytes, place);
            case MOVE -> joined(bytes, place, from % bytes.length);
        };
    }

    private static byte[] with(byte[] bytes, int place, byte value) {
        byte[] changed = bytes.clone();
        changed[place] = value;
        return changed;
    }

    /** The first bytes up to {@code end}, then those from {@code start}. */
    private static byte[] joined(byte[] bytes, int end, int start) {
        byte[] changed = Arrays.copyOf(bytes, end + bytes.length - start);
        System.arraycopy(bytes, start, changed, end, bytes.length - start);
        return changed;
    }
}
