/** Every bound of the gateway with its reason: first those of the running service, then those of what requests may contain. */
export const bounds = {
  /** Decisions, section 7. */
  urlBytesMax: 8 * 1024,
  headerBytesMax: 16 * 1024,
  bodyBytesMax: 64 * 1024,
  /** A client that needs longer for 64 KiB is too slow to serve. */
  bodyTimeoutMs: 10_000,
  /** uWebSockets.js has no timer while an answer is pending. A shard answers within milliseconds or not at all. */
  answerTimeoutMs: 30_000,
  /** A Sandbox clock that has not arrived by then is answered with 202 (decisions, section 29). */
  clockAnswerMs: 25_000,
  /** A client that reads nothing for this long has gone, or never meant to read. The native transport uses the same figure. */
  stallTimeoutMs: 12_000,
  /** How often it is kept how far the shards have come. */
  partEndsKeptMs: 60_000,
  /** For handshakes, heads and connections without a request: what the native transport has built in. */
  idleTimeoutMs: 12_000,
  /** After this much silence from an acquirer, the payment stays PROCESSING (decisions, section 9). */
  providerTimeoutMs: 8_000,
  /** The same for repeats, which no request waits for. */
  providerRepeatTimeoutMs: 20_000,
  /** Pause between attempts to record a provider's answer while a shard is not writable. */
  providerRetryMs: 200,
  /** After how long a tick that had to wait (for answers, the disk, or requests) is repeated. */
  heldTickMs: 1,
  /** A burst of provider answers is recorded in slices this long, so that requests get their turn in between. */
  providerAnswersSliceMs: 1,
  /**
   * The largest message between nodes. NATS allows 1 MB by default, but smaller messages hold up the ones behind them for less
   * time.
   */
  nodeMessageBytesMax: 512 * 1024,
  /** How soon behind a frame to the same node the next one waits for more: about ten times what a frame costs both sides and NATS. */
  frameGatherMs: 0.4,
  /** Interval of looks whether a log of a cluster can be shortened, where it is long enough. */
  trimLookMs: 10_000,
  /** A node gets copies when it was heard for so long. */
  copiesStableMs: 5_000,
  /** Interval of looks at who holds copies of shards, and at those that are gathered for a backup. */
  copiesLookMs: 1_000,
  gatherLookMs: 100,
  /** How often calls between nodes are checked for timeouts. */
  nodeCallTickMs: 100,
  /**
   * Covers a call and the search for the owner together: longer than the slowest answer (an advancing clock, 25 s), shorter than
   * a client is kept waiting (30 s).
   */
  nodeCallTimeoutMs: 28_000,
  /** A read takes milliseconds, so one that NATS lost is repeated soon. The second try waits as long as a command does. */
  nodeReadTimeoutMs: 3_000,
  /** How long to search for a shard's owner: a failover takes about 2.5 s. */
  ownerSearchMs: 5_000,
  /** Pause between searches: a planned handover takes 20 to 40 ms, a failover a hundred times that. */
  ownerPauseMsMin: 10,
  ownerPauseMsMax: 160,
  ownerPauseGrowth: 1.3,
  /** Pending calls of one worker: about 2 kB each, and more than arrive during a failover. */
  callsElsewhereMax: 50_000,
  /** A trillion reais: more than any bank moves in a day. */
  moneyOutCentsMax: 100_000_000_000_000,
  /** A longer `User-Agent` says nothing more. */
  auditedAgentCharsMax: 256,
  /** More banks and acquirers than any company has; each is a connection that every worker may open. */
  connectionsMax: 20,
  /** Interval of looks at whether connections work: a token lasts an hour, and a bank counts what it is asked. */
  connectionsLookMs: 10 * 60_000,
  /** How often those are that were not asked yet, since their shards have just come to this node. */
  connectionsLookNewMs: 10_000,
  /** Polling interval of a feed that an operator follows: fast enough for the eye, and next to no load. */
  feedPauseMs: 200,
  /** How long a stop waits for requests in flight. */
  shutdownGraceMs: 30_000,
  /** Short, because money leaves here: NIST SP 800-63B-4, AAL3. */
  sessionIdleMs: 15 * 60_000,
  /** A working day. */
  sessionMs: 8 * 3_600_000,
  /** From the password to the factor. */
  halfSessionMs: 5 * 60_000,
  /** How long a second factor counts after it was given (dashboard, section 1.5). */
  factorFreshMs: 5 * 60_000,
  /** How long a person confirms nothing after another person reset the factor. */
  factorFrozenMs: 24 * 3_600_000,
  /** The most passkeys that one person has. */
  passkeysMax: 10,
  /** WebAuthn challenges for signing in, which strangers may request, and for people who are signed in. */
  signInChallengeMs: 2 * 60_000,
  challengeMs: 5 * 60_000,
  /** Open challenges of a session. The bound is per session, so a page that asks for many affects no other person. */
  challengesOfSessionMax: 20,
  /** Minimum time between two notices of a passkey whose counter keeps falling back. */
  counterNoticeMs: 3_600_000,
  /** A link by mail. */
  mailLinkMs: 30 * 60_000,
  /** How long delivery of a mail is attempted. */
  mailTriedMs: 24 * 3_600_000,
  mailRetryMs: 60_000,
  /** How often ended sessions are removed. */
  sessionsPrunedMs: 3_600_000,
  /** Verified cookies that a thread caches: more than people at one time, in some megabytes. */
  cookiesKnownMax: 10_000,
  /** A node that has received no session facts for so long admits no sessions: they may have ended elsewhere. */
  sessionsStaleMs: 5_000,
  /** A page has one stream, and a person some windows (dashboard, section 4.6). */
  liveStreamsOfSessionMax: 5,
  /** The latest events of an account, for pages that resume, and how long they outlive its last listener. */
  liveNewsKept: 1000,
  liveFeedKeptMs: 120_000,
  liveSweepMs: 30_000,
  /** A burst of payments is one piece of a stream; no eye notices the delay. */
  liveGatherMs: 50,
  /** Busy accounts get fewer, larger pieces: each costs every listener a write and a page update. */
  livePauseMs: 500,
  /** The largest difference between the pauses of accounts, so that not all are served at the same moment. */
  livePauseSpreadMs: 250,
  /** How long a shard's owner holds a listener's request: less than the timeout of a read that NATS lost. */
  liveHoldMs: 2_000,
  /** Together with the owner's own time, a comment is written at least every 15 seconds. */
  liveSilenceMs: 12_500,
  /** After how long a browser reconnects. */
  liveRetryMs: 1_000,
  /** Signing in once more ends the oldest session. */
  sessionsOfPersonMax: 10,
  idempotencyKeyCharsMax: 255,
  pageSizeMax: 200,
  pageSizeDefault: 25,
  /** Rows of a list that is not paged: half a megabyte, and some 10 ms to write. Longer lists are paged. */
  wholeListRowsMax: 1000,
  /** Keeps a page's offset an exact integer; no reader pages this far by hand. */
  pageMax: 10_000_000,
  /** Decisions, section 26. */
  exportRowsMax: 1_000_000,
  /** Rows of an export made at a time while its reader takes those before: about 150 kB. */
  exportPieceRows: 512,
  /** The same number of bytes as a piece of a transaction export. */
  auditPieceRows: 500,
  /** The days of a statement (dashboard, section 2.7). */
  statementDaysMax: 92,
  /** How long an idle CSV thread is kept: starting one takes a tenth of a second, keeping it 20 MB. */
  csvThreadIdleMs: 30_000,
  /** Concurrent requests to one endpoint (decisions, section 28). */
  attemptsPerEndpointMax: 8,
  /** Slots of an endpoint that has not answered yet: a new endpoint that is dead must not take all eight at once. */
  initialSlotsPerEndpoint: 2,
  /** Concurrent requests of a worker to endpoints that answer (security, section 6). */
  attemptsInFlightMax: 256,
  /**
   * Where those are too few, an endpoint that has requests under way and has given no sign of life for so long counts as silent. It does
   * it little harm: the next answer makes good for it.
   */
  attemptPatienceMs: 100,
  /** Concurrent requests of a worker to silent endpoints, those included that were under way when they fell silent. */
  attemptsUnansweredMax: 4_096,
  /** Pause between attempts to open accounts in shards that have no owner yet. */
  accountsRetryMs: 500,
  /** After this long, creating a company succeeds even though its accounts are still being opened. */
  accountsWaitMs: 10_000,
  /**
   * How often a node looks for companies whose accounts another node should have opened, and how long it leaves them to that
   * node.
   */
  accountsCheckMs: 30_000,
  /** How long nodes have to report their status. Only a node that is alive but silent takes all of it. */
  clusterStatusMs: 500,
  /** How long all nodes have to have run a new build before they finish the upgrade by themselves, and how often that is looked at. */
  finalizeSteadyMs: 10 * 60_000,
  finalizeLookMs: 15_000,
  /** A handover takes some 30 ms once the receiving node has caught up. */
  handOverMs: 10_000,
  /** Attempts to move a shard, half a second apart. */
  moveTriesMax: 10,
  /** A drain hands over its shards one by one, 200 ms apart, so 64 of them take 13 s. */
  drainMs: 60_000,
  /** An attempt at a silent endpoint begins while fewer than so many are under way: however many are dead, the others still find a slot. */
  attemptsToSilentMax: 128,
  /** Attempts whose outcome is not on disk yet. After a crash their receivers get them again. */
  attemptsUnrecordedMax: 1024,
  /** Events and attempts in one entry: to rebuild the state of a delivery its entries are read whole. */
  eventsPlannedTogetherMax: 16,
  attemptsRecordedTogetherMax: 32,
  /** Pause between attempts to record an outcome while a shard is not writable. */
  recordRetryMs: 200,
  /** Deliveries cancelled in one flush, so that requests get their turn in between. */
  cancelledAtOnce: 200,
  /** How often spans are sent; 512 gathered spans are sent sooner. */
  spansEveryMs: 1_000,
  /** How long a stop waits for the trace receiver. */
  lastSpansMs: 2_000,
  /** Minimum time between two log lines about traces that cannot be sent. */
  tracingTroubleEveryMs: 60_000,
  /** How often a node looks for due changes of companies, and its shortest pause: another may apply them. */
  pendingChangesCheckMs: 30_000,
  pendingChangesPauseMs: 200,
  /** A new bank account counts after a day (dashboard, section 4.3). */
  bankAccountDelayMs: 24 * 3_600_000,
  /** Logos: as much base64 as fits into a body beside its frame. */
  logoCharsMax: 48 * 1024,
  logoPixelsMin: 64,
  logoPixelsMax: 1024,
  websiteCharsMax: 255,
  /** Test events to one endpoint per minute (security, section 6). */
  testEventsPerMinute: 10,
  /** How long the previous secret signs as well (dashboard, section 4.5). */
  secretOverlapMsMax: 86_400_000,
  /** Deliveries that are sent again together: 50 a second (dashboard, section 4.5), so that a receiver that came back stays up. */
  resentMax: 10_000,
  resentEveryMs: 20,
  /** Concurrent commands of one resend. */
  resentAtOnce: 50,
  /** How long the secret of a rolled key may keep working (security, section 2.1). */
  keyOverlapMsMax: 7 * 86_400_000,
  /** Dashboard, section 4.4. */
  keysLivingMax: 20,
  keyNameCharsMax: 60,
  keyNetworksMax: 20,
  /** Two years. */
  keyLifeMsMax: 2 * 366 * 86_400_000,
  /** A key that expires within this time is shown as EXPIRING. */
  keyExpiringMs: 7 * 86_400_000,
  /** How often last uses of keys are stored and sent to other nodes, and how many one message holds. */
  keyUsesEveryMs: 60_000,
  keyUsesAtOnce: 2_000,
  keyRequestsAtOnce: 2_000,
  /** How long to wait for the other nodes' last uses. */
  keyUsesWaitMs: 500,
  /** The longest period of one replay, and how many events one call sends (dashboard, section 4.5). */
  replaySpanMsMax: 30 * 86_400_000,
  replayedEventsMax: 10_000,
  /** How long one call searches for them: the journal of a busy shard is long. */
  replayMsMax: 20_000,
  /** Events replayed in one turn of their shard. */
  replayedAtOnce: 5,

  /** What banks report (rails, section 1.3): the size of a body, and how many things it may name. */
  noticeBodyBytesMax: 1024 * 1024,
  noticeItemsMax: 1_000,
  /** Connections to the port for notices, and bodies that are read there at one time: 64 MiB. */
  hookConnectionsMax: 1_024,
  hooksInFlightMax: 64,
  /** Notices of one connection, far above what a bank sends; and requests without an address of ours from one place. */
  hookRate: { capacity: 1_000, perSecond: 100, sidesMax: 10_000 },
  strangerHookRate: { capacity: 20, perSecond: 0.2, sidesMax: 10_000 },
  /** How often a worker looks which connections are its own. */
  inboxSyncMs: 2_000,
  /** How often certificates of the port for notices are looked at: a renewal replaces the files. */
  hookRefreshMs: 10_000,

  /** Largest amount of PIX and cards: 12 digits of centavos (decisions, section 1). A boleto's bar code has room for 10. */
  amountCentsMax: 999_999_999_999,
  /** 100 % in basis points. */
  shareBpsMax: 10_000,
  /** Fine and interest of a boleto: 10 %, far above what consumers may be charged. */
  boletoBpsMax: 1_000,
  /** A boleto fee above 1,000 reais is a typo. */
  boletoFeeCentsMax: 100_000,
  /** Our ids have 30 characters, so a longer one cannot exist. */
  idCharsMax: 40,
  externalIdCharsMax: 80,
  /** Ids, or external ids, that a list can be asked for at once: more do not fit in a URL. */
  filteredValuesMax: 100,
  /** Lines of a postal address: what fits on one line of a boleto. */
  addressStreetCharsMax: 80,
  addressNumberCharsMax: 10,
  addressComplementCharsMax: 40,
  addressPlaceCharsMax: 60,
  customerExternalIdCharsMax: 120,
  referenceCharsMax: 80,
  nameCharsMax: 120,
  itemNameCharsMax: 120,
  itemsMax: 50,
  pageUrlCharsMax: 2048,
  displayNameCharsMax: 40,
  thankYouCharsMax: 280,
  portalPlansMax: 20,
  /** Support tickets (dashboard, section 4.1). */
  ticketsOpenMax: 20,
  ticketSubjectCharsMax: 120,
  ticketTextCharsMax: 5000,
  ticketObjectsMax: 20,
  viewPageCharsMax: 60,
  viewNameCharsMax: 60,
  viewQueryCharsMax: 1000,
  /** Notices about keys (dashboard, section 4.2), how often keys are checked, and tries for each account. */
  keyExpiryToldMs: 7 * 86_400_000,
  keyUnusedToldMs: 90 * 86_400_000,
  keysWatchedMs: 3_600_000,
  payerKeysTurnedMs: 3_600_000,
  noticeTriesMax: 8,
  /** As much of a charge's description as banking apps show. */
  descriptionCharsMax: 140,
  /** A payment of a month of deliveries has some; the link takes 99 payments to a document. */
  fiscalDocumentsMax: 50,
  reasonCharsMax: 240,
  /** As much as fits into the field of a printed boleto. */
  instructionsCharsMax: 400,
  cardTokenCharsMax: 255,
  /** A shorter defense says nothing. */
  defenseCharsMin: 20,
  defenseCharsMax: 5_000,
  /** Files of a defense: as much base64, together, as fits into a body beside the text. */
  evidenceFilesMax: 3,
  /** A file with a bank's statement, in base64: what fits into a body. */
  statementCharsMax: 60 * 1024,
  evidenceCharsMax: 40 * 1024,
  evidenceNameCharsMax: 120,
  /** RFC 5321, section 4.5.3.1. */
  emailCharsMax: 254,
  /** The lengths that the PIX arrangement defines. */
  endToEndIdCharsMax: 32,
  txidCharsMax: 35,
  /** A single letter matches nearly every row. */
  searchCharsMin: 2,
  searchCharsMax: 100,
  metadataKeysMax: 50,
  metadataKeyCharsMax: 40,
  metadataTextCharsMax: 500,
  /** How long a PIX charge can be paid: from a minute to 30 days. */
  chargeExpirySecondsMin: 60,
  chargeExpirySecondsMax: 2_592_000,
  /** The largest conversion, in either unit. */
  convertedMax: 999_999_999_999_999,
  confirmationsMax: 10_000,
  /** Prices that the Sandbox can be given, in millionths of a real. */
  rateMicrosMin: 10_000,
  rateMicrosMax: 1_000_000_000,
  /** The largest withdrawal, in millionths: a hundred thousand (dashboard, section 3.4). */
  withdrawnUnitsMax: 100_000_000_000,
  /** Fits on one line of a list. */
  walletNameCharsMax: 60,
  /** How long a charge in a stablecoin can be paid: prices move. */
  cryptoExpirySecondsMin: 300,
  cryptoExpirySecondsMax: 3600,
  /** How long a deposit can be paid: from five minutes to a day. */
  depositExpirySecondsMin: 300,
  depositExpirySecondsMax: 86_400,
  /** Two years. */
  trialDaysMax: 730,
  /** Cycles of a plan or discount: three digits, or 83 years of months. */
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
  /** A rule with a single item divides nothing. */
  splitItemsMin: 2,
  splitItemsMax: 20,
  splitPriorityMax: 100,
  /** Pixels per module of a QR code: from a thumbnail to a poster. */
  qrModulePixelsMin: 2,
  qrModulePixelsMax: 16,
  /** Nesting depth and number of keys of a JSON body: no honest request comes near either. */
  jsonDepthMax: 32,
  jsonKeysMax: 1_000,
  /** Query errors that are reported: a URL full of ampersands would have thousands. */
  queryProblemsMax: 10,
  /** Media ranges of an `Accept` header that are considered: a header of 16 KiB could hold thousands. */
  acceptRangesMax: 32,
  webhookUrlCharsMax: 2_048,
  /** Headers of a receiver's own (decisions, section 28), and the length of the value of one. */
  ownHeadersMax: 5,
  ownHeaderCharsMax: 1_024,
  /** Endpoints whose parsed URLs and connections are kept, and host names whose addresses are cached. */
  webhookReceiversMax: 10_000,
  resolvedNamesMax: 10_000,
  /** A name whose TTL forbids caching would cost a query for every attempt. */
  addressesKeptSecondsMin: 1,
  addressesKeptSecondsMax: 300,
  /** Notes about a transaction or customer. */
  noteTextCharsMax: 1000,
  notesMax: 200,
  /** How many reminders a charge has, and how far from its due date. */
  remindersMax: 7,
  reminderDaysMax: 30,
  /** How often packing tells its progress. */
  archiveProgressMs: 500,
  /** How long mail that another node queued waits for that node. */
  mailAdoptedMs: 120_000,
} as const
