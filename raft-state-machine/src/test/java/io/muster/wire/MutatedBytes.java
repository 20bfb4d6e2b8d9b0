package io.muster.wire;

import java.util.Arrays;
import java.util.Random;

/** Bytes as a bug or a stranger would send them: valid ones with a few changes. */
public final class MutatedBytes {
    private static final byte[] EDGES = {0, 1, -1, 127, -128};

    private MutatedBytes() {}

    /** A copy with some bytes flipped, replaced, cut off, doubled or moved. */
    public static byte[] of(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        for (int change = random.nextInt(4); change >= 0 && bytes.length > 0; change--) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> with(bytes, at, (byte) (bytes[at] ^ 1 << random.nextInt(8)));
                case 1 -> with(bytes, at, EDGES[random.nextInt(EDGES.length)]);
                case 2 -> Arrays.copyOf(bytes, at);
                case 3 -> spliced(bytes, at, bytes, random.nextInt(bytes.length));
                default -> spliced(bytes, at, bytes, at);
            };
        }
        return bytes;
    }

    private static byte[] with(byte[] bytes, int at, byte value) {
        bytes[at] = value;
        return bytes;
    }

    /** The first bytes of one up to {@code end}, then those of another from {@code from}. */
    private static byte[] spliced(byte[] first, int end, byte[] second, int from) {
        byte[] bytes = Arrays.copyOf(first, end + second.length - from);
        System.arraycopy(second, from, bytes, end, second.length - from);
        return bytes;
    }
}
