package io.muster.gateway.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The kind of sockets: native epoll where it loads, else the JDK's. */
record Transport(
        IoHandlerFactory ioHandlers,
        Class<? extends ServerSocketChannel> serverType,
        Class<? extends SocketChannel> clientType) {
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
    }
}
