package io.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the command line says when it is used wrongly or cannot reach anybody. */
class MainTest {
    private final PrintStream usualErr = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void listenToStandardError() {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveStandardErrorBack() {
        System.setErr(usualErr);
    }

    @Test
    void everyCommand_hasHelp() {
        assertThat(Main.execute("server", "--help")).isZero();
        assertThat(Main.execute("groups", "--help")).isZero();
        assertThat(Main.execute("groups", "describe", "--help")).isZero();
        assertThat(Main.execute("quickstart", "--help")).isZero();
    }

    @Test
    void adminAddress_withoutPort_isWrongUsage() {
        int exit = Main.execute("groups", "list", "--admin", "somewhere");

        assertThat(exit).isEqualTo(2);
        assertThat(said()).startsWith("--admin must be HOST:PORT");
    }

    @Test
    void adminAddress_whereNobodyListens_isToldInOneLine() {
        int exit = Main.execute("groups", "list", "--admin", "127.0.0.1:1");

        assertThat(exit).isEqualTo(1);
        assertThat(said()).isEqualToIgnoringNewLines("muster: 127.0.0.1:1 cannot be reached");
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
