/** Tests of what a client may do, before an upstream that says so. */
@NullMarked
package io.muster.gateway.kafka.permissions;

import org.jspecify.annotations.NullMarked;
