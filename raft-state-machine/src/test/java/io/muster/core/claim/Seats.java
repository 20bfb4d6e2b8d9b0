package io.muster.core.claim;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.MemberProfile;
import io.muster.core.NoGroup;
import io.muster.core.TypedGroup;
import io.muster.core.consumer.ConsumerGroupLogic;
import java.util.List;

/** Groups of which the claim needs to know nothing but who their members are. */
final class Seats {
    private static final ConsumerGroupLogic CONSUMERS = new ConsumerGroupLogic(new ClaimLogic());

    private Seats() {}

    static TypedGroup of(String... memberIds) {
        TypedGroup group = CONSUMERS.evolve(new NoGroup(), new GroupSet(1, 1, 0));
        for (String memberId : memberIds) {
            ClientInfo client = new ClientInfo("client", "/10.0.0.1");
            group = CONSUMERS.evolve(
                    group,
                    new MemberSet(new MemberProfile.Details(memberId, null, null, client, -1), List.of(), "", null));
        }
        return group;
    }
}
