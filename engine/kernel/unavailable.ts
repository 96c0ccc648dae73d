/** The shard cannot be written or reached now: nothing was done, or the outcome is unknown. */
export const ShardUnavailable = class extends Error {}

/** This node does not own the shard. Nothing was done for certain, so the request may be sent to the owner. */
export const ShardMoved = class extends ShardUnavailable {}

/** The one who asked waits no longer, so the rest of a long answer was not looked for. */
export class AskerLeft extends ShardUnavailable {}

/** What an old actor is made of cannot be read now, and nothing was done; the shard goes on with everything else. */
export class HistoryUnavailable extends ShardUnavailable {}
