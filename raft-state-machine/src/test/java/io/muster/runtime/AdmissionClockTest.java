package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitConnection;
import io.muster.core.CommonRecord;
import io.muster.core.ShardTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AdmissionClockTest {
    private final List<ShardTime> announced = new ArrayList<>();
    private final AdmissionClock clock = new AdmissionClock(2, announced::add);

    @Test
    void timeOfARecordedConnection_isAnnouncedOnce() {
        // Given
        clock.begin(7);

        // When
        admitByNewConnection();
        admitByNewConnection();
        clock.publish();
        admitByKnownConnection();
        clock.publish();

        // Then
        assertThat(announced).containsExactly(new ShardTime(2, 7, 2));
    }

    @Test
    void leadershipThatBeginsAgainInItsTerm_usesNoTimeTwice() {
        // Given
        clock.begin(7);
        admitByNewConnection();
        clock.publish();

        // When
        clock.begin(7);
        admitByNewConnection();
        clock.publish();

        // Then
        assertThat(announced).containsExactly(new ShardTime(2, 7, 1), new ShardTime(2, 7, 2));
    }

    private void admitByNewConnection() {
        clock.decided(List.of(new CommonRecord.CommitConnectionSet("m", new CommitConnection("c", next()))));
    }

    private void admitByKnownConnection() {
        var unused = next();
        clock.decided(List.of());
    }

    private ShardTime next() {
        CommitCommand admit = new CommitCommand.Admit(
                "g",
                "a",
                CommitCommand.Connection.justOpened("c"),
                new CommitCommand.Committer("m", "", 1),
                Kind.PLAIN,
                9,
                Set.of());
        return clock.timeOf(List.of(new PendingCommand(admit, 0, 0, "id", new CompletableFuture<>())));
    }
}
