package io.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"somewhere", "somewhere:99999", "somewhere:0", ":7070", "a b:7070"})
    void adminAddress_thatIsNone_isWrongUsage(String address) {
        int exit = Main.execute("groups", "list", "--admin", address);

        assertThat(exit).isEqualTo(2);
        assertThat(said()).startsWith("--admin must be HOST:PORT of a node's rpc address, but is '" + address + "'");
    }

    @Test
    void timeout_thatIsOverAtOnce_isWrongUsage() {
        int exit = Main.execute("groups", "list", "--admin", "127.0.0.1:1", "--timeout", "0");

        assertThat(exit).isEqualTo(2);
        assertThat(said()).startsWith("--timeout must be 1 or more, but is 0");
    }

    @Test
    void memberToRemove_whoIsNotNamed_isWrongUsage() {
        int exit = Main.execute("members", "remove", "group", "--admin", "127.0.0.1:1");

        assertThat(exit).isEqualTo(2);
        assertThat(said()).startsWith("say which member: MEMBER or --instance");
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
