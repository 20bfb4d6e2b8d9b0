package io.muster.cluster.security;

import java.util.function.Consumer;

/** What one user asks on a connection. */
record Question(String user, Consumer<Exchange> exchange) {}
