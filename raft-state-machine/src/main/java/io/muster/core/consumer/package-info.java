/**
 * Consumer groups (KIP-848): the group, its members, what is decided for it and how it evolves.
 *
 * <p>May depend on {@code io.muster.core}, {@code io.muster.core.group}, {@code io.muster.core.assignor} and RE2/J.
 */
@NullMarked
package io.muster.core.consumer;

import org.jspecify.annotations.NullMarked;
