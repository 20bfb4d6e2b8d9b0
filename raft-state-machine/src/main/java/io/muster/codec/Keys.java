package io.muster.codec;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds the keys of the store byte by byte, so that their order is that of their parts. */
final class Keys {
    /** The prefix of everything that is stored of groups. */
    static final byte[] GROUPS = {'g'};

    /** Where the token of the shard's last entry lies. */
    static final byte[] LAST_ENTRY = {'s', 'e'};

    /** Where the shard's feature level lies. */
    static final byte[] FEATURE_LEVEL = {'s', 'f'};

    /** Where lies what the cluster was founded with. */
    static final byte[] IDENTITY = {'s', 'i'};

    /** Where the marks of the shard's leaderships lie. */
    static final byte[] CLAIM_MARKS = {'s', 'm'};

    private Keys() {}

    /** The prefix of one group; no group's prefix is a prefix of another's. */
    static byte[] group(String groupId) {
        byte[] id = groupId.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(GROUPS.length + Integer.BYTES + id.length)
                .put(GROUPS)
                .putInt(id.length)
                .put(id)
                .array();
    }

    static byte[] join(byte[] prefix, byte[] rest) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + rest.length);
        System.arraycopy(rest, 0, key, prefix.length, rest.length);
        return key;
    }

    static byte[] join(byte[] prefix, ByteString rest) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + rest.size());
        rest.copyTo(key, prefix.length);
        return key;
    }

    static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** The group id in a key that begins with {@link #group}. */
    static String groupIdOf(byte[] key) {
        int length = ByteBuffer.wrap(key, GROUPS.length, Integer.BYTES).getInt();
        return new String(key, GROUPS.length + Integer.BYTES, length, StandardCharsets.UTF_8);
    }

    /** The smallest key above all that start with this prefix (section codes stay below 255). */
    static byte[] after(byte[] prefix) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + 1);
        key[prefix.length] = (byte) 0xFF;
        return key;
    }
}
