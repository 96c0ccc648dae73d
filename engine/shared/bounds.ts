/** Every bound of the engine, with its reason. The gateway's are in `gateway/base/bounds.ts`. */
export const bounds = {
  /** Entries appended but not on disk. Beyond this a shard answers "overloaded" at once instead of later and later. */
  unflushedEntriesMax: 20_000,
  /** Timers fired for one account at once, and webhook attempts handed out at once, however quick they are. */
  timersPerTurn: 200,
  /** How long due work of an account waits when something that it needs is not there, before it is tried again. */
  heldWorkAgainMs: 1_000,
  /** A burst of timers delays an arriving request no longer than this, in real time. */
  timersBeforeRequestMs: 1,
  /** How long a tick fires timers before requests and answers get their turn. */
  timersPerTickMs: 1,
  /** While requests wait for the disk, a tick fires at most this often, so that a billing run still progresses. */
  timersAtLeastEveryMs: 20,
  /** With more entries than this waiting for the disk, ticks fire nothing: a slow disk must not be outrun. */
  unflushedByTimersMax: 1_000,
  /** How far one call may advance a Sandbox clock: two years (decisions, section 29). */
  clockStepMsMax: 2 * 366 * 86_400_000,
  /** Where a Sandbox clock stops, the first instant of 9000: dates years later still have four digits. */
  clockMsMax: 221_845_392_000_000,
  /** How long a key stands for its effect, in real time (decisions, section 5). */
  idempotencyRetentionMs: 24 * 3_600_000,
  /** One page of an account's history: entries read over all accounts (tenths of a second), and entries found. */
  historyPage: { looked: 10_000, found: 50 },
  /** A card that was declined this often within so many days is not tried again: card networks forbid it. */
  cardDeclinesMax: 15,
  cardDeclinesWithinDays: 30,
  /** Deliveries of one event, to different endpoints. */
  endpointsPerAccountMax: 20,
  /** Health covers an endpoint's last day; latency covers this many deliveries, because each has to be read. */
  endpointHealthMs: 24 * 3_600_000,
  endpointLatencySample: 200,
  /** Hits of a search per kind, and how many of the newest objects it scans where no index exists. */
  searchHitsMax: 5,
  searchedNewest: 200,
  /** Tickets open at once, time to answer an urgent one, time to reopen a closed one (dashboard, section 4.1). */
  openTicketsMax: 20,
  urgentAnswerMs: 4 * 3_600_000,
  ticketReopenedMsMax: 30 * 86_400_000,
  /**
   * How long notices are shown, the delivery attempt that raises one, and how long before a defense is due its
   * reminder comes (dashboard, section 4.2).
   */
  noticesShownMs: 90 * 86_400_000,
  attemptsBeforeNotice: 5,
  defenseRemindedMs: 3 * 86_400_000,
  /** How long a look-up of a PIX key can be used (dashboard, section 2.5). */
  keyLookupMs: 10 * 60_000,
  /**
   * How long a new payee cools off, and how long trust in one takes to count (dashboard, sections 2.4 and 2.6).
   */
  coolingOffMs: 24 * 3_600_000,
  trustedAfterMs: 24 * 3_600_000,
  /** How far ahead a transfer can be scheduled. */
  scheduledDaysMax: 365,
  /** Saved views of a person in an environment: more names than fit above a list. */
  viewsMax: 50,
  /** How often a charge is sent to its payer within how long, and all charges of a company within an hour, against the use of this service for spam. */
  mailsPerChargeMax: 3,
  mailsPerChargeMs: 24 * 3_600_000,
  mailsPerHourMax: 200,
  /** How often a customer is sent a link to the portal, within how long. */
  portalMailsMax: 3,
  portalMailsMs: 3_600_000,
  /** Payers are reminded from nine in the company's morning, and not after eight in the evening. */
  remindedFromMs: 9 * 3_600_000,
  remindedUntilMs: 20 * 3_600_000,
  /** Notes about one transaction or customer: more than people read. */
  notesMax: 200,
  /** Entries of a history that is shown: more than people read, and as many as are read within milliseconds. */
  historyEntriesMax: 200,
  /**
   * The compressed body of a notice: an entry of a cluster's log has to fit into one message of NATS, and no list of a thousand payments comes
   * near it.
   */
  noticeBytesMax: 640 * 1024,
  /** How long a notice that was closed counts as the same when it comes once more. */
  noticeRepeatedMs: 60_000,
  /** Mails to payers that are handed to the queue at once. */
  waitingMailPage: 100,
} as const
