/** What one client sends takes effect in the order in which it was sent, and all of it: raw connections and ordinary consumers. */
@NullMarked
package io.muster.cluster.order;

import org.jspecify.annotations.NullMarked;
