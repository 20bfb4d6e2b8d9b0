package io.muster.core;

/**
 * An arrival that is decided on.
 *
 * @param index its place among the arrivals of the decision
 */
record DraftedArrival(GroupDraft draft, int index, Arrival arrival) {
    Group group() {
        return draft.group();
    }

    void reply(Response response) {
        draft.reply(index, response);
    }

    void refuse(GroupError error, String message) {
        draft.refuse(index, error, message);
    }

    /** Refuses it since there is no such group. */
    void refuseNotFound() {
        refuse(GroupError.GROUP_ID_NOT_FOUND, "Group " + group().id() + " not found.");
    }

    /** Refuses it since the group is of another type than this. */
    void refuseOther(GroupType type) {
        refuse(GroupError.GROUP_ID_NOT_FOUND, "Group " + group().id() + " is not a " + type.word() + " group.");
    }
}
