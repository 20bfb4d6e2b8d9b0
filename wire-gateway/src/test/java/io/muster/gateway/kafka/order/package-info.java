@NullMarked
package io.muster.gateway.kafka.order;

import org.jspecify.annotations.NullMarked;
