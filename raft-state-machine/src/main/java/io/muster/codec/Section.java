package io.muster.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A part of a group's keys: its code, and within it a member id or a number. What goes with the group lies under one prefix. The codes
 * never change, and their order is one in which a group can be folded: the whole group before its members, a member before what is
 * said of it.
 */
enum Section {
    CONFIGS(10),
    HISTORY(11),
    TOKEN(20, 1),
    CLAIM(20, 2),
    TOPIC_BASIS(20, 3),
    GROUP(20, 10),
    TOPOLOGY(20, 11),
    TOPOLOGY_DESCRIPTION(20, 12),
    PATTERN(20, 13),
    MEMBER(20, 20),
    TASK_OFFSETS(20, 21),
    TARGET(20, 22),
    CURRENT(20, 23),
    COMMIT_CONNECTION(20, 24);

    private static final byte[] GONE_WITH_THE_GROUP = {20};
    private static final Section[] ALL = values();
    private static final Section[] OF_A_MEMBER = {MEMBER, TASK_OFFSETS, TARGET, CURRENT, COMMIT_CONNECTION};

    /** Of the codes of all sections with texts. */
    private static final int LENGTH = 2;

    private final int first;
    /** 0 if there is none. */
    private final int second;

    Section(int first) {
        this(first, 0);
    }

    Section(int first, int second) {
        this.first = first;
        this.second = second;
    }

    /** The prefix of all but configs and history, within a group. */
    static byte[] goneWithTheGroup() {
        return GONE_WITH_THE_GROUP.clone();
    }

    /** What is kept of each member under its id. */
    static Section[] ofAMember() {
        return OF_A_MEMBER.clone();
    }

    /** Whether a key, or a prefix of keys, within a group lies in a section that is known here, or is that of several. */
    static boolean isKnown(byte[] key) {
        for (Section section : ALL) {
            if (Keys.startsWith(key, section.key())) {
                return true;
            }
        }
        return Arrays.equals(key, GONE_WITH_THE_GROUP);
    }

    /** The key of the whole section, within a group; also the prefix of all its keys. */
    byte[] key() {
        return second == 0 ? new byte[] {(byte) first} : new byte[] {(byte) first, (byte) second};
    }

    byte[] key(String text) {
        return Keys.join(key(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** What {@link #key(String)} was made of. */
    static String textOf(byte[] key) {
        return new String(key, LENGTH, key.length - LENGTH, StandardCharsets.UTF_8);
    }

    /** Numbers from 0 sort as numbers. */
    byte[] key(long number) {
        return Keys.join(key(), ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /** The key of the whole section in the store. */
    byte[] of(String groupId) {
        return Keys.join(Keys.group(groupId), key());
    }
}
