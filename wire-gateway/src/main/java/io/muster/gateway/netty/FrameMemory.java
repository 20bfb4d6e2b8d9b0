package io.muster.gateway.netty;

import io.netty.buffer.ByteBuf;

/** Where the memory comes from of frames that do not arrive in one piece. On the channel's event loop only. */
interface FrameMemory {
    /** Frames up to this size, in bytes, are collected in the channel's pooled buffers; larger ones ask here first. */
    int SMALL_BYTES = 64 * 1024;

    /** Tells how much of a small frame is held now, bytes; 0 once it is complete. */
    void collecting(int bytes);

    /** More of a frame arrived. */
    void progressed();

    /**
     * Asks for the memory of a large frame.
     *
     * @param whenRoom runs on the event loop once there is room, if there is none now
     * @return whether there is room now
     */
    boolean admit(int frameBytes, Runnable whenRoom);

    /** A buffer for a frame that was admitted; its memory is given back when it is released. */
    ByteBuf allocate(int capacity, int frameBytes);

    /** The channel is gone, with or without a frame that was admitted and has no buffer yet. */
    void closed();
}
