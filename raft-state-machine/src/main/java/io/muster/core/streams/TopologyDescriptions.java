package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupState;
import io.muster.core.LeaderMemory.StreamsMemory;
import io.muster.core.Response;
import io.muster.core.StreamsCommand.UpdateTopologyDescription;
import io.muster.core.StreamsGroupRecord.TopologyDescriptionSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.Topology;
import io.muster.core.group.GroupValidation;
import java.util.Optional;

/** The textual topologies that members push (KIP-1331); one is kept for each topology epoch that the group has. */
final class TopologyDescriptions {
    /** The first heartbeat version whose clients can be asked. */
    private static final int ASKING_VERSION = 1;

    /** A group is asked once its target is this old, milliseconds: a young one has better things to do. */
    private static final long SETTLED_MILLIS = 10_000;

    /** How long one member is given to push before another is asked, milliseconds. */
    private static final long PATIENCE_MILLIS = 30_000;

    private static final int LARGEST_BYTES = 1 << 20;

    private TopologyDescriptions() {}

    static void store(GroupDraft draft, int index, UpdateTopologyDescription update) {
        StreamsGroup group = StreamsGroup.of(draft);
        Optional<StreamsMember> member = group.members().find(update.memberId());
        if (member.isEmpty()) {
            draft.reply(index, GroupValidation.unknownMember(draft, update.memberId()));
            return;
        }
        if (update.description().equals(Bytes.EMPTY)) {
            // There is nothing to keep of it, so the answer is that of a broker that keeps none.
            draft.refuse(
                    index,
                    GroupError.UNSUPPORTED_VERSION,
                    "The broker has no streams group topology description plugin configured.");
            return;
        }
        int epoch = update.topologyEpoch();
        if (epoch != member.get().profile().topologyEpoch()
                || group.topologies().find(epoch).isEmpty()) {
            draft.refuse(index, GroupError.INVALID_REQUEST, mismatch(epoch, group, member.get()));
            return;
        }
        if (update.description().toArray().length > LARGEST_BYTES) {
            draft.refuse(
                    index,
                    GroupError.STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED,
                    "The topology description is larger than " + LARGEST_BYTES + " bytes.");
            return;
        }
        Optional<Bytes> known =
                Optional.ofNullable(group.topologies().descriptions().get(epoch));
        if (!known.equals(Optional.of(update.description()))) {
            draft.emit(new TopologyDescriptionSet(epoch, update.description()));
        }
        draft.reply(index, new Response.Done());
    }

    private static String mismatch(int epoch, StreamsGroup group, StreamsMember member) {
        int current = group.topology().map(Topology::epoch).orElseThrow();
        return epoch != current
                ? "Topology epoch " + epoch + " does not match the group's current topology epoch " + current + "."
                : "The description is of topology epoch " + epoch + ", but the member's topology epoch is "
                        + member.profile().topologyEpoch() + ".";
    }

    /** Whether to ask the member of this heartbeat for the description of the group's topology, and remembers to have asked. */
    static boolean ask(GroupDraft draft, StreamsHeartbeat heartbeat, StreamsMember member) {
        StreamsGroup group = StreamsGroup.of(draft);
        int epoch = group.topology().map(Topology::epoch).orElseThrow();
        boolean wanted = heartbeat.apiVersion() >= ASKING_VERSION
                && member.profile().topologyEpoch() == epoch
                && !group.topologies().descriptions().containsKey(epoch);
        StreamsMemory memory = draft.memory().streams();
        long now = draft.context().nowMillis();
        boolean due = draft.context().hasPassedSince(group.status().assignedAtMillis(), SETTLED_MILLIS)
                && now - memory.descriptionAskedAtMillis() >= PATIENCE_MILLIS;
        if (!wanted || !due || group.state() != GroupState.STABLE) {
            return false;
        }
        draft.remember(draft.memory().withStreams(memory.withDescriptionAskedAtMillis(now)));
        return true;
    }
}
