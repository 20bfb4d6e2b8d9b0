package io.muster.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes, gateways and operators of a cluster share and nobody else knows. It never leaves the process: what travels are
 * tokens made from it.
 */
public final class ClusterSecret {
    /** Fewer characters could be guessed. */
    public static final int LEAST_CHARACTERS = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @throws IllegalArgumentException if it is shorter than {@link #LEAST_CHARACTERS} */
    public ClusterSecret(String secret) {
        if (secret.length() < LEAST_CHARACTERS) {
            throw new IllegalArgumentException("a cluster's secret needs " + LEAST_CHARACTERS + " characters or more");
        }
        this.key = new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM);
    }

    /** Which port a token opens: none opens another. */
    public enum Port {
        RAFT,
        RPC
    }

    /** Proves the secret to the listener of a port; 64 hexadecimal digits. */
    public String token(Port port) {
        return sign("token of port " + port);
    }

    /** Whether a token proves the secret. Takes the same time whatever is wrong with it. */
    public boolean accepts(Port port, @Nullable String token) {
        return matches(token(port), token);
    }

    /** The listener's answer to a caller's nonce, by which it proves the secret in its turn; 64 hexadecimal digits. */
    public String answerTo(String nonce) {
        return sign("answer to " + nonce);
    }

    /** Whether a listener's answer to this nonce proves the secret. */
    public boolean acceptsAnswer(String nonce, @Nullable String answer) {
        return matches(answerTo(nonce), answer);
    }

    private static boolean matches(String expected, @Nullable String given) {
        return given != null && MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(("muster: " + text).getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Nothing of the secret, wherever it is printed. */
    @Override
    public String toString() {
        return "ClusterSecret";
    }
}
