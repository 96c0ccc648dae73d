/** Every bound of persistence, with its reason. */
export const limits = {
  /** Room that is never written into: LMDB copies pages, so one commit may need several times its bytes. */
  diskReserveBytes: 16 * 1024 * 1024,
  /** Entries of one group commit: about 2 MB, so that one commit never takes the disk for long. */
  batchEntriesMax: 1024,
  /** Actors kept hot for each shard. A transaction is about 1.5 kB in memory. */
  hotActorsMax: 200_000,
  /** Changed actors that make a checkpoint start before its time, so that a start replays little. */
  dirtyActorsMax: 20_000,
  /** A checkpoint starts at the latest after this, so that a quiet shard too starts quickly. */
  checkpointIntervalMs: 10_000,
  /** Between the tries of a shard whose journal could not write, for example on a full disk. */
  recoverPauseMs: 500,
  /** How long a stop waits for the last snapshot. */
  lastCheckpointMs: 1_000,
  /** Between the tries of an outbox whose stream takes nothing. */
  streamPauseMs: 200,
  /** Idempotency records held in memory; older ones are found on disk. */
  hotRepliesMax: 200_000,
} as const
