/** Every bound of persistence, with its reason. */
export const limits = {
  /** Entries of one group commit: about 2 MB, so that one commit never takes the disk for long. */
  batchEntriesMax: 1024,
  /** Actors kept hot for each shard. A transaction is about 1.5 kB in memory. */
  hotActorsMax: 200_000,
  /** Changed actors that make a checkpoint start before its time, so that a start replays little. */
  dirtyActorsMax: 20_000,
  /** Actors written in one LMDB transaction of a checkpoint: a slice of a few milliseconds. */
  checkpointSliceMax: 500,
  /** Idempotency records held in memory; older ones are found on disk. */
  hotRepliesMax: 200_000,
} as const
