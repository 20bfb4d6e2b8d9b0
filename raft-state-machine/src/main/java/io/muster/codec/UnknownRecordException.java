package io.muster.codec;

/** Bytes that this version cannot read: a kind of record that a newer one wrote, or damage. The node must stop. */
public class UnknownRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownRecordException(String message) {
        super(message);
    }

    public UnknownRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
