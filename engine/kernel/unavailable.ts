/** The shard cannot be written or reached now: nothing was done, or the outcome is unknown. */
export const ShardUnavailable = class extends Error {}

/** This node does not own the shard. Nothing was done for certain, so the request may be sent to the owner. */
export const ShardMoved = class extends ShardUnavailable {}

/** The one who asked waits no longer, so the rest of a long answer was not looked for. */
export class AskerLeft extends ShardUnavailable {}

/** This work cannot be done now, and nothing was done; the shard goes on with everything else. */
export class WorkUnavailable extends ShardUnavailable {}

/** What an old actor is made of cannot be read now. */
export class HistoryUnavailable extends WorkUnavailable {}

/** What was decided is of a later version than the cluster writes: an operator has to finish the upgrade first. */
export class UpgradeUnfinished extends WorkUnavailable {}
