/** A shard cannot be written or reached now: nothing was done, or its outcome is unknown. */
export const ShardUnavailable = class extends Error {}
