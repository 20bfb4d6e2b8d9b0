package io.muster.gateway.upstream;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Looks up the names of brokers on threads of its own, since the JDK's look-up blocks for seconds when a name server is silent. Those
 * who ask for a name at the same time share one look-up. An address that is no name waits for nobody. Any thread.
 */
public final class HostNames extends AddressResolverGroup<InetSocketAddress> {
    private static final int THREADS = 4;

    private final ExecutorService threads =
            Executors.newFixedThreadPool(THREADS, UpstreamClaimExecutor.threads("host-names"));
    private final ConcurrentMap<String, CompletableFuture<List<InetAddress>>> asked = new ConcurrentHashMap<>();
    private final Lookup lookup;

    /** A look-up that may block. */
    interface Lookup {
        InetAddress[] all(String host) throws UnknownHostException;
    }

    public HostNames() {
        this(InetAddress::getAllByName);
    }

    HostNames(Lookup lookup) {
        this.lookup = lookup;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Resolver(executor).asAddressResolver();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        super.close();
    }

    private CompletableFuture<List<InetAddress>> find(String host) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            return addressOf(host);
        }
        CompletableFuture<List<InetAddress>> found =
                asked.computeIfAbsent(host, name -> CompletableFuture.supplyAsync(() -> look(name), threads));
        return found.whenComplete((addresses, failure) -> asked.remove(host, found));
    }

    private static CompletableFuture<List<InetAddress>> addressOf(String literal) {
        try {
            return CompletableFuture.completedFuture(List.of(InetAddress.getByName(literal)));
        } catch (UnknownHostException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<InetAddress> look(String host) {
        try {
            return List.of(lookup.all(host));
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    private final class Resolver extends InetNameResolver {
        Resolver(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            var unused = find(host).whenComplete((addresses, failure) -> {
                if (failure == null) {
                    promise.trySuccess(addresses.get(0));
                } else {
                    promise.tryFailure(failure);
                }
            });
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            var unused = find(host).whenComplete((addresses, failure) -> {
                if (failure == null) {
                    promise.trySuccess(addresses);
                } else {
                    promise.tryFailure(failure);
                }
            });
        }
    }
}
