package io.muster.cluster.kafka;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Users of brokers that ask for a name and a password (SASL/PLAIN); a user's password is its name. */
public record Users(List<String> names) {
    /** May do everything. */
    public static final String ADMINISTRATOR = "admin";

    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    public Users {
        names = List.copyOf(names);
    }

    /** What the brokers are told. */
    Map<String, String> brokerProperties() {
        String known = names.stream()
                .map(name -> " user_" + name + "=\"" + name + "\"")
                .collect(Collectors.joining());
        String administrator = " user_" + ADMINISTRATOR + "=\"" + ADMINISTRATOR + "\"";
        return Map.of(
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_PLAINTEXT",
                "inter.broker.listener.name",
                "PLAINTEXT",
                "sasl.enabled.mechanisms",
                "PLAIN",
                "sasl.mechanism.inter.broker.protocol",
                "PLAIN",
                "listener.name.plaintext.plain.sasl.jaas.config",
                login(ADMINISTRATOR) + administrator + known + ";",
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                // The controller's listener asks for no name.
                "super.users",
                "User:" + ADMINISTRATOR + ";User:ANONYMOUS");
    }

    /** The part of a Muster node's configuration, in its section {@code upstream}, by which it has this name. */
    public String upstreamProperties(String name) {
        return clientProperties(name).entrySet().stream()
                .map(property -> "    %s: '%s'\n".formatted(property.getKey(), property.getValue()))
                .collect(Collectors.joining("", "  properties:\n", ""));
    }

    /** What a client of this name has to be told. */
    public Map<String, String> clientProperties(String name) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                login(name) + ";");
    }

    private static String login(String name) {
        return LOGIN + " username=\"" + name + "\" password=\"" + name + "\"";
    }
}
