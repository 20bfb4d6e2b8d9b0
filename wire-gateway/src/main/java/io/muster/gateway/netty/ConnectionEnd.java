package io.muster.gateway.netty;

import io.muster.gateway.kafka.MalformedRequestException;
import io.netty.channel.Channel;
import org.apache.kafka.common.protocol.ApiKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes one client's connection, with one line in the log that says why. Used on the client's event loop only.
 *
 * @param host the client's, for the log
 */
record ConnectionEnd(Channel channel, String host) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionEnd.class);

    /** Closes the connection for a reason that is no fault, or is logged elsewhere. */
    void close() {
        var unused = channel.close();
    }

    /** Whether nothing more of the client's is to be handled. */
    boolean isClosed() {
        return !channel.isOpen();
    }

    /** Closes the connection since the network, or what arrived, does not allow it to go on. */
    void broken(Throwable cause) {
        LOG.atDebug().addKeyValue("client", host).setCause(cause).log("a connection is closed");
        close();
    }

    /** Closes the connection for what the client sent, as Kafka does. */
    void malformed(MalformedRequestException request) {
        LOG.atDebug().addKeyValue("client", host).setCause(request).log("a connection is closed for what it sent");
        close();
    }

    /** Closes the connection since a request has no answer, for a reason that is not the gateway's. */
    void unanswered(ApiKeys api, Throwable reason) {
        LOG.atDebug().addKeyValue("api", api).setCause(reason).log("a request has no answer");
        close();
    }

    /** Closes the connection for a defect of the gateway. */
    void failed(ApiKeys api, Throwable defect) {
        LOG.atError()
                .addKeyValue("client", host)
                .addKeyValue("api", api)
                .setCause(defect)
                .log("a request could not be handled; its connection is closed");
        close();
    }

    /** Runs a step of handling a request; if it throws, the connection is closed. */
    void guard(ApiKeys api, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            failed(api, e);
        }
    }
}
