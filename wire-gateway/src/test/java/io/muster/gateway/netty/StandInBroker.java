package io.muster.gateway.netty;

import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.awaitility.Awaitility;

/** A broker of a made-up cluster: it answers ApiVersions and Metadata, and what a test teaches it. */
public final class StandInBroker implements AutoCloseable {
    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();
    private final Map<ApiKeys, Answerer> answerers = new ConcurrentHashMap<>();
    final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger pulses = new AtomicInteger();
    private volatile CountDownLatch speech = new CountDownLatch(0);

    /** Answers a request; empty for no answer at all. */
    public interface Answerer {
        Optional<ApiMessage> answer(KafkaRequest request) throws IOException;
    }

    /** Listens as the only broker, with id 0. */
    public StandInBroker() throws IOException {
        server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        names(0, server.getLocalPort());
        answers(ApiKeys.API_VERSIONS, request -> Optional.of(versions()));
        answers(ApiKeys.METADATA, request -> Optional.of(metadata()));
        start(this::acceptAll);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Metadata names a broker at this port from now on. */
    public void names(int brokerId, int port) {
        ports.put(brokerId, port);
    }

    public void answers(ApiKeys api, Answerer answerer) {
        answerers.put(api, answerer);
    }

    /** From now on it takes connections and requests, and says nothing to anybody. */
    void silence() {
        speech = new CountDownLatch(1);
    }

    /** Answers all that it was asked meanwhile, and goes on. */
    void speak() {
        speech.countDown();
    }

    /** Waits until it was asked for its versions so often from now on. */
    void awaitPulses(int count) {
        int before = pulses.get();
        Awaitility.await().until(() -> pulses.get() >= before + count);
    }

    public int connections() {
        return clients.size();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    private static ApiVersionsResponseData versions() {
        ApiVersionsResponseData answer = new ApiVersionsResponseData();
        Collection<ApiKeys> apis = ApiKeys.clientApis();
        apis.forEach(api -> answer.apiKeys()
                .add(new ApiVersion()
                        .setApiKey(api.id)
                        .setMinVersion(api.oldestVersion())
                        .setMaxVersion(api.latestVersion())));
        return answer;
    }

    private MetadataResponseData metadata() {
        MetadataResponseData answer = new MetadataResponseData();
        ports.forEach((id, port) -> answer.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(id)
                        .setHost("127.0.0.1")
                        .setPort(port)));
        return answer;
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                start(() -> serve(client));
            }
        } catch (IOException e) {
            clients.clear();
        }
    }

    private void serve(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            while (true) {
                answer(client, KafkaRequest.parse(ByteBuffer.wrap(in.readNBytes(in.readInt()))));
            }
        } catch (IOException | MalformedRequestException e) {
            clients.remove(client);
        }
    }

    private void answer(Socket client, KafkaRequest request) throws IOException {
        requests.incrementAndGet();
        if (request.api() == ApiKeys.API_VERSIONS) {
            pulses.incrementAndGet();
        }
        awaitSpeech();
        Answerer answerer = answerers.get(request.api());
        if (answerer == null) {
            throw new IOException("a request that the test did not expect: " + request.api());
        }
        Optional<ApiMessage> answer = answerer.answer(request);
        if (answer.isPresent()) {
            ByteBuffer frame = KafkaFrames.response(request, answer.get(), ByteBuffer::allocate)
                    .flip();
            byte[] bytes = new byte[frame.remaining()];
            frame.get(bytes);
            client.getOutputStream().write(bytes);
        }
    }

    private void awaitSpeech() throws IOException {
        try {
            speech.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "stand-in-broker");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, failure) -> {
            if (!(failure instanceof UncheckedIOException)) {
                failure.printStackTrace();
            }
        });
        thread.start();
    }
}
