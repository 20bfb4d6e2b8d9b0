package io.muster.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.cli.config.ConfigException;
import io.muster.cli.config.ConfigFile;
import io.muster.cli.config.MusterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A data directory, and what happens when the configuration over it is edited. */
class IdentityFileTest {
    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void makeDirectory() throws IOException {
        data = Files.createDirectory(directory.resolve("data"));
    }

    @Test
    void check_ofAnEmptyDirectory_writesTheIdentity_andTheNextStartAccepts() throws Exception {
        assertThat(IdentityFile.isEmpty(data)).isTrue();

        IdentityFile first = IdentityFile.check(config("", ""));
        first.note("incarnation-1");

        assertThat(IdentityFile.isEmpty(data)).isFalse();
        assertThat(IdentityFile.check(config("", "")).cluster().incarnation()).isEqualTo("incarnation-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: test | name: other | cluster.name is test and not other",
                "shards: 1  | shards: 3   | cluster.shards is 1 and not 3",
                "shards: 1  | shards: 4   | cluster.shards is 1 and not 4",
                "id: a, data | id: b, data | node.id is a and not b",
                "  - {id: c, raft: 'localhost:3', rpc: 'localhost:13'} | | the ids under nodes is [a, b, c] and not [a, b]",
                "id: c, raft | id: d, raft | the ids under nodes is [a, b, c] and not [a, b, d]",
                "localhost:2' | localhost:9' | nodes[b].raft is localhost:2 and not localhost:9",
            })
    void check_ofAnEditedConfiguration_refusesTheStart(String right, String wrong, String complaint) throws Exception {
        IdentityFile.check(config("", ""));

        assertThatThrownBy(() -> IdentityFile.check(config(right, wrong == null ? "" : wrong)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void check_ofOtherRpcAddresses_accepts() throws Exception {
        IdentityFile.check(config("", ""));

        assertThat(IdentityFile.check(config("localhost:12", "localhost:92"))
                        .cluster()
                        .shards())
                .isEqualTo(1);
    }

    @Test
    void check_ofADamagedFile_saysSo() throws Exception {
        Files.writeString(data.resolve("identity.json"), "{");

        assertThatThrownBy(() -> IdentityFile.check(config("", "")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("identity.json is not readable");
    }

    private MusterConfig config(String right, String wrong) throws IOException, ConfigException {
        String text = """
                cluster: {name: test, shards: 1}
                node: {id: a, dataDirectory: '%s'}
                nodes:
                  - {id: a, raft: 'localhost:1', rpc: 'localhost:11'}
                  - {id: b, raft: 'localhost:2', rpc: 'localhost:12'}
                  - {id: c, raft: 'localhost:3', rpc: 'localhost:13'}
                upstream: {bootstrapServers: ['localhost:9092']}
                """.formatted(data);
        Path file = directory.resolve("muster.yaml");
        Files.writeString(file, right.isEmpty() ? text : text.replace(right, wrong));
        return ConfigFile.read(file);
    }
}
