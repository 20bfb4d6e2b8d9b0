package io.muster.core.streams;

import io.muster.core.GroupStory;

/** A Streams group as one leader decides on it. */
final class StreamsStory extends GroupStory {
    StreamsGroup streams() {
        return StreamsGroup.of(group());
    }
}
