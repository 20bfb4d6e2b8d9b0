package io.muster.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.cli.config.MusterConfig.Role;
import io.muster.core.CoordinatorConfig;
import io.muster.gateway.netty.ConnectionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    @TempDir
    private Path directory;

    @Test
    void read_withRequiredKeysOnly_takesTheDefaults() throws Exception {
        MusterConfig config = ConfigFile.read(file(minimal()));

        assertThat(config.coordinator()).isEqualTo(CoordinatorConfig.defaults("test"));
        assertThat(config.node().roles()).containsExactlyInAnyOrder(Role.COORDINATOR, Role.GATEWAY);
        assertThat(config.cluster().shards()).isEqualTo(1);
        assertThat(config.gateway().basePort()).isEqualTo(19_092);
        assertThat(config.self().rpc()).hasToString("localhost:7070");
    }

    @Test
    void read_ofTheExample_saysWhatTheDefaultsSay() throws Exception {
        String example = Files.readString(Path.of("src/main/config/muster.yaml"))
                .replace("/var/lib/muster", directory.toString())
                .replace(
                        "/etc/muster/secret",
                        secret("rw-------", "sixteen characters or more").toString());

        MusterConfig config = ConfigFile.read(file(example));

        assertThat(config.coordinator()).isEqualTo(CoordinatorConfig.defaults("muster"));
        assertThat(config.raft()).isEqualTo(ConfigFile.read(file(minimal())).raft());
        assertThat(config.gateway().limits()).isEqualTo(ConnectionLimits.defaults());
        assertThat(config.cluster().nodes()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: test            | name: test, shard: 1              | unknown key cluster.shard",
                "name: test            | name: test, shards: many          | cluster.shards must be a whole number, but is 'many'",
                "name: test            | name: test, shards: 65            | cluster.shards must be between 1 and 64, but is 65",
                "name: test            | shards: 1                         | cluster.name is missing",
                "name: test            | name: 'a b'                       | cluster.name may hold letters",
                "id: node1, data       | id: node9, data                   | node.id is 'node9', but the list of nodes has no such id",
                "id: node1, data       | id: node1, roles: [broker], data  | node.roles may hold coordinator and gateway, not 'broker'",
                "DIRECTORY             | /no/such/directory                | node.dataDirectory: there is no directory",
                "localhost:7071        | localhost                         | nodes[0].raft must be host:port",
                "topicPollInterval: 2s | topicPollInterval: 2              | upstream.topicPollInterval must be a text",
                "topicPollInterval: 2s | topicPollInterval: soon           | upstream.topicPollInterval must be a duration",
                "topicPollInterval: 2s | topicPollInterval: 1d             | upstream.topicPollInterval must be between 100ms and 10m",
                "topicPollInterval: 2s | topicPollInterval: 2s, a: {b: [c] | is not valid YAML",
            })
    void read_withAMistake_saysItInOneLine(String right, String wrong, String complaint) throws IOException {
        Path file = file(minimal().replace(right.equals("DIRECTORY") ? directory.toString() : right, wrong));

        assertThatThrownBy(() -> ConfigFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rw-------|sixteen characters| ",
                "r--------|sixteen characters| ",
                "rw-r-----|sixteen characters|can be read or written by others than its owner",
                "rw----r--|sixteen characters|can be read or written by others than its owner",
                "rw-------|too short|must hold one line of 16 characters or more",
                "NONE|sixteen characters|cannot be read",
            })
    void read_ofASecret_isForItsOwnerOnly(String permissions, String text, String complaint) throws Exception {
        Path secret = permissions.equals("NONE") ? directory.resolve("none") : secret(permissions, text);
        Path file = file(minimal().replace("name: test", "name: test, secretFile: " + secret));

        if (complaint == null) {
            assertThat(ConfigFile.read(file).cluster().secret()).isNotNull();
        } else {
            assertThatThrownBy(() -> ConfigFile.read(file))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("cluster.secretFile: " + secret + " " + complaint);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"muster1:7071", "0.0.0.0:7071", "10.0.0.1:7071", "127.0.0.1.example:7071"})
    void read_ofAddressesThatOthersCanReach_needsASecret(String raft) throws Exception {
        String open = minimal().replace("localhost:7071", raft);

        assertThatThrownBy(() -> ConfigFile.read(file(open)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cluster.secretFile is missing");
        String withSecret = open.replace(
                "name: test", "name: test, secretFile: " + secret("rw-------", "sixteen characters or more"));
        assertThat(ConfigFile.read(file(withSecret)).cluster().secret()).isNotNull();
    }

    @Test
    void read_ofAListenHostThatOthersCanReach_needsASecret() throws IOException {
        Path file = file(minimal().replace("id: node1, data", "id: node1, listenHost: 0.0.0.0, data"));

        assertThatThrownBy(() -> ConfigFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cluster.secretFile is missing");
    }

    private Path secret(String permissions, String text) throws IOException {
        Path file = Files.writeString(Files.createTempFile(directory, "secret", ""), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxRequestBytes: 100      | gateway.maxRequestBytes must be between 1024 and 1073741823",
                "maxGroupRequestBytes: 0   | gateway.maxGroupRequestBytes must be between 1024 and 4194304",
                "requestMemoryMegabytes: 9 | gateway.requestMemoryMegabytes must hold gateway.maxRequestBytes",
                "replyMemoryMegabytes: 0   | gateway.replyMemoryMegabytes must be between 1 and 1048576",
                "idleTimeout: 1s           | gateway.idleTimeout must be between 10s and 7d",
            })
    void read_withAMistakeOfTheGateway_saysIt(String wrong, String complaint) throws IOException {
        Path file = file(minimal() + "gateway: {" + wrong + "}");

        assertThatThrownBy(() -> ConfigFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void read_ofNoFile_saysSo() {
        assertThatThrownBy(() -> ConfigFile.read(directory.resolve("none.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("none.yaml cannot be read");
    }

    private String minimal() {
        return """
                cluster: {name: test}
                node: {id: node1, dataDirectory: "%s"}
                nodes: [{id: node1, raft: "localhost:7071", rpc: "localhost:7070"}]
                upstream: {bootstrapServers: ["localhost:9092"], topicPollInterval: 2s}
                """.formatted(directory);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("muster.yaml"), content);
    }
}
