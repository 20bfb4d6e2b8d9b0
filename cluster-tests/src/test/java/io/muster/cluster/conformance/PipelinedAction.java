package io.muster.cluster.conformance;

/** The requests of random pipelines. What a seed draws depends on the order. */
enum PipelinedAction {
    JOIN(4),
    HEARTBEAT(2),
    ACKNOWLEDGE(3),
    LEAVE(4),
    COMMIT_BY_NAME(4),
    COMMIT_BY_ID(4),
    COMMIT_IN_TRANSACTION(2),
    COMMIT_WITHOUT_MEMBER(2),
    COMMIT_OF_OTHERS(1),
    FETCH(3),
    FETCH_OF_OTHERS(1),
    DELETE_OFFSETS(2),
    DELETE_GROUP(2),
    DESCRIBE(2),
    LIST(1);

    private final int weight;

    PipelinedAction(int weight) {
        this.weight = weight;
    }

    /** How often it is drawn, among all. */
    int weight() {
        return weight;
    }
}
