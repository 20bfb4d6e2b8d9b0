/** Tests of the APIs before a model of coordinator and upstream. */
@NullMarked
package io.muster.gateway.kafka.api;

import org.jspecify.annotations.NullMarked;
