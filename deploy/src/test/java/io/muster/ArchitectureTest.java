package io.muster;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.muster.codec.ValueCodec;
import io.muster.rpc.RpcLoop;
import java.util.Random;

/** Holds the arrows between the packages, and each foreign library to the one package that may know it. */
@AnalyzeClasses(packages = "io.muster", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String CORE = "io.muster.core..";
    private static final String STORAGE = "io.muster.storage..";
    private static final String RUNTIME = "io.muster.runtime..";
    private static final String CODEC = "io.muster.codec..";
    private static final String WIRE = "io.muster.wire..";
    private static final String RAFT = "io.muster.raft..";
    private static final String RPC = "io.muster.rpc..";
    private static final String NODE = "io.muster.node..";
    private static final String GATEWAY = "io.muster.gateway..";
    private static final String CLI = "io.muster.cli..";

    @ArchTest
    static final ArchRule core_knowsJdkValuesOnly = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    CORE,
                    "java.lang..",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "java.util.regex",
                    "org.jspecify..",
                    "com.google.re2j");

    @ArchTest
    static final ArchRule core_itself_knowsNoneOfItsParts = noClasses()
            .that()
            .resideInAPackage("io.muster.core")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.muster.core.*");

    @ArchTest
    static final ArchRule whatGroupTypesShare_knowsNone = noClasses()
            .that()
            .resideInAPackage("io.muster.core.group")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.muster.core.consumer", "io.muster.core.streams", "io.muster.core.claim");

    @ArchTest
    static final ArchRule consumerGroups_knowNothingOfStreamsGroups = noClasses()
            .that()
            .resideInAPackage("io.muster.core.consumer")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.muster.core.streams");

    @ArchTest
    static final ArchRule streamsGroups_knowNothingOfConsumerGroups = noClasses()
            .that()
            .resideInAPackage("io.muster.core.streams")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.muster.core.consumer");

    @ArchTest
    static final ArchRule core_readsNoClockAndNoRandom = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(java.util.UUID.class, "randomUUID")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule storage_knowsNothingElseOfMuster = noClasses()
            .that()
            .resideInAPackage(STORAGE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, RUNTIME, CODEC, WIRE, RAFT, RPC, NODE, GATEWAY, CLI);

    @ArchTest
    static final ArchRule runtime_knowsTheCoreOnly = noClasses()
            .that()
            .resideInAPackage(RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORAGE, CODEC, WIRE, RAFT, RPC, NODE, GATEWAY, CLI);

    @ArchTest
    static final ArchRule wire_translatesOnly = noClasses()
            .that()
            .resideInAPackage(WIRE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORAGE, RAFT, "io.muster.rpc", NODE, GATEWAY, CLI);

    @ArchTest
    static final ArchRule stateMachine_doesNotKnowGatewayAndCli = noClasses()
            .that()
            .resideInAnyPackage(CORE, RUNTIME, CODEC, WIRE, RAFT, RPC, NODE, STORAGE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(GATEWAY, CLI);

    @ArchTest
    static final ArchRule servicesAndRaft_doNotKnowTheNode = noClasses()
            .that()
            .resideInAnyPackage(CODEC, WIRE, RAFT, RPC)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(NODE);

    @ArchTest
    static final ArchRule gateway_reachesTheClusterByRpcOnly = noClasses()
            .that()
            .resideInAPackage(GATEWAY)
            .should()
            .dependOnClassesThat(resideInAnyPackage(STORAGE, RAFT, "io.muster.codec", NODE, CLI)
                    .and(not(type(ValueCodec.class))));

    @ArchTest
    static final ArchRule gatewayPackages_formNoCircle =
            slices().matching("io.muster.gateway.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule rocksDb_isKnownInStorageOnly = noClasses()
            .that()
            .resideOutsideOfPackage(STORAGE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule ratis_isKnownInRaftOnly = noClasses()
            .that()
            .resideOutsideOfPackage(RAFT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.ratis..");

    @ArchTest
    static final ArchRule netty_isKnownInItsPackagesOnly = noClasses()
            .that()
            .resideOutsideOfPackages("io.muster.gateway.netty..", "io.muster.gateway.upstream..")
            .and()
            .areNotAssignableTo(RpcLoop.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule grpc_isKnownAtItsEndsOnly = noClasses()
            .that()
            .resideOutsideOfPackages(RPC, "io.muster.gateway.coordinator..", CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.grpc..");

    @ArchTest
    static final ArchRule kafkaMessages_areKnownInTheGatewayAndQuickstartOnly = noClasses()
            .that()
            .resideOutsideOfPackages("io.muster.gateway..", "io.muster.cli.quickstart..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");
}
