package io.muster.gateway.kafka.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.kafka.offsets.ClientUpstream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class PermissionsTest {
    private static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();

    private final Broker broker = new Broker();
    private long nowNanos;
    private double random;
    private final Permissions permissions =
            new Permissions(broker, new PermissionRefresh(Duration.ofMinutes(1), () -> nowNanos, () -> random));

    @Test
    void read_asksABrokerByAHeartbeatOfNobody() {
        // When
        CompletableFuture<Boolean> may = permissions.mayRead("g");

        // Then
        assertThat(broker.asked().request())
                .isEqualTo(new HeartbeatRequestData().setGroupId("g").setGenerationId(-1));
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));
        assertThat(may).isCompletedWithValue(true);
    }

    @Test
    void read_thatWasAllowed_countsWhileItIsLookedUpAnew() {
        // Given
        assertThat(permissions.couldRead("g")).isFalse();
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // When
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isZero();
        nowNanos += LONG_NANOS;

        // Then
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isEqualTo(1);
        broker.answer(heartbeat(Errors.GROUP_AUTHORIZATION_FAILED));
        assertThat(permissions.couldRead("g")).isFalse();
    }

    @Test
    void read_thatWasAllowed_isAskedOnceAnInterval_howeverManyWantToKnow() {
        // Given
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        for (int interval = 0; interval < 3; interval++) {
            // When
            for (int second = 0; second < 60; second++) {
                assertThat(permissions.couldRead("g")).isTrue();
                assertThat(broker.unanswered()).isZero();
                nowNanos += Duration.ofSeconds(1).toNanos();
            }

            // Then
            assertThat(permissions.couldRead("g")).isTrue();
            assertThat(broker.unanswered()).isEqualTo(1);
            broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));
        }
    }

    @Test
    void read_thatWasAllowed_isAskedUpToAQuarterSooner_soThatConnectionsDoNotAskTogether() {
        // Given
        random = 1;
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // When
        nowNanos += LONG_NANOS * 3 / 4 - 1;
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isZero();
        nowNanos += 1;

        // Then
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isEqualTo(1);
    }

    @Test
    void read_thatCouldNotBeAskedAgain_isAskedSoonButNotByEachHeartbeat() {
        // Given
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));
        nowNanos += LONG_NANOS;
        assertThat(permissions.couldRead("g")).isTrue();

        // When
        broker.fail();

        // Then
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isZero();
        nowNanos += Duration.ofSeconds(5).toNanos();
        assertThat(permissions.couldRead("g")).isTrue();
        assertThat(broker.unanswered()).isEqualTo(1);
        broker.answer(heartbeat(Errors.GROUP_AUTHORIZATION_FAILED));
        assertThat(permissions.couldRead("g")).isFalse();
    }

    @Test
    void topics_thatMayBeDescribed_areAskedAboutOnceAnInterval() {
        // Given
        var first = permissions.undescribableAsKnown(List.of("a", "b"));
        broker.answer(metadata(0, topic("a", 0), hidden("b")));
        assertThat(first.join()).containsExactly("b");

        // When
        var allowed = permissions.undescribableAsKnown(List.of("a"));
        assertThat(allowed).isCompletedWithValue(new TreeSet<>());
        assertThat(broker.unanswered()).isZero();
        nowNanos += LONG_NANOS;
        var due = permissions.undescribableAsKnown(List.of("a"));

        // Then
        assertThat(due).isCompletedWithValue(new TreeSet<>());
        assertThat(broker.unanswered()).isEqualTo(1);
        broker.answer(metadata(0, hidden("a")));
        assertThat(permissions.undescribableAsKnown(List.of("a"))).isNotDone();
    }

    @Test
    void topics_thatMayNotBeDescribed_areAskedAboutEachTime() {
        // Given
        var unusedRefusal = permissions.undescribableAsKnown(List.of("a"));
        broker.answer(metadata(0, hidden("a")));

        // When
        var later = permissions.undescribableAsKnown(List.of("a"));

        // Then
        broker.answer(metadata(0, topic("a", 0)));
        assertThat(later).isCompletedWithValue(new TreeSet<>());
    }

    @Test
    void topics_afterTheClientSaidAnewWhoItIs_areAskedAbout() {
        // Given
        var unused = permissions.undescribableAsKnown(List.of("a"));
        broker.answer(metadata(0, topic("a", 0)));

        // When
        permissions.forget();

        // Then
        assertThat(permissions.undescribableAsKnown(List.of("a"))).isNotDone();
        assertThat(broker.unanswered()).isEqualTo(1);
    }

    @Test
    void read_inOrder_isNotOvertakenByWhatFindsItKnown() {
        // Given
        List<String> begun = new ArrayList<>();
        var unusedFirst = permissions.mayReadInOrder("g").thenAccept(may -> {
            begun.add("first");
            var unused = permissions.mayReadInOrder("g").thenAccept(known -> begun.add("third"));
        });
        var unusedSecond = permissions.mayReadInOrder("g").thenAccept(may -> begun.add("second"));
        assertThat(begun).isEmpty();

        // When
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // Then
        assertThat(begun).containsExactly("first", "second", "third");
        assertThat(broker.unanswered()).isZero();
    }

    @Test
    void read_isAskedAnewEachTime() {
        // Given
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // When
        CompletableFuture<Boolean> later = permissions.mayRead("g");

        // Then
        broker.answer(heartbeat(Errors.GROUP_AUTHORIZATION_FAILED));
        assertThat(later).isCompletedWithValue(false);
    }

    @Test
    void read_thatTheBrokerFailedToSay_isNotAllowed_norRemembered() {
        // When
        CompletableFuture<Boolean> may = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_SERVER_ERROR));

        // Then
        assertThat(may).isCompletedExceptionally();
        assertThat(permissions.couldRead("g")).isFalse();
    }

    @Test
    void topic_ofWhichTheBrokerFailedToSayAnything_isHidden() {
        // Given
        MetadataResponseTopic failed = topic("a", bits(AclOperation.CREATE, AclOperation.READ))
                .setErrorCode(Errors.UNKNOWN_SERVER_ERROR.code());

        // When
        var hidden = permissions.undescribable(List.of("a"));
        broker.answer(metadata(0, failed.duplicate()));
        var uncreatable = permissions.uncreatable(List.of("a"));
        broker.answer(metadata(0, failed.duplicate()));
        var unreadable = permissions.readErrors(List.of("a"));
        broker.answer(metadata(0, failed.duplicate()));

        // Then
        assertThat(hidden.join()).containsExactly("a");
        assertThat(uncreatable.join()).containsExactly("a");
        assertThat(unreadable.join()).containsEntry("a", Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    @Test
    void groups_thatWereAskedAboutLongAgo_areForgottenOnceThereAreVeryMany() {
        // Given
        for (int i = 0; i < 3_000; i++) {
            var unused = permissions.mayRead("g" + i);
            broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));
            assertThat(permissions.couldRead("g0")).isTrue();
        }

        // Then
        assertThat(permissions.couldRead("g2999")).isTrue();
        assertThat(permissions.couldRead("g1")).isFalse();
    }

    @Test
    void whatWasAsked_beforeTheClientSaidAnewWhoItIs_isNotRemembered() {
        // Given
        var unused = permissions.mayRead("g");

        // When
        permissions.forget();
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // Then
        assertThat(permissions.couldRead("g")).isFalse();
    }

    @Test
    void read_ofOneGroup_saysNothingOfAnother() {
        // Given
        var unused = permissions.mayRead("g");
        broker.answer(heartbeat(Errors.UNKNOWN_MEMBER_ID));

        // When
        CompletableFuture<Boolean> may = permissions.mayRead("h");

        // Then
        broker.answer(heartbeat(Errors.GROUP_AUTHORIZATION_FAILED));
        assertThat(may).isCompletedWithValue(false);
    }

    @Test
    void groups_tellOperations() {
        // When
        var access = permissions.groups(List.of("g", "h"));
        broker.answer(new DescribeGroupsResponseData()
                .setGroups(List.of(
                        new DescribedGroup()
                                .setGroupId("g")
                                .setAuthorizedOperations(bits(AclOperation.DESCRIBE, AclOperation.DELETE)),
                        new DescribedGroup().setGroupId("h").setErrorCode(Errors.GROUP_AUTHORIZATION_FAILED.code()))));

        // Then
        assertThat(access.join().get("g").may(AclOperation.DELETE)).isTrue();
        assertThat(access.join().get("g").may(AclOperation.READ)).isFalse();
        assertThat(access.join().get("h").mayDescribe()).isFalse();
        assertThat(access.join().get("h").may(AclOperation.DELETE)).isFalse();
    }

    @Test
    void topics_mayBeCreatedByNameOrByAll() {
        // Given
        MetadataResponseData byName = metadata(
                0, topic("a", bits(AclOperation.CREATE)), topic("b", bits(AclOperation.DESCRIBE)), hidden("c"));
        MetadataResponseData all = metadata(bits(AclOperation.CREATE), topic("a", 0), hidden("c"));

        // When
        var some = permissions.uncreatable(List.of("a", "b", "c"));
        broker.answer(byName);
        var none = permissions.uncreatable(List.of("a", "c"));
        broker.answer(all);

        // Then
        assertThat(some.join()).containsExactly("b", "c");
        assertThat(none.join()).isEmpty();
    }

    @Test
    void topics_thatAreAbsent_areNotHidden() {
        // When
        var hidden = permissions.undescribable(List.of("absent", "c"));
        broker.answer(
                metadata(0, topic("absent", 0).setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code()), hidden("c")));

        // Then
        assertThat(hidden.join()).containsExactly("c");
    }

    private static HeartbeatResponseData heartbeat(Errors error) {
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    private static MetadataResponseData metadata(int clusterOperations, MetadataResponseTopic... topics) {
        return new MetadataResponseData()
                .setClusterAuthorizedOperations(clusterOperations)
                .setTopics(new MetadataResponseTopicCollection(List.of(topics).iterator()));
    }

    private static MetadataResponseTopic topic(String name, int operations) {
        return new MetadataResponseTopic().setName(name).setTopicAuthorizedOperations(operations);
    }

    private static MetadataResponseTopic hidden(String name) {
        return new MetadataResponseTopic().setName(name).setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
    }

    private static int bits(AclOperation... operations) {
        int bits = 0;
        for (AclOperation operation : operations) {
            bits |= 1 << operation.code();
        }
        return bits;
    }

    /** Holds requests back until the test answers them. */
    private static final class Broker implements ClientUpstream {
        private record Asked(ApiMessage request, CompletableFuture<ApiMessage> answer) {}

        private final Deque<Asked> waiting = new ArrayDeque<>();

        Asked asked() {
            return waiting.element();
        }

        int unanswered() {
            return waiting.size();
        }

        void fail() {
            waiting.remove().answer().completeExceptionally(new IOException("the connection broke"));
        }

        void answer(ApiMessage response) {
            waiting.remove().answer().complete(response);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            Asked next = new Asked(request, new CompletableFuture<>());
            waiting.add(next);
            return next.answer();
        }

        @Override
        public short maxVersion(ApiKeys api) {
            return api.latestVersion();
        }
    }
}
