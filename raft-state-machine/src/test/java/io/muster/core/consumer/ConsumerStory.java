package io.muster.core.consumer;

import io.muster.core.GroupStory;

/** A consumer group as one leader decides on it. */
final class ConsumerStory extends GroupStory {
    ConsumerGroup consumers() {
        return ConsumerGroup.of(group());
    }
}
