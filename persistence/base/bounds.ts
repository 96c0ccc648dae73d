/** Every bound of persistence, with its reason. */
export const bounds = {
  /** How long session facts are kept: a session lasts eight hours, and a code a minute and a half. */
  sessionFactsKeptMs: 48 * 3_600_000,
  /** Room that is never used: LMDB copies pages, so one commit may need several times its bytes. */
  diskReserveBytes: 16 * 1024 * 1024,
  /** Below this the service refuses work that writes; work under way still finds room above the reserve. */
  diskLowBytes: 32 * 1024 * 1024,
  /** From here on the service accepts such work again. Postponed snapshots need some of the room. */
  diskEnoughBytes: 48 * 1024 * 1024,
  /** What a start writes in any case: how far journals have come, and where the admin listener is. */
  startBytes: 64 * 1024,
  /** Entries of one group commit: about 2 MB, so that one commit never takes the disk for long. */
  batchEntriesMax: 1024,
  /** Bytes of a batch where a commit may have several: reading an entry checks all of its batch, in 30 µs. */
  batchBytesMax: 32 * 1024,
  /** States kept in memory per shard without a setting: about 3 kB each. */
  hotStates: 20_000,
  /** States of pages up to this size are kept: pages that people browse, not exports. */
  keptPageMax: 200,
  /** Keys in memory that become a sorted run on disk: 5 MB, and a sort of 15 ms. */
  recentKeysMax: 200_000,
  /** Changes that trigger an early snapshot, so that a start replays little. */
  unsavedChangesMax: 100_000,
  /** What a snapshot copies in one turn of the event loop: about a quarter of a millisecond. */
  snapshotTurnBytes: 1024 * 1024,
  /** How long a scan runs before it yields to requests. */
  sliceMs: 1,
  /** Bytes of journal batches kept in memory: lists rebuild many states from few batches. */
  batchCacheBytes: 4 * 1024 * 1024,
  /** Bytes of stored entries handed over together: a piece of an export in order of amount has a batch for nearly each row. */
  packedBytesMax: 8 * 1024 * 1024,
  /** The longest time between snapshots, so that a quiet shard starts quickly too. */
  snapshotIntervalMs: 10_000,
  /** Pause between tries of a shard whose journal could not write, for example on a full disk. */
  recoverPauseMs: 500,
  /**
   * Pause between the slices in which a journal is read again after a start: in ms, and in times the last slice. At most a tenth of a core, and a fiftieth
   * while entries are written.
   */
  checkPauseMs: 10,
  checkRest: 9,
  checkRestBusy: 49,
  /** Entries that a start applies before anything else: a third of a second. */
  catchUpAtOnce: 20_000,
  /** How often a long replay before an answer is reported. */
  replayReportMs: 10_000,
  /** How long a follower applies entries in one turn of the event loop. */
  catchUpSliceMs: 2,
  /** How long a request waits for a resting shard to renew, before it looks for the owner again. */
  wakeMs: 2_000,
  /**
   * How long an owner may lack a quorum, beyond its lease, before it tells waiting requests that their outcome is
   * unknown.
   */
  leaseUnconfirmedMs: 3_000,
  /** How long a stop waits for the last snapshot. */
  lastSnapshotMs: 1_000,
  /** Events that an outbox keeps in memory; others are read from the journal again. */
  outboxEventsMax: 4096,
  /** Unacknowledged events on their way to the stream at once. */
  outboxInFlightMax: 512,
  /** Events in one batch: the most that JetStream takes. */
  eventsTogetherMax: 1000,
  /** Pause between publications of events: three servers agree on each, and each of them flushes. */
  eventsApartMs: 100,
  /** Entries that an outbox reads from the journal at once. */
  outboxAgainMax: 256,
  /** How far back an outbox looks for the newest event, and how many entries at a time. */
  outboxLookBackMax: 10_000,
  outboxLookSlice: 16,
  /** Pause between tries while the stream takes nothing. */
  streamPauseMs: 200,
  /**
   * Shards of a cluster without a setting: two for each of three nodes. Each is a log of its own, and what a log costs is its
   * records: fewer logs have fuller ones.
   */
  clusterShards: 6,
  /**
   * Events published this shortly before the stream was created or lost something are published again: they may not
   * have been planned for delivery. Planning takes milliseconds; this allows for delays. Servers write to disk every
   * two minutes.
   */
  publishedAgainMs: 10 * 60_000,
  /** How long to wait for an answer of NATS before trying again. */
  natsTimeoutMs: 2_000,
  /** Pause between tries while NATS cannot be used. */
  natsRetryMs: 500,
  /** Pause before the same server is dialled again. */
  natsDialPauseMs: 150,
  /**
   * How long to wait for a log's answer to a record. Asking again is harmless, and gets away from a server that hangs.
   */
  logAnswerMs: 500,
  /** Tries to append one directory fact, about 20 s: longer than an election of a leader takes (4 to 9 s, 12 seen). */
  directoryAttemptsMax: 40,
  /** Pauses without any news before a node gives up on what other nodes have recorded. */
  newsTriesMax: 10,
  /** Pause before a log with a lost consumer is followed again. */
  followPauseMs: 150,
  /**
   * After this long without requests, the servers forget a consumer. Each consumer of a log is used until it is lost,
   * and then replaced.
   */
  lostConsumerMs: 30_000,
  /** Pause between checks of a usable stream, which notice a deletion while nothing is published. */
  natsLookMs: 5_000,
  /** How long the stream recognises a repeated event: longer than an acknowledgement takes to reach an outbox. */
  duplicateWindowMs: 10 * 60_000,
  /** Bytes of entries in one log record, below the megabyte that NATS allows. */
  logValueBytesMax: 900 * 1024,
  /** Pause between tries to write or follow a log. */
  logRetryMs: 150,
  /** Interval of heartbeats. A node is dead when none was heard for three quarters of a lease. */
  heartbeatMs: 250,
  /** A node warns when its clock differs from the others' by more than this. */
  clockOffMsTold: 2_000,
  /** With a clock that differs by more than this, a node owns no shards. */
  clockOffMsMax: 60_000,
  /** How long a starting node waits for an answer of a process that runs under its name. */
  twinAnswerMs: 1_000,
  /** How long to wait for other nodes' positions. */
  positionsWaitMs: 150,
  /** How long a node must live without a gap to be given a shard, so that an unstable one moves nothing. */
  stableNodeMs: 5_000,
  /** How long shards stay in place after a node's death: it may soon be back. */
  restAfterDeathMs: 30_000,
  /** Pause between two shards that a worker gives away, so that each has its own short outage. */
  betweenHandoversMs: 200,
  /** Records that a node may lack when it is given a shard: it catches up in milliseconds. */
  handoverLagMax: 100,
  /** How long nothing has changed before a shard moves because of its load. */
  shardBalanceMs: 30 * 60_000,
  /** A node that decides fewer entries a second gives no shard away because of its load: it has a few hundredths of a processor to do. */
  shardBalanceLoadMin: 50,
  /** What an owner has said of a shard counts for so long. */
  ownerSaidMs: 2_000,
  /** How long an ending node tries to give its shards away; the rest are claimed when their leases end. */
  leaveMs: 10_000,
  /** Pause between tries to give shards away. */
  leavePauseMs: 5,
  /** Delay between possible claimants of the same shard. */
  claimRankMs: 300,
  /** Log records requested at once. */
  logFetchMax: 1_000,
  /** How many records that a node follows are written together at most: fewer than a node may lack that is given a shard. */
  followedTogetherMax: 64,
  /** An empty node reads a log with fewer records than this, and fetches a copy of the shard where there are more. */
  copiedRecordsMin: 500,
  /** Bytes of one answer with a part of a copy: reading and sending it takes the source less than a millisecond. */
  copyChunkBytes: 500 * 1024,
  /** Parts of a copy that are on their way at once. */
  copyChunksTogether: 4,
  /** Copies that a worker gives at once: each takes room on its disk. Others wait for their turn. */
  copiesGivenMax: 2,
  /** How many shards a worker fetches at once. */
  copiesFetchedMax: 8,
  /** After this long without a request a copy is removed: the node that wanted it has died. */
  copyIdleMs: 30_000,
  /** How long to wait for a part of a copy, how often to ask for it, and the pause before a source is asked again. */
  copyAnswerMs: 5_000,
  copyTriesMax: 3,
  copyPauseMs: 25,
  /** Pause before nodes that give copies to others are asked again, and how often before their positions are. */
  copyBusyMs: 100,
  copyBusyTriesMax: 20,
  /** Interval of lines in the log about a copy that is fetched. */
  copyReportMs: 5_000,
  /**
   * Bytes that a backup copies and flushes at once: large enough to be quick, small enough not to delay other flushes.
   */
  backupSliceBytes: 4 * 1024 * 1024,
  /** Tries to read what a service writes, each with the pages of a newer commit. */
  viewTriesMax: 5,
  /** How long a process waits for the one that uses the data directory, however busy that is. */
  holdWaitMs: 60_000,
  /** Room that a backup leaves: the service stops writing at half of it. */
  backupReserveBytes: 64 * 1024 * 1024,
  /** Tries of a backup to find a moment without a directory change; each takes milliseconds. */
  backupTriesMax: 100,
  /** How long a backup waits for a node to have everything acknowledged elsewhere, and the pause between checks. */
  backupReachMs: 30_000,
  backupPollMs: 20,
  /** Columns that a verification keeps in memory of each of the two states that it compares. */
  verifyMemoryBytes: 48 * 1024 * 1024,
  /** How many shards are verified at once, each in a thread with the memory that its shard takes, and from how many bytes of journals on. */
  verifyThreadsMax: 4,
  verifyThreadsBytesMin: 64 * 1024 * 1024,
  /**
   * Bytes of an archive file: few files after years, and small enough to be written again, copied or fetched one by one.
   */
  archiveFileBytesMax: 64 * 1024 * 1024,
  /** Bytes that an archive packs together: reading one entry unpacks them all, in less than 100 µs. */
  archiveBlockBytes: 16 * 1024,
  /** Bytes of the dictionary of an archive file: as far as deflate looks back. */
  archiveSampleBytes: 32 * 1024,
  /** How many of the entries to come are looked at for it: about as many as a file holds. */
  archiveSampledEntries: 100_000,
  /** Unpacked blocks of archives kept in memory for each shard: a list rebuilds many states from few of them. */
  archiveCacheBytes: 2 * 1024 * 1024,
  /** Pages of the index kept in memory for each open archive file: 3.5 kB each. */
  archivePagesMax: 64,
  /** Archive files that a shard keeps open. */
  archiveFilesOpenMax: 16,
  /** Room that packing leaves on its disk: the service stops writing at half of it. */
  archiveReserveBytes: 64 * 1024 * 1024,
  /** About what packing a block takes of a core, with what is read and compared. */
  archiveBlockMs: 0.8,
  /** How many times as long as it works packing rests while the shard is used: it then takes about a fortieth of a core. */
  archiveRestBeside: 40,
  /** How often a shard looks whether something is old enough to be packed. */
  archiveEveryMs: 3_600_000,
  /** How much it packs at once at the least: a file for each hour would be many. */
  archiveAtOnceMs: 24 * 3_600_000,
  /** Younger entries are never packed by themselves: deliveries are tried for two days, and keys stand for one. */
  archiveYoungestMs: 3 * 24 * 3_600_000,
  /** Batches that a journal drops in one transaction after they were packed. */
  archiveDroppedTogether: 64,
  /** How often long work reports its progress. */
  progressMs: 100,
} as const
