package io.muster.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptPortsTest {
    @TempDir
    Path dir;

    @Test
    void directory_keepsThePortsThatItWasBegunWith() throws IOException, QuickstartException {
        assertThat(KeptPorts.of(dir, 8)).hasSize(8).doesNotHaveDuplicates().isEqualTo(KeptPorts.of(dir, 8));
    }

    @Test
    void keptPort_thatIsInUse_isNamed() throws IOException, QuickstartException {
        int first = KeptPorts.of(dir, 8).get(0);

        try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();
            assertThatThrownBy(() -> KeptPorts.of(dir, 8))
                    .isInstanceOf(QuickstartException.class)
                    .hasMessageContaining("port " + first)
                    .hasMessageContaining("--data");
        }
    }

    @Test
    void directoryWithDataOfUnknownPorts_isRefused() throws IOException {
        Files.createDirectories(dir.resolve("node-1"));

        assertThatThrownBy(() -> KeptPorts.of(dir, 8))
                .isInstanceOf(QuickstartException.class)
                .hasMessageContaining("earlier quickstart");
    }
}
