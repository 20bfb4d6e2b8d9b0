package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;

/** Where the memory comes from of frames that do not arrive in one piece. On the channel's event loop only. */
interface FrameMemory {
    /** Frames up to this size, in bytes, are collected in the channel's pooled buffers; larger ones ask here first. */
    int SMALL_BYTES = 64 * 1024;

    /** Tells how much of a small frame is held now, bytes; 0 once it is not any more. */
    void collecting(int bytes);

    /** More of a frame arrived. */
    void progressed();

    /**
     * Asks for the memory of a large frame.
     *
     * @param capacity what its buffer holds at first, bytes
     * @param frameBytes the size of the frame
     * @param whenRoom runs on the event loop once there is room, if there is none now; then the same is to be asked again
     * @return whether there is room now
     */
    boolean admit(int capacity, int frameBytes, Runnable whenRoom);

    /** Asks for more memory for the same frame, as {@link #admit} does. */
    boolean grow(int bytes, Runnable whenRoom);

    /** A buffer for a frame that was admitted; its memory is given back when it is released. */
    ByteBuf allocate(int capacity, int frameBytes);

    /** The frame is complete, and belongs to somebody else now. */
    void completed();

    /** The channel is gone. */
    void closed();
}
