package io.muster.gateway.netty;

import io.muster.core.CoordinatorConfig;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.api.ApiRegistry;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.permissions.PermissionRefresh;
import io.muster.gateway.upstream.BrokerPulse;
import io.muster.gateway.upstream.BrokerWatch;
import io.muster.gateway.upstream.EndOffsetReader;
import io.muster.gateway.upstream.HostNames;
import io.muster.gateway.upstream.ReadGate;
import io.muster.gateway.upstream.UpstreamConfig;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway: it listens on a port for each broker of the upstream cluster. */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final int BACKLOG = 1024;

    /** Replies to requests that arrived together are sent together, this many at a time. */
    private static final int FLUSH_AFTER = 64;

    private static final long CLOSE_SECONDS = 5;

    private final GatewayConfig config;
    private final InetSocketAddress bindAddress;
    private final Transport transport;
    private final Services services;
    private final BrokerWatch watch;
    private final EndOffsetReader endOffsets;
    private final HostNames names = new HostNames();
    private final EventLoopGroup acceptors;
    private final EventLoopGroup workers;
    private final Set<ClientConnection> unfinished = ConcurrentHashMap.newKeySet();
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /**
     * Makes a gateway; it does nothing before {@link #start}.
     *
     * @param defaults the cluster's defaults, which describe answers show
     */
    public Gateway(GatewayConfig config, UpstreamConfig upstream, Coordinator coordinator, CoordinatorConfig defaults) {
        this.config = config;
        this.bindAddress = new InetSocketAddress(config.bindHost(), 0);
        Transport transport = Transport.best();
        VirtualBrokers brokers = new VirtualBrokers(
                config.advertisedHost(),
                config.basePort(),
                this::open,
                troubles -> coordinator.troubles(troubles.entrySet().stream()
                        .map(trouble -> "broker " + trouble.getKey() + " is left out: " + trouble.getValue())
                        .toList()));
        UpstreamVersions versions = new UpstreamVersions();
        ReplyMemory replies = new ReplyMemory(config.limits().replyMemoryBytes(), System::nanoTime);
        UpstreamWiring wiring = new UpstreamWiring(transport, names, replies);
        BrokerPulse pulse = new BrokerPulse(() -> wiring.on(workers().next()), brokers::upstreamOf, System::nanoTime);
        this.transport = transport;
        this.endOffsets = new EndOffsetReader(upstream);
        this.services = new Services(
                new ApiDispatcher(ApiRegistry.all(
                        new ApiRegistry.Parts(coordinator, brokers, versions, endOffsets, defaults, pulse::isSilent))),
                new UpstreamBrokers(brokers, versions, pulse, wiring, !upstream.asksForNames()),
                new ClientFrames(
                        config.limits(),
                        new RequestMemory(config.limits().requestMemoryBytes(), System::nanoTime),
                        replies),
                ConnectionPatience.of(config.patience(), defaults),
                new Services.Offsets(coordinator, new TopicNames()),
                PermissionRefresh.every(config.permissionRefresh()),
                new LongAdder());
        this.acceptors =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("gateway-accept"), transport.ioHandlers());
        this.workers = new MultiThreadIoEventLoopGroup(0, new DefaultThreadFactory("gateway"), transport.ioHandlers());
        this.watch = new BrokerWatch(upstream, brokers, versions);
    }

    /** Starts; completes when the ports of the first brokers are open, exceptionally if none can be. */
    public CompletableFuture<Void> start() {
        if (bindAddress.isUnresolved()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("there is no address " + config.bindHost()));
        }
        return watch.start();
    }

    /** {@code host:port} of each broker known now, for {@code bootstrap.servers}. */
    public List<String> bootstrapServers() {
        return services.upstream().addresses().ids().stream()
                .flatMap(id -> services.upstream().addresses().shown(id).stream())
                .map(at -> at.host() + ":" + at.port())
                .toList();
    }

    /** Connections of clients, those included that are gone but whose requests are not carried out yet. */
    int unfinishedConnections() {
        return unfinished.size();
    }

    /** Connections whose requests were not finished in time after the client was gone, since the start. */
    public long abandonedConnections() {
        return services.abandoned().sum();
    }

    @Override
    public void close() {
        watch.close();
        endOffsets.close();
        var unusedClosed = channels.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        CompletableFuture.allOf(
                        unfinished.stream().map(ClientConnection::finished).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                .join();
        names.close();
        var unusedAcceptors = acceptors.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        var unusedWorkers = workers.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private EventLoopGroup workers() {
        return workers;
    }

    private CompletableFuture<Void> open(int brokerId) {
        int port = config.basePort() + brokerId;
        CompletableFuture<Void> opened = new CompletableFuture<>();
        ChannelFuture bound = new ServerBootstrap()
                .group(acceptors, workers)
                .channel(transport.serverType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel, brokerId);
                    }
                })
                .bind(new InetSocketAddress(bindAddress.getAddress(), port));
        var unused = bound.addListener(done -> {
            if (bound.isSuccess()) {
                channels.add(bound.channel());
                LOG.atInfo()
                        .addKeyValue("broker", brokerId)
                        .addKeyValue("port", port)
                        .log("listening");
                opened.complete(null);
            } else {
                opened.completeExceptionally(new IllegalStateException(
                        "cannot listen on " + config.bindHost() + ":" + port + " for broker " + brokerId + ": "
                                + bound.cause().getMessage(),
                        bound.cause()));
            }
        });
        return opened;
    }

    private void accept(Channel channel, int brokerId) {
        ClientConnection connection = new ClientConnection(channel, brokerId, services);
        channels.add(channel);
        unfinished.add(connection);
        var unused = connection.finished().thenRun(() -> unfinished.remove(connection));
        KafkaFrameDecoder requests = services.frames().requestsOf(channel);
        ConnectionTimes times =
                ConnectionTimes.of(config.limits(), requests, ReadGate.of(channel), connection::owesReplies);
        channel.pipeline()
                .addLast(
                        new FlushConsolidationHandler(FLUSH_AFTER, false),
                        requests,
                        times,
                        connection.untakenReplies(),
                        connection);
    }
}
