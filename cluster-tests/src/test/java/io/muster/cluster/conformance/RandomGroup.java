package io.muster.cluster.conformance;

import java.io.IOException;
import java.util.Optional;

/** The members of one group on one target, who do what random steps say and keep what they were answered. */
interface RandomGroup extends AutoCloseable {
    RandomReply play(RandomStep step) throws IOException;

    /** The reply to the last step, looked at again, if nobody waited for what became of it; else empty. */
    default Optional<RandomReply> lookAgain() throws IOException {
        return Optional.empty();
    }

    /** Lets all members go on until each has what it shall have. */
    GroupPicture settle() throws IOException;

    /** Lets all members leave. */
    GroupPicture leave() throws IOException;

    @Override
    void close() throws IOException;
}
