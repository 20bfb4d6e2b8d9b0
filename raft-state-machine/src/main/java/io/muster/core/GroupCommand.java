package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What clients and operators ask of a group besides heartbeats and offsets. */
public sealed interface GroupCommand extends Command {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(Describe command);

        T on(Inspect command);

        T on(History command);

        T on(Delete command);

        T on(Release command);

        T on(RemoveMembers command);

        T on(ShortenSession command);

        T on(AlterConfigs command);

        T on(DescribeConfigs command);
    }

    /** Hands the command to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(Command.Handler<T> handler) {
        return handler.on(this);
    }

    /** Describes the group if it is of this type; answered with {@link GroupDescription}. */
    record Describe(String groupId, GroupType type) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Describes the group whatever its type is, claim and history included, for operators. */
    record Inspect(String groupId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Asks why the group rebalanced, also after it is gone; answered with {@link Response.GroupHistory}. */
    record History(String groupId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Deletes an empty group; NON_EMPTY_GROUP otherwise. The claim leaves first. */
    record Delete(String groupId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Gives the group back to the brokers: the claim leaves and Muster forgets the group. Refused while it has members. */
    record Release(String groupId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * Removes members (LeaveGroup of consumer groups, and the operator's removal). Answered with one result a member.
     *
     * @param byOperator whether it is the operator's removal, which knows every group type
     */
    record RemoveMembers(String groupId, List<MemberKey> members, boolean byOperator) implements GroupCommand {
        public RemoveMembers {
            members = List.copyOf(members);
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * Has a member's session end after two heartbeat intervals at most unless a heartbeat of it arrives: a leave that may be lost is
     * repeated so, since the member may have come back meanwhile. Answered with UNKNOWN_MEMBER_ID if there is no such member.
     */
    record ShortenSession(String groupId, String memberId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** A member by its id, its instance id, or both; an empty string stands for "not given". */
    record MemberKey(String memberId, String instanceId) {}

    /** Sets (value present) or removes (empty) group configs; outlives the group. */
    record AlterConfigs(String groupId, SortedMap<String, Optional<String>> changes, boolean validateOnly)
            implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Answered with the group's own configs, {@link Response.Configs}. */
    record DescribeConfigs(String groupId) implements GroupCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
