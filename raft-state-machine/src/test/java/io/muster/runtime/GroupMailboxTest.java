package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.GroupCommand;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GroupMailboxTest {
    private final GroupMailbox mailbox = new GroupMailbox("g");
    private final PendingCommand waits = pending("waits");
    private final PendingCommand large = pending("large");
    private final PendingCommand later = pending("later");

    /** Joined with the rest again, it would be too large again, without end. */
    @Test
    void partThatWaits_isLeftOut_untilTheRestIsDecided() {
        // Given
        mailbox.split(List.of(waits, large, later));

        // When
        List<PendingCommand> first = mailbox.take();
        mailbox.leaveWaiting(first, new TreeSet<>(Set.of("topic")));
        List<PendingCommand> rest = mailbox.take();
        mailbox.split(rest);
        List<PendingCommand> second = mailbox.take();
        List<PendingCommand> third = mailbox.take();
        mailbox.leaveWaiting(List.of(), Collections.emptySortedSet());

        // Then
        assertThat(first).containsExactly(waits);
        assertThat(rest).containsExactly(large, later);
        assertThat(second).containsExactly(large);
        assertThat(third).containsExactly(later);
        assertThat(mailbox.interest()).containsExactly("topic");
        assertThat(mailbox.take()).containsExactly(waits);
    }

    /** What it waits for may have come with the parts. */
    @Test
    void whatWasLeftOut_isDecidedAgainAfterTheParts_thoughNothingElseComes() {
        // Given
        mailbox.leaveWaiting(List.of(waits), Collections.emptySortedSet());
        mailbox.split(List.of(large, later));

        // When
        mailbox.take();
        mailbox.take();

        // Then
        assertThat(mailbox.hasMore()).isTrue();
        assertThat(mailbox.take()).containsExactly(waits);
        assertThat(mailbox.hasMore()).isFalse();
    }

    @Test
    void whatWaits_isNotPutOff_byWhatComesAfterTheParts() {
        // Given
        mailbox.leaveWaiting(List.of(waits), Collections.emptySortedSet());
        mailbox.split(List.of(large));
        mailbox.add(later);

        // Then
        assertThat(mailbox.take()).containsExactly(large);
        assertThat(mailbox.take()).containsExactly(waits, later);
    }

    private static PendingCommand pending(String id) {
        return new PendingCommand(new GroupCommand.Delete("g"), 0, 0, id, new CompletableFuture<>());
    }
}
