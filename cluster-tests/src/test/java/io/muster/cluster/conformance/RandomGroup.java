package io.muster.cluster.conformance;

import java.io.IOException;

/** The members of one group on one target, who do what random steps say and keep what they were answered. */
interface RandomGroup extends AutoCloseable {
    RandomReply play(RandomStep step) throws IOException;

    /** Lets all members go on until each has what it shall have. */
    GroupPicture settle() throws IOException;

    /** Lets all members leave. */
    GroupPicture leave() throws IOException;

    @Override
    void close() throws IOException;
}
