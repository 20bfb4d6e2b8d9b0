package io.muster.storage;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes {@link ShardStore#digest()}: SHA-256 over all keys and values with their lengths, in key order. */
final class StoreDigest {
    private StoreDigest() {}

    static byte[] of(ShardStore store) {
        MessageDigest digest = sha256();
        store.scan(new byte[0], (key, value) -> {
            add(digest, key);
            add(digest, value);
            return true;
        });
        return digest.digest();
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
