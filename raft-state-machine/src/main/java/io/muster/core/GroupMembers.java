package io.muster.core;

import java.util.List;
import java.util.Optional;

/** The members of a group. */
public interface GroupMembers<M extends GroupMember> {
    int size();

    Optional<M> find(String memberId);

    /** The member that has this instance id now. */
    Optional<M> findStatic(String instanceId);

    /** All members, ordered by id. */
    List<M> all();

    default boolean isEmpty() {
        return size() == 0;
    }
}
