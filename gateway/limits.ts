/** Every bound of the gateway, with its reason. */
export const limits = {
  /** Decisions, section 7. */
  urlBytesMax: 8 * 1024,
  headerBytesMax: 16 * 1024,
  bodyBytesMax: 64 * 1024,
  /** A body of 64 KiB that takes longer is not a client that we can help. */
  bodyTimeoutMs: 10_000,
  /** uWebSockets.js has no timer while an answer is pending; a shard answers in milliseconds or not at all. */
  answerTimeoutMs: 30_000,
  /** A Sandbox clock that is still on its way is answered with 202 after this (decisions, section 29). */
  clockAnswerMs: 25_000,
  /** A client that takes nothing for so long has gone, or never meant to read; the native transport's own figure. */
  stallTimeoutMs: 12_000,
  /** An acquirer that is silent for longer leaves the payment PROCESSING (decisions, section 9). */
  providerTimeoutMs: 8_000,
  /** Between the tries to record a provider's answer while a shard cannot be written. */
  providerRetryMs: 200,
  /** When a tick comes again that had to wait: for answers, for the disk, or for requests. */
  heldTickMs: 1,
  /** Answers of providers that came together are told so long at a time; requests have their turn in between. */
  providerAnswersSliceMs: 1,
  /** Of a message between nodes: NATS takes 1 MB by default, and a smaller one holds up those behind it for less long. */
  nodeMessageBytesMax: 512 * 1024,
  /** How often calls between nodes are looked over for those that got no answer in time. */
  nodeCallTickMs: 100,
  /**
   * Of a call and the search for the owner together: longer than the slowest answer takes (a clock that advances, 25 s), and
   * less than a client is kept waiting (30 s).
   */
  nodeCallTimeoutMs: 28_000,
  /** A read takes milliseconds, and what NATS lost has to be asked for again. The next try waits as long as a command. */
  nodeReadTimeoutMs: 3_000,
  /** How long an owner is looked for: a failover takes about 2.5 s. */
  ownerSearchMs: 5_000,
  /** Between two looks: a planned handover takes 20 to 40 ms, a failover a hundred times that. */
  ownerPauseMsMin: 10,
  ownerPauseMsMax: 160,
  ownerPauseGrowth: 1.3,
  /** Of one worker: about 2 kB each, and more than come to it in the time of a failover. */
  callsElsewhereMax: 50_000,
  /** Between two looks of a feed that an operator follows: soon enough for eyes, and nothing for a service to do. */
  feedPauseMs: 200,
  /** How long a stop waits for requests in flight. */
  shutdownGraceMs: 30_000,
  idempotencyKeyCharsMax: 255,
  pageSizeMax: 200,
  pageSizeDefault: 25,
  /** Rows of a list that is all in one page: half a megabyte, some 10 ms of writing it. More are paged through. */
  wholeListRowsMax: 1000,
  /** Beyond this page times pageSize nobody reads by hand; it keeps offsets exact integers. */
  pageMax: 10_000_000,
  /** Decisions, section 26. */
  exportRowsMax: 1_000_000,
  /** Rows of an export that are made at a time, and wait for the reader: about 40 kB. */
  exportPieceRows: 100,
  /** Requests of one endpoint in flight (decisions, section 28). */
  attemptsPerEndpointMax: 8,
  /** Of an endpoint that has not answered yet: a new one that is dead must not take eight slots at once. */
  initialSlotsPerEndpoint: 2,
  /** Requests of all endpoints of a worker in flight (security, section 6). */
  attemptsInFlightMax: 256,
  /** Between the tries to open accounts in shards that have no owner yet. */
  accountsRetryMs: 500,
  /** After this a company is there, and its accounts follow. */
  accountsWaitMs: 10_000,
  /** How often a node looks for companies whose accounts another node should have opened, and did not for so long. */
  accountsCheckMs: 30_000,
  /** How long nodes have time to say how they are. */
  clusterStatusMs: 500,
  /** A handover takes some 30 ms, once the node that takes over has caught up. */
  handOverMs: 10_000,
  /** To move a shard, half a second apart. */
  moveTriesMax: 10,
  /** A drain hands over one shard after the other, 200 ms apart, so 64 take 13 s. */
  drainMs: 60_000,
  /** Of them those to endpoints that let the last one time out: however many are dead, the others find a slot. */
  attemptsToSilentMax: 128,
  /** Attempts whose outcome is on its way to the disk: after a crash their receivers hear them again. */
  attemptsUnrecordedMax: 1024,
  /** Between the tries to record an attempt while a shard cannot be written. */
  recordRetryMs: 200,
  /** Deliveries that are cancelled together, in a flush: requests come in between. */
  cancelledAtOnce: 200,
  /** How often spans are sent; sooner where 512 have gathered. */
  spansEveryMs: 1_000,
  /** How long a stop waits for the receiver of traces. */
  lastSpansMs: 2_000,
  /** Between two lines that say that traces cannot be sent. */
  tracingTroubleEveryMs: 60_000,
  /** Test events of one endpoint in a minute (security, section 6). */
  testEventsPerMinute: 10,
  /** How long the secret of a key that was rolled may go on working (security, section 2.1). */
  keyOverlapMsMax: 7 * 86_400_000,
  /** What one replay covers at most, and how many of its events one call sends (dashboard, section 4.5). */
  replaySpanMsMax: 30 * 86_400_000,
  replayedEventsMax: 10_000,
  /** How long one call looks for them: the journal of a busy shard is long. */
  replayMsMax: 20_000,
  /** Events of a replay in one turn of their shard. */
  replayedAtOnce: 5,
} as const
