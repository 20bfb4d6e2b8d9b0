package io.muster.cluster.conformance;

/** An address that speaks the Kafka protocol. */
record Target(String host, int port) {
    /**
     * The first of the addresses.
     *
     * @param bootstrap {@code host:port}, separated by commas
     */
    static Target firstOf(String bootstrap) {
        String first = bootstrap.split(",")[0];
        int colon = first.lastIndexOf(':');
        return new Target(first.substring(0, colon), Integer.parseInt(first.substring(colon + 1)));
    }
}
