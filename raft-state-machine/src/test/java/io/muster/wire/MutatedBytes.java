package io.muster.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Bytes as a bug or a stranger would send them: valid ones with a few changes. In hexadecimal, as the corpora are kept. */
public final class MutatedBytes {
    private static final int MOST_CHANGES = 4;

    private MutatedBytes() {}

    private enum Kind {
        FLIP_A_BIT,
        REPLACE,
        CUT_OFF,
        /** The bytes from another place on follow. */
        MOVE
    }

    /** One change; the places are taken modulo the number of bytes. */
    private record Change(Kind kind, int at, int from, byte value) {}

    /** The valid bytes, with up to four of them flipped, replaced, cut off, doubled or moved; unchanged ones when a failure shrinks. */
    public static Arbitrary<String> of(Arbitrary<byte[]> valid) {
        Arbitrary<Integer> places = Arbitraries.integers().between(0, 10_000);
        Arbitrary<Byte> values = Arbitraries.oneOf(
                Arbitraries.bytes(), Arbitraries.of((byte) 0, (byte) 1, (byte) -1, Byte.MAX_VALUE, Byte.MIN_VALUE));
        Arbitrary<Change> changes = Combinators.combine(Arbitraries.of(Kind.class), places, places, values)
                .as(Change::new);
        return Combinators.combine(valid, changes.list().ofMaxSize(MOST_CHANGES))
                .as((bytes, edits) -> HexFormat.of().formatHex(changed(bytes, edits)));
    }

    /** The lines of a resource that hold bytes: all but comments and empty ones. */
    public static List<byte[]> corpus(String resource) throws IOException {
        try (var in = MutatedBytes.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(HexFormat.of()::parseHex)
                    .toList();
        }
    }

    private static byte[] changed(byte[] valid, List<Change> changes) {
        byte[] bytes = valid.clone();
        for (Change change : changes) {
            if (bytes.length > 0) {
                bytes = changed(bytes, change);
            }
        }
        return bytes;
    }

    private static byte[] changed(byte[] bytes, Change change) {
        int at = change.at() % bytes.length;
        return switch (change.kind()) {
            case FLIP_A_BIT -> with(bytes, at, (byte) (bytes[at] ^ 1 << (change.value() & 7)));
            case REPLACE -> with(bytes, at, change.value());
            case CUT_OFF -> Arrays.copyOf(bytes, at);
            case MOVE -> joined(bytes, at, change.from() % bytes.length);
        };
    }

    private static byte[] with(byte[] bytes, int at, byte value) {
        bytes[at] = value;
        return bytes;
    }

    /** The first bytes up to {@code end}, then those from {@code start}. */
    private static byte[] joined(byte[] bytes, int end, int start) {
        byte[] joined = Arrays.copyOf(bytes, end + bytes.length - start);
        System.arraycopy(bytes, start, joined, end, bytes.length - start);
        return joined;
    }
}
