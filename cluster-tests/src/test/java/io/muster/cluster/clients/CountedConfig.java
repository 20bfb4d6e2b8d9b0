package io.muster.cluster.clients;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** A group config that is raised by one each time, so that it shows which alterations were lost. */
final class CountedConfig implements AutoCloseable {
    private static final ConfigResource GROUP = new ConfigResource(ConfigResource.Type.GROUP, "counted");
    private static final String NAME = "consumer.session.timeout.ms";

    /** The lowest value that the config may have. */
    private static final int LEAST = 45_000;

    private final Admin admin;
    private int acknowledged = LEAST;
    private int tried = LEAST;

    CountedConfig(String bootstrap) {
        this.admin = Admin.create(
                Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", 3_000, "default.api.timeout.ms", 5_000));
    }

    /** Tries to raise it; whether that was acknowledged. */
    boolean raise() throws InterruptedException {
        tried++;
        AlterConfigOp raised =
                new AlterConfigOp(new ConfigEntry(NAME, Integer.toString(tried)), AlterConfigOp.OpType.SET);
        try {
            admin.incrementalAlterConfigs(Map.of(GROUP, List.of(raised))).all().get();
            acknowledged = tried;
            return true;
        } catch (ExecutionException refused) {
            return false;
        }
    }

    /** Whether it is what was acknowledged last, or what was tried after that. */
    boolean isKept() throws InterruptedException, ExecutionException {
        int now = Integer.parseInt(admin.describeConfigs(List.of(GROUP))
                .all()
                .get()
                .get(GROUP)
                .get(NAME)
                .value());
        return acknowledged <= now && now <= tried;
    }

    @Override
    public void close() {
        admin.close();
    }
}
