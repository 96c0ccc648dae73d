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
  /** Changes that make a snapshot start before its time, so that a start replays little. */
  unsavedChangesMax: 100_000,
  /** What a snapshot copies in one turn of the event loop: about a quarter of a millisecond. */
  snapshotTurnBytes: 1024 * 1024,
  /** How long a scan goes on before it gives way to requests. */
  sliceMs: 1,
  /** Bytes of journal batches that are kept at hand: lists fold many states from a few batches. */
  batchCacheBytes: 4 * 1024 * 1024,
  /** A snapshot starts at the latest after this, so that a quiet shard too starts quickly. */
  snapshotIntervalMs: 10_000,
  /** Between the tries of a shard whose journal could not write, for example on a full disk. */
  recoverPauseMs: 500,
  /** How long a follower applies entries in one turn of the event loop. */
  catchUpSliceMs: 2,
  /** How long a request waits for a shard that rests to renew, before it looks for its owner anew. */
  wakeMs: 2_000,
  /** An owner that has no quorum for so long, beyond its lease, tells whoever waits that the outcome is unknown. */
  leaseUnconfirmedMs: 3_000,
  /** How long a stop waits for the last snapshot. */
  lastSnapshotMs: 1_000,
  /** Events that an outbox keeps at hand; others it reads again from the journal. */
  outboxEventsMax: 4096,
  /** Events on their way to the stream at once, not acknowledged. */
  outboxInFlightMax: 512,
  /** Entries that it reads again at once. */
  outboxAgainMax: 256,
  /** How far back an outbox looks for the newest event, and how many entries at once. */
  outboxLookBackMax: 10_000,
  outboxLookSlice: 16,
  /** Between the tries of an outbox whose stream takes nothing. */
  streamPauseMs: 200,
  /**
   * Shards of a cluster where no setting says otherwise: so many that three to five nodes share them evenly, and no more,
   * because each has commits of its own and on one disk they wait for each other.
   */
  clusterShards: 24,
  /**
   * What was published so shortly before the stream was created, or has lost something, is published again: events that were
   * not planned for delivery yet may be lost. Planning takes milliseconds; this is for one that was held up. Servers write to
   * their disks every two minutes.
   */
  publishedAgainMs: 10 * 60_000,
  /** How long one answer of NATS is waited for; what is not answered is tried again. */
  natsTimeoutMs: 2_000,
  /** Between the tries of whoever cannot use NATS. */
  natsRetryMs: 500,
  /** How long a log's answer to one record is waited for; asking again is harmless, and leaves a server that hangs. */
  logAnswerMs: 500,
  /** Tries of one fact of the directory, about 20 s: longer than the servers take to elect a leader (4 to 9 s, 12 seen). */
  directoryAttemptsMax: 40,
  /** Before a log is followed anew whose consumer was lost. */
  followPauseMs: 150,
  /** After this the servers forget a consumer that nobody asks: each of a log is used until it is lost, and then replaced. */
  lostConsumerMs: 30_000,
  /** Between two looks at a stream that can be used: one that was deleted while nothing is published is noticed by them. */
  natsLookMs: 5_000,
  /** How long a repeated event is recognised by the stream: longer than an outbox needs to know of an acknowledgement. */
  duplicateWindowMs: 10 * 60_000,
  /**
   * After this an event that was not acknowledged is handed out again: those that a killed process had taken wait so long.
   * Whoever is slower says that it is working.
   */
  ackWaitMs: 3_000,
  /** Entries of one record of a log, below the megabyte that NATS lets through. */
  logValueBytesMax: 900 * 1024,
  /** Between the tries of whoever cannot write or follow a log. */
  logRetryMs: 150,
  /** How often a node says that it lives; it is dead when nothing was heard for three quarters of a lease. */
  heartbeatMs: 250,
  /** How long the answers of other nodes about their position are waited for. */
  positionsWaitMs: 150,
  /** A shard is given to a node that has lived so long without a break, so that one that comes and goes moves nothing. */
  stableNodeMs: 5_000,
  /** After a death shards stay where they are for so long: the node may be back soon. */
  restAfterDeathMs: 30_000,
  /** Between two shards that a worker gives away, so that each has only its own pause. */
  betweenHandoversMs: 200,
  /** Records that a node may lack to be given a shard: it has them in milliseconds. */
  handoverLagMax: 100,
  /** How long a node that ends tries to give its shards away; what it keeps is claimed when its lease is over. */
  leaveMs: 10_000,
  /** Between its tries. */
  leavePauseMs: 5,
  /** Nodes that could claim the same shard do so one after the other. */
  claimRankMs: 300,
  /** Records of a log that are asked for at once. */
  logFetchMax: 1_000,
  /** What a backup copies at once, and flushes: large enough to be quick, small enough not to hold up the flushes of others. */
  backupSliceBytes: 4 * 1024 * 1024,
  /** Room that a backup leaves: the service stops writing where its own disk has a quarter of it. */
  backupReserveBytes: 64 * 1024 * 1024,
  /** Tries of a backup to find a moment in which the directory does not change: each takes milliseconds. */
  backupTriesMax: 100,
  /** How long a backup waits for a node to have what others have acknowledged, and between two looks. */
  backupReachMs: 30_000,
  backupPollMs: 20,
  /** How often long work tells how far it is. */
  progressMs: 100,
  /** Events handed out and not acknowledged: planning a delivery takes milliseconds. */
  consumerPendingMax: 1_000,
} as const
