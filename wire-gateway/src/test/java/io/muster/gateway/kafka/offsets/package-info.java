/** Tests of offset requests under the claim, before a model of the upstream group. */
@NullMarked
package io.muster.gateway.kafka.offsets;

import org.jspecify.annotations.NullMarked;
