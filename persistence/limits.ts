/** Every bound of persistence, with its reason. */
export const limits = {
  /** Room that is never written into: LMDB copies pages, so one commit may need several times its bytes. */
  diskReserveBytes: 16 * 1024 * 1024,
  /** Entries of one group commit: about 2 MB, so that one commit never takes the disk for long. */
  batchEntriesMax: 1024,
  /** States kept in memory for each shard: about 2 kB each. */
  hotActorsMax: 20_000,
  /** Index facts that make a checkpoint start before its time, so that a start replays little. */
  unsavedFactsMax: 50_000,
  /** Index facts that are packed together: few enough that they are still young objects then. */
  segmentFactsMax: 256,
  /** A checkpoint starts at the latest after this, so that a quiet shard too starts quickly. */
  checkpointIntervalMs: 10_000,
  /** Between the tries of a shard whose journal could not write, for example on a full disk. */
  recoverPauseMs: 500,
  /** How long a stop waits for the last snapshot. */
  lastCheckpointMs: 1_000,
  /** Between the tries of an outbox whose stream takes nothing. */
  streamPauseMs: 200,
} as const
