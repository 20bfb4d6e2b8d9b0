package io.muster.cluster.security;

import io.muster.cluster.kafka.Users;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Topics and permissions, the same on all brokers. */
final class Places {
    /** Muster's own principal. */
    static final String MUSTER = "muster";

    /** The transaction that the reader may use. */
    static final String TRANSACTION = "readers-transaction";

    /** Each has one partition more than the one before. */
    static final List<String> TOPICS = List.of("in", "shown", "secret");

    private Places() {}

    static void prepare(String bootstrap, Users users) throws ExecutionException, InterruptedException {
        try (Admin admin = admin(bootstrap, users)) {
            admin.createTopics(TOPICS.stream()
                            .map(name -> new NewTopic(name, TOPICS.indexOf(name) + 1, (short) 1))
                            .toList())
                    .all()
                    .get();
            List<AclBinding> bindings = new ArrayList<>();
            String reader = Requests.READER;
            bindings.add(allow(reader, ResourceType.GROUP, "open", PatternType.PREFIXED, AclOperation.READ));
            bindings.add(allow(reader, ResourceType.GROUP, "shown", PatternType.PREFIXED, AclOperation.DESCRIBE));
            bindings.add(allow(reader, ResourceType.GROUP, "deletable", PatternType.PREFIXED, AclOperation.DELETE));
            bindings.add(allow(reader, ResourceType.TOPIC, "in", PatternType.LITERAL, AclOperation.READ));
            bindings.add(allow(reader, ResourceType.TOPIC, "shown", PatternType.LITERAL, AclOperation.DESCRIBE));
            bindings.add(allow(reader, ResourceType.TOPIC, "app-", PatternType.PREFIXED, AclOperation.DESCRIBE));
            bindings.add(
                    allow(reader, ResourceType.TRANSACTIONAL_ID, TRANSACTION, PatternType.LITERAL, AclOperation.WRITE));
            String operator = Requests.OPERATOR;
            bindings.add(allow(
                    operator, ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL, AclOperation.DESCRIBE));
            bindings.add(allow(operator, ResourceType.GROUP, "open", PatternType.PREFIXED, AclOperation.ALL));
            bindings.add(allow(operator, ResourceType.TOPIC, "*", PatternType.LITERAL, AclOperation.DESCRIBE));
            bindings.add(allow(MUSTER, ResourceType.GROUP, "*", PatternType.LITERAL, AclOperation.READ));
            bindings.add(allow(MUSTER, ResourceType.TOPIC, "*", PatternType.LITERAL, AclOperation.DESCRIBE));
            admin.createAcls(bindings).all().get();
        }
    }

    static Set<String> topics(String bootstrap, Users users) throws ExecutionException, InterruptedException {
        try (Admin admin = admin(bootstrap, users)) {
            return admin.listTopics().names().get();
        }
    }

    /** What Muster's nodes have to be told: who they are, and to let Streams groups begin at once as the stock broker does. */
    static String musterConfig(Users users) {
        return users.upstreamProperties(MUSTER) + """
                coordinator:
                  streams:
                    initialRebalanceDelay: 0ms
                """;
    }

    private static Admin admin(String bootstrap, Users users) {
        Map<String, Object> config = new HashMap<>(users.clientProperties(Users.ADMINISTRATOR));
        config.put("bootstrap.servers", bootstrap);
        return Admin.create(config);
    }

    private static AclBinding allow(
            String user, ResourceType type, String name, PatternType pattern, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }
}
