/**
 * The ordered key-value store under one shard: atomic batches that carry the applied index, prefix scans and checkpoints.
 *
 * <p>May depend on RocksDB (nothing else in Muster may) and on no other Muster package.
 */
@NullMarked
package io.muster.storage;

import org.jspecify.annotations.NullMarked;
