/** A shard cannot be written or reached now: nothing was done, or its outcome is unknown. */
export const ShardUnavailable = class extends Error {}

/** The shard was asked where it is not owned: nothing was done, for certain, and it may be asked again where it is. */
export const ShardMoved = class extends ShardUnavailable {}
