/** Every bound of persistence, with its reason. */
export const limits = {
  /** Room that is never written into: LMDB copies pages, so one commit may need several times its bytes. */
  diskReserveBytes: 16 * 1024 * 1024,
  /** Entries of one group commit: about 2 MB, so that one commit never takes the disk for long. */
  batchEntriesMax: 1024,
  /** States kept in memory for each shard where no setting says otherwise: about 2 kB each. */
  hotStates: 20_000,
  /** Rows of a page whose states are kept: what people page through, not exports. */
  keptPageMax: 200,
  /** Changes that make a checkpoint start before its time, so that a start replays little. */
  unsavedChangesMax: 100_000,
  /** What a checkpoint copies in one turn of the event loop: about a quarter of a millisecond. */
  checkpointTurnBytes: 1024 * 1024,
  /** How long a scan goes on before it gives way to requests. */
  sliceMs: 1,
  /** Bytes of journal batches that are kept at hand: lists fold many states from a few batches. */
  batchCacheBytes: 4 * 1024 * 1024,
  /** A checkpoint starts at the latest after this, so that a quiet shard too starts quickly. */
  checkpointIntervalMs: 10_000,
  /** Between the tries of a shard whose journal could not write, for example on a full disk. */
  recoverPauseMs: 500,
  /** How long a stop waits for the last snapshot. */
  lastCheckpointMs: 1_000,
  /** Events that an outbox keeps at hand; others it reads again from the journal. */
  outboxEventsMax: 4096,
  /** Events on their way to the stream at once, not acknowledged. */
  outboxInFlightMax: 512,
  /** Entries that it reads again at once. */
  outboxAgainMax: 256,
  /** Between the tries of an outbox whose stream takes nothing. */
  streamPauseMs: 200,
  /**
   * What was published so shortly before the stream was created is published again: the one before may be lost, with
   * events that were not planned for delivery yet. Planning takes milliseconds; this is for one that was held up.
   */
  publishedAgainMs: 10 * 60_000,
  /** How long one answer of NATS is waited for; what is not answered is tried again. */
  natsTimeoutMs: 2_000,
  /** Between the tries of whoever cannot use NATS. */
  natsRetryMs: 500,
  /** Between two looks at a stream that can be used: one that was deleted while nothing is published is noticed by them. */
  natsLookMs: 5_000,
  /** How long a repeated event is recognised by the stream: longer than an outbox needs to know of an acknowledgement. */
  duplicateWindowMs: 10 * 60_000,
  /**
   * After this an event that was not acknowledged is handed out again: those that a killed process had taken wait so long.
   * Whoever is slower says that it is working.
   */
  ackWaitMs: 3_000,
  /** Events handed out and not acknowledged: planning a delivery takes milliseconds. */
  consumerPendingMax: 1_000,
} as const
