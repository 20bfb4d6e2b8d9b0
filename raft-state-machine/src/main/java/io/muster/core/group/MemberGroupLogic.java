package io.muster.core.group;

import io.muster.core.Arrival;
import io.muster.core.Command;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.Group;
import io.muster.core.GroupCommand.RemoveMembers;
import io.muster.core.GroupCommand.ShortenSession;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupLogic;
import io.muster.core.GroupRecord;
import io.muster.core.GroupType;
import java.util.Optional;
import java.util.SortedMap;

/** The skeleton of every group type's logic: what has to do with members whatever they share out among them. */
public abstract class MemberGroupLogic<C extends Command, R extends GroupRecord> implements GroupLogic<C, R> {
    private final GroupType type;
    private final MemberRemoval removal;

    /** @param removal raises the epoch of groups of this type */
    protected MemberGroupLogic(GroupType type, MemberRemoval removal) {
        this.type = type;
        this.removal = removal;
    }

    /** Answers what is open, once members whose time was up are removed. */
    protected abstract void answerOpen(GroupDraft draft, SortedMap<Integer, Arrival> accepted);

    @Override
    public final GroupType type() {
        return type;
    }

    @Override
    public void removeMembers(GroupDraft draft, int index, RemoveMembers command) {
        removal.answer(draft, index, command);
    }

    @Override
    public final void shortenSession(GroupDraft draft, int index, ShortenSession command) {
        MemberTimers.answer(draft, index, command);
    }

    @Override
    public final void loaded(GroupDraft draft) {
        MemberTimers.armAll(draft);
    }

    @Override
    public final void conclude(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        if (draft.group().typed().type().filter(type::equals).isPresent()) {
            removal.expire(draft, accepted);
            answerOpen(draft, accepted);
        } else {
            OpenHeartbeats.of(draft, accepted)
                    .keySet()
                    .forEach(index -> draft.reply(index, GroupValidation.notFound(draft, type)));
        }
    }

    @Override
    public final void removeAll(GroupDraft draft, String detail) {
        removal.removeAll(draft, detail);
    }

    @Override
    public final Optional<GroupError> judgeFetch(Group group, AdmitFetch fetch) {
        return CommitJudgement.judge(group.typed(), fetch);
    }
}
