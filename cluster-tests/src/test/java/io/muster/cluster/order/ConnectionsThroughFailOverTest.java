package io.muster.cluster.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A leader dies with its gateway: its clients reconnect once, and all others not at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class ConnectionsThroughFailOverTest {
    private static final int MEMBERS_OF_EACH_KIND = 3;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private MusterCluster muster;
    private OrdinaryClients clients;
    private String topic;
    private Uuid topicId;

    @BeforeAll
    void start() throws Exception {
        muster = MusterCluster.start(KAFKA.brokers(), "");
        clients = new OrdinaryClients(KAFKA.brokers().bootstrap(), muster.bootstrap());
        topic = "through-fail-over";
        topicId = clients.create(topic);
    }

    @AfterAll
    void stop() {
        clients.close();
        muster.close();
    }

    /** The gateway that they come to has restarted, and has admitted no commit since. */
    @Test
    void clientsOfADeadLeader_reconnectOnce_evenToAGatewayThatAdmittedNothing() {
        // Given members that committed by the leader's gateway before and after another one restarted, and one
        // elsewhere
        MusterNode killed = muster.awaitLeader(muster.nodes());
        MusterNode restarted = muster.others(killed).get(0);
        List<Member> moving = new ArrayList<>(membersAt(killed, "before"));
        restarted.kill();
        restarted.restart();
        moving.addAll(membersAt(killed, "after"));
        List<Member> staying = membersAt(muster.others(killed).get(1), "elsewhere");

        // When the leader dies, and its clients come by new connections at once
        killed.kill();
        List<Member> moved =
                moving.stream().map(member -> member.movedTo(restarted)).toList();

        // Then
        for (Member member : moved) {
            assertThat(member.commit(2)).isEqualTo(Errors.NONE);
            assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
        }
        for (Member member : staying) {
            assertThat(member.commit(2)).isEqualTo(Errors.NONE);
            assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
        }
        moved.forEach(Member::close);
        staying.forEach(Member::close);
        killed.restart();
    }

    private List<Member> membersAt(MusterNode node, String kind) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS_OF_EACH_KIND; i++) {
            GroupConnection connection = open(node, "fail-over-" + kind + "-" + i);
            Member member = new Member(connection, connection.join("m"));
            assertThat(member.commit(1)).isEqualTo(Errors.NONE);
            members.add(member);
        }
        return members;
    }

    private GroupConnection open(MusterNode node, String group) {
        return GroupConnection.open(node.gatewayPort(), group, topic, topicId);
    }

    /** The only member of its group. */
    private record Member(GroupConnection connection, int epoch) {
        Member movedTo(MusterNode node) {
            connection.close();
            return new Member(
                    GroupConnection.open(
                            node.gatewayPort(), connection.group(), connection.topic(), connection.topicId()),
                    epoch);
        }

        Errors commit(long offset) {
            return GroupConnection.errorOf(connection
                    .callTogether(connection.commitByName("m", epoch, offset))
                    .get(0));
        }

        Errors heartbeat() {
            return GroupConnection.errorOf(
                    connection.callTogether(connection.heartbeat("m", epoch)).get(0));
        }

        void close() {
            connection.close();
        }
    }
}
