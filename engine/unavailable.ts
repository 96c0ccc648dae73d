/** A shard cannot be written or reached now: nothing was done, or its outcome is unknown. */
export const ShardUnavailable = class extends Error {}

/** Another node owns the shard: nothing was done here, and it may be asked for there. */
export const ShardMoved = class extends ShardUnavailable {}
