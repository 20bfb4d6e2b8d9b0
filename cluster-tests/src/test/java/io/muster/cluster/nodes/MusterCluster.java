package io.muster.cluster.nodes;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.rpc.proto.AdminWire.NodeState;
import io.muster.rpc.proto.AdminWire.NodeStatusRequest;
import io.muster.rpc.proto.AdminWire.ShardState;
import io.muster.rpc.proto.AdminWire.TransferLeadershipRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** {@code muster server} processes, three if nothing else is said, each a coordinator and a gateway, before a Kafka cluster. Logs stay in {@code target/muster}. */
public final class MusterCluster implements AutoCloseable {
    private static final int NODES = 3;
    private static final int SHARD = 0;
    private static final Duration LEADER_LIMIT = Duration.ofSeconds(30);
    private static final Duration EQUAL_LIMIT = Duration.ofSeconds(60);

    private final int brokers;
    private final List<MusterNode> nodes;

    private MusterCluster(MusterLayout layout, int brokers) {
        this.brokers = brokers;
        this.nodes = layout.places().stream()
                .map(place -> new MusterNode(layout, place))
                .toList();
    }

    /**
     * Starts the nodes and waits until they have a leader.
     *
     * @param extra more sections of the configuration, in YAML; may be empty
     */
    public static MusterCluster start(KafkaBrokers upstream, String extra) {
        return start(upstream, extra, IntUnaryOperator.identity());
    }

    /**
     * Starts nodes that find each other's services at other ports than their own.
     *
     * @param rpcRoads from the port where a node serves gateways, the one where the others find it
     */
    public static MusterCluster start(KafkaBrokers upstream, String extra, IntUnaryOperator rpcRoads) {
        return start(MusterLayout.of(NODES, upstream, extra, rpcRoads), upstream);
    }

    /** Starts a cluster of a single node, for what does not depend on their number. */
    public static MusterCluster startOne(KafkaBrokers upstream) {
        return startOne(upstream, "");
    }

    /** @param extra more sections of the configuration, in YAML; may be empty */
    public static MusterCluster startOne(KafkaBrokers upstream, String extra) {
        return start(MusterLayout.of(1, upstream, extra, IntUnaryOperator.identity()), upstream);
    }

    /** Starts a node on each of the hosts. */
    public static MusterCluster start(KafkaBrokers upstream, String extra, List<NodeHost> hosts) {
        return start(MusterLayout.of(hosts, upstream, extra, IntUnaryOperator.identity()), upstream);
    }

    private static MusterCluster start(MusterLayout layout, KafkaBrokers upstream) {
        MusterCluster cluster = new MusterCluster(layout, upstream.count());
        try {
            cluster.launchAll();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<MusterNode> nodes() {
        return nodes;
    }

    /** {@code host:port} of every gateway's first port, separated by commas: what a client takes for its brokers. */
    public String bootstrap() {
        return nodes.stream()
                .map(node -> node.host() + ":" + node.gatewayPort())
                .collect(Collectors.joining(","));
    }

    /** Every port that clients of this cluster may be told. */
    public List<Integer> gatewayPorts(MusterNode node) {
        return IntStream.range(node.gatewayPort(), node.gatewayPort() + brokers)
                .boxed()
                .toList();
    }

    /** Starts every node, with what its directory holds, and waits until one leads. */
    public void launchAll() {
        nodes.forEach(MusterNode::launch);
        nodes.forEach(MusterNode::awaitReady);
        awaitLeader(nodes);
    }

    /** The node that leads the first shard, once all of these agree. */
    public MusterNode awaitLeader(List<MusterNode> among) {
        return Awaitility.await("a leader among " + ids(among))
                .atMost(LEADER_LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .ignoreException(StatusRuntimeException.class)
                .until(() -> leaders(among), leaders -> leaders.size() == 1)
                .get(0);
    }

    /** All nodes but this one. */
    public List<MusterNode> others(MusterNode node) {
        return nodes.stream().filter(each -> each != node).toList();
    }

    /** A node that does not lead the first shard. */
    public MusterNode follower() {
        return others(awaitLeader(nodes)).get(0);
    }

    /** Hands the leadership of the first shard to this node; refused while it cannot take it. */
    public void transferLeadership(MusterNode to) {
        var unused = to.admin()
                .transferLeadership(TransferLeadershipRequest.newBuilder()
                        .setShard(SHARD)
                        .setToNodeId(to.id())
                        .build());
    }

    /** Waits until all nodes have applied the same entries and their stores hold the same bytes. */
    public void awaitEqualStores() {
        Awaitility.await("equal stores")
                .atMost(EQUAL_LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .ignoreException(StatusRuntimeException.class)
                .until(() ->
                        nodes.stream().map(MusterCluster::stored).distinct().count() == 1);
    }

    @Override
    public void close() {
        nodes.forEach(MusterNode::close);
    }

    /** What a node's store holds, as far as it has applied. */
    private record Stored(long appliedIndex, String digest) {}

    private static Stored stored(MusterNode node) {
        ShardState shard = shard(node, true);
        return new Stored(shard.getAppliedIndex(), shard.getStoreDigest());
    }

    private static List<MusterNode> leaders(List<MusterNode> among) {
        List<ShardState> states = among.stream().map(MusterCluster::shard).toList();
        List<String> known =
                states.stream().map(ShardState::getLeaderId).distinct().toList();
        return among.stream()
                .filter(node -> known.equals(List.of(node.id()))
                        && shard(node).getRole().equals("LEADER"))
                .toList();
    }

    private static ShardState shard(MusterNode node) {
        return shard(node, false);
    }

    private static ShardState shard(MusterNode node, boolean digest) {
        NodeState state = node.admin()
                .nodeStatus(NodeStatusRequest.newBuilder().setDigests(digest).build());
        return state.getShardsList().stream()
                .filter(shard -> shard.getShard() == SHARD)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(node.id() + " has no shard " + SHARD));
    }

    private static List<String> ids(List<MusterNode> among) {
        return among.stream().map(MusterNode::id).toList();
    }
}
