/** Every bound of the gateway, with its reason: of what runs first, then of what requests say. */
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
  /** The largest message between nodes: NATS takes 1 MB by default, and a smaller one holds up those behind it for less long. */
  nodeMessageBytesMax: 512 * 1024,
  /** How often calls between nodes are looked over for those that got no answer in time. */
  nodeCallTickMs: 100,
  /**
   * For a call and the search for the owner together: longer than the slowest answer takes (a clock that advances, 25 s), and
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
  /** Calls of one worker that wait: about 2 kB each, and more than come to it in the time of a failover. */
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
  /** Keeps the offset of a page an exact integer; no reader pages so far by hand. */
  pageMax: 10_000_000,
  /** Decisions, section 26. */
  exportRowsMax: 1_000_000,
  /** Rows of an export that are made at a time, and wait for the reader: about 40 kB. */
  exportPieceRows: 100,
  /** Requests of one endpoint in flight (decisions, section 28). */
  attemptsPerEndpointMax: 8,
  /** Slots of an endpoint that has not answered yet: a new one that is dead must not take eight at once. */
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
  /** Attempts in flight to endpoints that let the last one time out: however many are dead, the others find a slot. */
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

  /** Largest amount of PIX and card: 12 digits of centavos (decisions, section 1). A boleto's bar code holds 10. */
  amountCentsMax: 999_999_999_999,
  /** All of an amount, in basis points. */
  shareBpsMax: 10_000,
  /** Fine and interest of a boleto: 10 %, far above what may be asked of consumers. */
  boletoBpsMax: 1_000,
  /** A fee of more than 1,000 reais for a boleto is a slip of the keyboard. */
  boletoFeeCentsMax: 100_000,
  /** Ours have 30; one that is longer cannot be found. */
  idCharsMax: 40,
  externalIdCharsMax: 80,
  /** Lines of a postal address: what fits on one line of a boleto. */
  addressStreetCharsMax: 80,
  addressNumberCharsMax: 10,
  addressComplementCharsMax: 40,
  addressPlaceCharsMax: 60,
  customerExternalIdCharsMax: 120,
  referenceCharsMax: 80,
  nameCharsMax: 120,
  /** What a banking app shows of a charge. */
  descriptionCharsMax: 140,
  reasonCharsMax: 240,
  /** What fits in the field of a printed boleto. */
  instructionsCharsMax: 400,
  cardTokenCharsMax: 255,
  /** A defense that is shorter says nothing. */
  defenseCharsMin: 20,
  defenseCharsMax: 5_000,
  /** RFC 5321, section 4.5.3.1. */
  emailCharsMax: 254,
  /** As long as the PIX arrangement makes them. */
  endToEndIdCharsMax: 32,
  txidCharsMax: 35,
  /** One letter fits nearly every row. */
  searchCharsMin: 2,
  searchCharsMax: 100,
  metadataKeysMax: 50,
  metadataKeyCharsMax: 40,
  metadataTextCharsMax: 500,
  /** How long a PIX charge can be paid: a minute to 30 days. */
  chargeExpirySecondsMin: 60,
  chargeExpirySecondsMax: 2_592_000,
  /** How long a deposit can be paid: five minutes to a day. */
  depositExpirySecondsMin: 300,
  depositExpirySecondsMax: 86_400,
  /** Two years. */
  trialDaysMax: 730,
  /** Cycles of a plan or of a discount: three digits, which are 83 years of months. */
  cyclesMax: 999,
  couponCodeCharsMin: 3,
  couponCodeCharsMax: 40,
  couponPlansMax: 100,
  /** Keeps the count an exact integer everywhere. */
  redemptionsMax: 1_000_000_000,
  /** A retry policy ends at most two months after the first failure. */
  retryDaysMax: 60,
  retriesMax: 7,
  retryHourMax: 23,
  /** A rule with one item divides nothing. */
  splitItemsMin: 2,
  splitItemsMax: 20,
  splitPriorityMax: 100,
  /** Pixels of a module of a QR code: from a thumbnail to a poster. */
  qrModulePixelsMin: 2,
  qrModulePixelsMax: 16,
  /** How deep a JSON body may be nested, and how many keys it may have: no request comes near either. */
  jsonDepthMax: 32,
  jsonKeysMax: 1_000,
  /** Problems of a query that are named: a URL of ampersands would have thousands. */
  queryProblemsMax: 10,
  /** Media ranges of an `Accept` header that are weighed: one of 16 KiB would hold thousands. */
  acceptRangesMax: 32,
  webhookUrlCharsMax: 2_048,
  /** Endpoints whose place is remembered between attempts, and names whose addresses are. */
  webhookPlacesMax: 10_000,
  resolvedNamesMax: 10_000,
  /** A name that forbids keeping its addresses would cost a query for every attempt. */
  addressesKeptSecondsMin: 1,
  addressesKeptSecondsMax: 300,
} as const
