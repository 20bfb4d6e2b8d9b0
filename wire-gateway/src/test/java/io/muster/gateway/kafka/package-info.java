/** Tests of frames and routes. */
@NullMarked
package io.muster.gateway.kafka;

import org.jspecify.annotations.NullMarked;
