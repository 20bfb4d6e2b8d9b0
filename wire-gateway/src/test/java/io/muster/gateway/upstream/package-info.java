/** What Muster does upstream with its own principal, before a stand-in broker. */
@NullMarked
package io.muster.gateway.upstream;

import org.jspecify.annotations.NullMarked;
