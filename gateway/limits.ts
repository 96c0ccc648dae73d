/** Every bound of the gateway, with its reason. */
export const limits = {
  /** QR images that a worker keeps: 2 kB each. */
  qrImagesMax: 4096,
  /** Decisions, section 7. */
  urlBytesMax: 8 * 1024,
  headerBytesMax: 16 * 1024,
  bodyBytesMax: 64 * 1024,
  /** A body of 64 KiB that takes longer is not a client that we can help. */
  bodyTimeoutMs: 10_000,
  /** uWebSockets.js has no timer while an answer is pending; a shard answers in milliseconds or not at all. */
  answerTimeoutMs: 30_000,
  /** An acquirer that is silent for longer leaves the payment PROCESSING (decisions, section 9). */
  providerTimeoutMs: 8_000,
  /** Between the tries to record a provider's answer while a shard cannot be written. */
  providerRetryMs: 200,
  /** How long a stop waits for requests in flight. */
  shutdownGraceMs: 30_000,
  idempotencyKeyCharsMax: 255,
  pageSizeMax: 200,
  pageSizeDefault: 25,
  /** Beyond this page times pageSize nobody reads by hand; it keeps offsets exact integers. */
  pageMax: 10_000_000,
  /** Decisions, section 26. */
  exportRowsMax: 1_000_000,
  /** Rows of an export that are made at a time, and wait for the reader: about 40 kB. */
  exportPieceRows: 100,
  /** Requests of one endpoint in flight (decisions, section 28). */
  attemptsPerEndpointMax: 8,
  /** Of an endpoint that has not answered yet: a new one that is dead must not take eight slots at once. */
  attemptsToStrangersMax: 2,
  /** Requests of all endpoints of a worker in flight (security, section 6). */
  attemptsInFlightMax: 256,
  /** Of them those to endpoints that let the last one time out: however many are dead, the others find a slot. */
  attemptsToSilentMax: 128,
  /** Attempts whose outcome is on its way to the disk: after a crash their receivers hear them again. */
  attemptsUnrecordedMax: 1024,
  /** Between the tries to record an attempt while a shard cannot be written. */
  recordRetryMs: 200,
  /** Test events of one endpoint in a minute (security, section 6). */
  testEventsPerMinute: 10,
} as const
