package io.muster.rpc;

import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that reads and writes all gRPC connections of a server, or of a client. What runs on it must not block. */
public final class RpcLoop implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RpcLoop.class);
    private static final long CLOSE_TIMEOUT_MILLIS = 1_000;

    private final EventLoopGroup thread;

    public RpcLoop(String name) {
        this.thread = new MultiThreadIoEventLoopGroup(1, DaemonThreads.named(name), NioIoHandler.newFactory());
    }

    /** A channel that is served by this thread, and whose answers come on it. */
    public NettyChannelBuilder channelTo(String host, int port) {
        return NettyChannelBuilder.forAddress(host, port, InsecureChannelCredentials.create())
                .eventLoopGroup(thread)
                .channelType(NioSocketChannel.class)
                .directExecutor();
    }

    NettyServerBuilder serverAt(InetSocketAddress address) {
        return NettyServerBuilder.forAddress(address, InsecureServerCredentials.create())
                .bossEventLoopGroup(thread)
                .workerEventLoopGroup(thread)
                .channelType(NioServerSocketChannel.class);
    }

    /** Runs a task after what the thread has to do already; nothing happens once it is closed. */
    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the connections are closed", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
