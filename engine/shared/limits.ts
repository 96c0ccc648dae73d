/** Every bound of the engine, with its reason. The gateway's are in `gateway/limits.ts`. */
export const limits = {
  /** Entries appended but not on disk. Beyond this a shard answers "overloaded" at once instead of ever later. */
  unflushedEntriesMax: 20_000,
  /** Timers fired for one account in one go, and webhook attempts handed out, however little time they take. */
  timersPerTurn: 200,
  /** A burst of timers holds up a request that comes meanwhile no longer than this, in real time. */
  timersBeforeRequestMs: 1,
  /** By itself the shard fires so long at once; then requests and answers that came meanwhile have their turn. */
  timersPerTickMs: 1,
  /** While requests wait for the disk a tick fires no more often than this: so a billing run goes on, too. */
  timersAtLeastEveryMs: 20,
  /** Entries that wait for the disk: beyond them the shard fires nothing by itself, so that a slow disk is not outrun. */
  unflushedByTimersMax: 1_000,
  /** How far one call may advance a Sandbox clock: two years (decisions, section 29). */
  clockStepMsMax: 2 * 366 * 86_400_000,
  /** Where a Sandbox clock stops, the first instant of 9000: dates years ahead of it still have four digits of year. */
  clockMsMax: 221_845_392_000_000,
  /** A key stands for its effect this long, in real time (decisions, section 5). */
  idempotencyRetentionMs: 24 * 3_600_000,
  /** Of one page of an account's history: entries of all accounts that are looked at, which takes tenths of a second, and found. */
  historyPage: { looked: 10_000, found: 50 },
  /** Deliveries of one event to different endpoints. */
  endpointsPerAccountMax: 20,
} as const
