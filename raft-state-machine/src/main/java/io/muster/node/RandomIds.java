package io.muster.node;

import io.muster.runtime.IdSource;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Random ids as Kafka writes them; none begins with a dash, which would look like an option on a command line. */
public final class RandomIds implements IdSource {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    @Override
    public String freshId() {
        String id = next();
        while (id.startsWith("-")) {
            id = next();
        }
        return id;
    }

    private static String next() {
        UUID random = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits());
        return ENCODER.encodeToString(bytes.array());
    }
}
