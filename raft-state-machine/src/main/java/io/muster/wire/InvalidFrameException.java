package io.muster.wire;

/** A message that is well-formed protobuf and means nothing to this version; the sender's fault, so the stream ends. */
public final class InvalidFrameException extends RuntimeException {
    public InvalidFrameException(String message) {
        super(message);
    }
}
