package io.muster.cluster.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What kind of Kafka cluster a test wants.
 *
 * @param count number of brokers, whose ids begin with 0
 * @param voters how many of them, from the first on, are controllers too
 * @param properties server properties over those that make a small test cluster; {@code {id}} stands for the broker's id
 * @param features feature levels to format with; those that the version does not know are left out
 * @param clients client properties of an administrator, for brokers that do not let everybody in
 * @param host the address of this machine that clients are told
 */
public record KafkaSetup(
        KafkaVersion version,
        int count,
        int voters,
        Map<String, String> properties,
        Map<String, Integer> features,
        Map<String, String> clients,
        String host) {
    private static final String LOCAL = "127.0.0.1";

    public KafkaSetup {
        if (count < 1) {
            throw new IllegalArgumentException("count " + count);
        }
        if (voters < 1 || voters > count) {
            throw new IllegalArgumentException("voters " + voters);
        }
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
        features = Collections.unmodifiableMap(new TreeMap<>(features));
        clients = Map.copyOf(clients);
    }

    public KafkaSetup(KafkaVersion version, int count, Map<String, String> properties, Map<String, Integer> features) {
        this(version, count, 1, properties, features, Map.of(), LOCAL);
    }

    /** One broker that answers all that its version can. */
    public static KafkaSetup of(KafkaVersion version) {
        return new KafkaSetup(version, 1, Map.of(), Map.of());
    }

    /** One broker that cannot answer the consumer and streams group protocols, so that nothing but Muster does. */
    public static KafkaSetup withoutModernGroups(KafkaVersion version) {
        return of(version).feature("group.version", 0).feature("streams.version", 0);
    }

    /** Three such brokers with the older transactions, all of them controllers, which replace a dead one soon. */
    public static KafkaSetup threeWithoutModernGroups(KafkaVersion version) {
        return withoutModernGroups(version)
                .brokers(3)
                .voters(3)
                .feature("transaction.version", 1)
                .property("broker.session.timeout.ms", "3000")
                .property("broker.heartbeat.interval.ms", "500");
    }

    public KafkaSetup brokers(int number) {
        return new KafkaSetup(version, number, voters, properties, features, clients, host);
    }

    public KafkaSetup voters(int number) {
        return new KafkaSetup(version, count, number, properties, features, clients, host);
    }

    public KafkaSetup property(String key, String value) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put(key, value);
        return new KafkaSetup(version, count, voters, all, features, clients, host);
    }

    public KafkaSetup feature(String name, int level) {
        Map<String, Integer> all = new TreeMap<>(features);
        all.put(name, level);
        return new KafkaSetup(version, count, voters, properties, all, clients, host);
    }

    /** Lets clients come by another address of this machine than the one that only it can use. */
    public KafkaSetup at(String address) {
        return new KafkaSetup(version, count, voters, properties, features, clients, address);
    }

    /** Has the brokers ask who a client is, and let it do only what an authorizer allows. */
    public KafkaSetup withUsers(Users users) {
        KafkaSetup secured = this;
        for (Map.Entry<String, String> property : users.brokerProperties().entrySet()) {
            secured = secured.property(property.getKey(), property.getValue());
        }
        return new KafkaSetup(
                version,
                count,
                voters,
                secured.properties(),
                features,
                users.clientProperties(Users.ADMINISTRATOR),
                host);
    }
}
