package io.muster.cluster.conformance;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Differences in random sequences that are known. */
enum Explanation {
    /** Both share the partitions out alike, but move other ones: which ones is the assignor's business. */
    OTHER_PARTITIONS_MOVED {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return kafka.picture().shares().equals(muster.picture().shares())
                    && !kafka.picture().moves().equals(muster.picture().moves());
        }
    },
    /** Members subscribe to different topics, which can be shared out evenly in several ways. */
    MIXED_SUBSCRIPTIONS_SHARED_OTHERWISE {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return !kafka.picture().shares().equals(muster.picture().shares())
                    && muster.picture().mixed()
                    && muster.picture().isSharedLike(kafka.picture());
        }
    },
    /** Muster shares tasks out more evenly among the members of all processes than Kafka. */
    TASKS_SHARED_MORE_EVENLY {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return !kafka.picture().shares().equals(muster.picture().shares())
                    && !muster.picture().mixed()
                    && muster.picture().isSharedLike(kafka.picture());
        }
    },
    /**
     * A Streams member shows by its tasks that it did not hear what it was told last: Muster says it again, Kafka leaves it alone
     * until the rebalance timeout removes it.
     */
    TASKS_TOLD_AGAIN {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return kafka.picture().equals(muster.picture())
                    && kafka.words().rest().equals(muster.words().rest())
                    && kafka.words().told().equals(Words.AS_BEFORE);
        }
    },
    /**
     * Kafka describes what it has committed, and keeps the partition counts of internal topics beside its records: in a group that
     * was founded just now they show once something else is written, by whatever group. In Muster they show with the next heartbeat.
     */
    COUNTS_NOT_DESCRIBED_YET {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return kafka.words().equals(muster.words())
                    && (kafka.picture().equals(kafka.picture().withoutCounts())
                            || muster.picture().equals(muster.picture().withoutCounts()))
                    && kafka.picture().withoutCounts().equals(muster.picture().withoutCounts());
        }

        @Override
        boolean changesFacts() {
            return true;
        }

        @Override
        Sequel sequel(RandomReply kafka, RandomReply muster) {
            return Sequel.GO_ON;
        }
    },
    /**
     * Joins that are sent together are decided together, so that they may have one epoch where Kafka gives each its own. From then on
     * a group has other epochs than in Kafka, unless its epoch is raised for each of them all the same.
     */
    JOINS_DECIDED_TOGETHER {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return muster.words().rest().split("action=" + PipelinedAction.JOIN, -1).length > 2
                    && withoutEpochs(kafka.words().rest())
                            .equals(withoutEpochs(muster.words().rest()))
                    && withoutEpochs(kafka.picture().facts())
                            .equals(withoutEpochs(muster.picture().facts()))
                    && muster.picture().isSharedLike(kafka.picture());
        }

        @Override
        boolean changesFacts() {
            return true;
        }

        @Override
        Sequel sequel(RandomReply kafka, RandomReply muster) {
            return kafka.picture().facts().equals(muster.picture().facts()) ? Sequel.REALIGN : Sequel.END;
        }
    },
    /**
     * A member that is on its way to the target assignment has given partitions up under the epoch that it has still. Kafka takes a
     * commit of these, and of any other; Muster does not, since it may come late and overwrite the next owner's.
     */
    COMMIT_OF_WHAT_OTHERS_HAVE_REFUSED {
        @Override
        boolean explains(RandomReply kafka, RandomReply muster) {
            return muster.picture().hasMemberBehind()
                    && refusesCommitsOnly(kafka.words().errors(), muster.words().errors());
        }

        @Override
        boolean changesErrors() {
            return true;
        }

        @Override
        Sequel sequel(RandomReply kafka, RandomReply muster) {
            return Sequel.END;
        }
    };

    private static final Pattern BETWEEN_ANSWERS = Pattern.compile("(?<=]), ");
    private static final Pattern STALE_COMMIT =
            Pattern.compile("(.*OffsetCommit\\[)(?:STALE_MEMBER_EPOCH|ILLEGAL_GENERATION)(]+)");

    /** How a sequence goes on after a difference that is explained. */
    enum Sequel {
        GO_ON,
        /** Both groups settle, and must be alike again. */
        REALIGN,
        /** What follows cannot be compared. */
        END
    }

    /** Whether it explains that a group that is the same is described otherwise, not only that it is shared out otherwise. */
    boolean changesFacts() {
        return false;
    }

    /** Whether it explains that other errors are answered. */
    boolean changesErrors() {
        return false;
    }

    Sequel sequel(RandomReply kafka, RandomReply muster) {
        return Sequel.REALIGN;
    }

    /** Whether the answers differ in commits only that one takes and the other refuses for their epoch. */
    private static boolean refusesCommitsOnly(String taken, String refused) {
        String[] first = BETWEEN_ANSWERS.split(taken);
        String[] second = BETWEEN_ANSWERS.split(refused);
        return first.length == second.length
                && IntStream.range(0, first.length)
                        .allMatch(i -> first[i].equals(second[i])
                                || first[i].equals(
                                        STALE_COMMIT.matcher(second[i]).replaceFirst("$1NONE$2")));
    }

    private static String withoutEpochs(String text) {
        return text.replaceAll("epoch -?\\d+", "epoch");
    }

    abstract boolean explains(RandomReply kafka, RandomReply muster);

    /** Why two replies to a step differ; empty if they may not. */
    static Optional<Explanation> of(RandomReply kafka, RandomReply muster) {
        boolean comparable = kafka.picture().doubles().isEmpty()
                && muster.picture().doubles().isEmpty();
        boolean sameErrors = kafka.words().errors().equals(muster.words().errors());
        boolean sameFacts = kafka.picture().facts().equals(muster.picture().facts());
        return Stream.of(values())
                .filter(each -> comparable
                        && sameErrors != each.changesErrors()
                        && (sameFacts || each.changesFacts())
                        && each.explains(kafka, muster))
                .findFirst();
    }
}
